/*===-- elements.h - many elements of a container in a report ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_ELEMENTS_H
#define MAI_ELEMENTS_H

#include "mai/arrays/summaries.h"

/** Have one summary for many blocks of a site with one policy whose names differ in what stands in
 *  brackets: p.tally for p.tally[0], p.tally[1] and so on.  A policy for that name is one for all
 * of them.  A few stay as they are: each may have a purpose of its own. */
void mai_elements_join(struct mai_summaries *summaries);

#endif /* MAI_ELEMENTS_H */
