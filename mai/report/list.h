/*===-- list.h - what a program has of arrays and blocks --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_LIST_H
#define MAI_LIST_H

#include "mai/arrays/summaries.h"
#include "runtime/text.h"

/** Write names, sizes and sites, the largest first: what policies can be set for.  The summaries
 *  are sorted. */
void mai_list_write(struct minas_text *out, struct mai_summaries *summaries);

#endif /* MAI_LIST_H */
