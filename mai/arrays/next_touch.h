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

/** Wait no longer for touches of the pages [start, start + bytes): they may be accessed again, and
 *  stay where they are.  What has been moved is added to *moved_pages, unless NULL. */
void mai_next_touch_end(uintptr_t start, size_t bytes, size_t *moved_pages);

/** Wait no longer for touches of the array: only then does the kernel tell where its pages are. */
void mai_array_end_next_touch(struct mai_array *array);

/** mai_next_touch_end() where the memory belongs to somebody else by now: nothing is done to it. */
void mai_next_touch_abandon(uintptr_t start, size_t bytes);

/** How many pages were moved in regions that still wait, of those pages. */
size_t mai_next_touch_moved(uintptr_t start, size_t bytes);

#endif /* MAI_NEXT_TOUCH_H */
