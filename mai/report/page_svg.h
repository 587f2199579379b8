/*===-- page_svg.h - draws where the pages of arrays are --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_PAGE_SVG_H
#define MAI_PAGE_SVG_H

#include "mai/memory/machine.h"
#include "runtime/text.h"
#include "mai/arrays/summaries.h"

/**
 * Write a picture: of each array a title and its pages as coloured cells in rows, a colour for each
 * node; then the threads of each node.  One cell stands for several pages of an array that has
 * more than 4096 (fewer where there are many arrays).  Freed arrays have a title only.
 *
 * @return 0, or -1 with errno ENOMEM
 */
int mai_page_svg_write(struct minas_text *out, const struct mai_machine *machine,
                       const struct mai_summaries *summaries);

#endif /* MAI_PAGE_SVG_H */
