/*===-- page_cells.h - on which nodes an array's pages are ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_PAGE_CELLS_H
#define MAI_PAGE_CELLS_H

#include "mai/arrays/summaries.h"
#include "runtime/text.h"

/** How many cells an array may have: 4096, fewer where there are many arrays. */
size_t mai_page_cells_most(const struct mai_summaries *summaries);

/** How many pages of an array one cell stands for, of `most` cells. */
size_t mai_page_cells_pages(const struct mai_summary *array, size_t most);

/** Write the cells of an array, as minas(7) describes them; none of an array that was freed. */
void mai_page_cells_write(struct minas_text *out, const struct mai_summary *array,
                          size_t pages_a_cell);

#endif /* MAI_PAGE_CELLS_H */
