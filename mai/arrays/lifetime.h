/*===-- lifetime.h - when what is known of memory ends ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * An array ends when its memory is given back, whoever does that: by mai_free(), mai_forget(),
 * free() or realloc(), or by the program's own munmap(), mremap(), brk() or mmap(MAP_FIXED), of
 * which nobody tells the library.  So an address is never trusted: before anything is done to an
 * array it is asked whether its memory is still what it was, by the policies that the library has
 * set there, which go with the memory.
 *
 * What the owner gets back is as if the library had never been there, except that pages stay on
 * their nodes.
 */
#ifndef MAI_LIFETIME_H
#define MAI_LIFETIME_H

#include "registry.h"

/** From now on arrays end whose addresses the library maps for itself: memory with a policy of its
 *  own is there again. */
void mai_lifetime_listen(void);

/** What an array is held for. */
enum mai_purpose {
  MAI_TO_LOOK,  /**< to ask where its pages are */
  MAI_TO_CHANGE /**< to move, protect or unmap its pages: every range is asked for its policy */
};

/** The functions mai_registry_hold*(), where the memory is still the array's; else the array ends
 *  here. */
struct mai_array *mai_lifetime_hold(const void *start, enum mai_purpose purpose);
struct mai_array *mai_lifetime_hold_behind(const void *start, enum mai_purpose purpose);
struct mai_array *mai_lifetime_hold_in(uintptr_t begin, uintptr_t end, enum mai_purpose purpose);

/** The owner gives back [begin, end): arrays of which something lies there end. */
void mai_lifetime_end(uintptr_t begin, uintptr_t end);

/** Make a new array known, whose memory nobody else can have: arrays of which something was there
 *  have ended before. */
void mai_lifetime_begin(struct mai_array *array);

/** The same for an array that has been placed in memory where others may have been placed before,
 *  of which no page waits for touches: they end, and what of them lies outside has no policy of its
 *  own any more. */
void mai_lifetime_begin_in_place(struct mai_array *array);

/** The same for an array that is not to be known. */
void mai_lifetime_make_way(const struct mai_array *newcomer);

/** End an array that no registry knows: its pages are waited for no longer, and have no policy of
 *  their own.  Its memory stays; the report remembers it. */
void mai_lifetime_end_array(struct mai_array *array);

#endif /* MAI_LIFETIME_H */
