/*===-- next_touch.h - pages follow the thread that touches them next *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_NEXT_TOUCH_H
#define MAI_NEXT_TOUCH_H

#include "registry.h"

/** As mai_next_touch() in mai.h, for the whole pages of the range of an array that no other thread
 *  can change.  The placement of a page becomes: anywhere; once it is touched: that thread's node.
 */
int mai_next_touch_begin(struct mai_array *array, size_t offset, size_t bytes);

/** Wait no longer for touches of the array, which may be accessed again and stays where it is: only
 *  then does the kernel tell where its pages are. */
void mai_array_end_next_touch(struct mai_array *array);

/** The same where some of the memory has been unmapped, and may be somebody else's by now: only
 * what is left of the array may be accessed again. */
void mai_next_touch_abandon(const struct mai_array *array);

/** How many pages of the array were moved that its `moved_pages` does not count yet. */
size_t mai_next_touch_moved(const struct mai_array *array);

#endif /* MAI_NEXT_TOUCH_H */
