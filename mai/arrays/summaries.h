/*===-- summaries.h - where the pages of all arrays are ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * What reports say of arrays: of those that are known, looked at now, and of those that have ended,
 * as they were then.
 */
#ifndef MAI_SUMMARIES_H
#define MAI_SUMMARIES_H

#include "summary.h"

struct mai_summaries {
  struct mai_summary *list;
  size_t count;
  unsigned node_count; /**< highest OS index of a node, plus 1 */
  size_t forgotten;    /**< arrays that have ended and of which nothing is remembered: too many */
};

/** Look at all arrays now, those that have ended first. Free the result with mai_summaries_free().
 *  @return 0, or -1 with errno ENOMEM */
int mai_summaries_make(struct mai_summaries *summaries);
void mai_summaries_free(struct mai_summaries *summaries);

#endif /* MAI_SUMMARIES_H */
