/*===-- heap_hooks.h - free() and realloc() come by here --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_HEAP_HOOKS_H
#define MAI_HEAP_HOOKS_H

#include <stdbool.h>
#include <stddef.h>

/** Find out whether mai_heap_hooks_hear_of_free().  Called once, by mai_init(). */
void mai_heap_hooks_listen(void);

/** Whether the program's calls of free() come by the library, at once or by way of other
 *  libraries.  Where they do not, nobody tells when a block ends, and no policy may be left on it.
 */
bool mai_heap_hooks_hear_of_free(void);

/** Have this told of each block that ends, by free() or realloc(), before it does.  From then on;
 *  the calling thread may be in any call of the program's. */
void mai_heap_hooks_watch(void (*ends)(const void *block));

/** How large an allocator has made a block. */
typedef size_t mai_usable_size_t(void *block);

/** A block of an allocator ends whose functions do not come by here; called before it does.
 *  @param usable_size NULL: it does not tell */
void mai_heap_hooks_end(void *block, mai_usable_size_t *usable_size);

/** What the program moves or gives back by a call of its own: arrays end of which something lies
 *  there. @return whether there may have been any */
bool mai_heap_hooks_end_memory(const void *start, size_t bytes);

#endif /* MAI_HEAP_HOOKS_H */
