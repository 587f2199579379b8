/*===-- fill.h - populates pages on their nodes by many threads -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A placement in more pieces than the kernel can hold as policies of ranges is brought about by the
 * policy of the threads that touch the pages first: each worker takes a node for its own policy and
 * touches that node's pages.  Clearing or copying is most of the cost, so it is done by several
 * workers, on CPUs of the node.
 */
#ifndef MAI_FILL_H
#define MAI_FILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel.h"
#include "mai/policy/placement.h"
#include "numarch.h"

/** What to fill, and how. */
struct mai_filling {
  const struct mai_placement *placement;
  char *target;              /**< where page 0 is populated */
  const char *source;        /**< contents of page 0 and those behind it; NULL: zeroes */
  const bool *touched;       /**< for each page whether it has contents; NULL: all have */
  bool only_touched;         /**< leave the other pages out of memory */
  bool by_range;             /**< the policies of the ranges decide, not those of the workers */
  enum mai_mode mode;        /**< PREFER or BIND */
  const numarch_t *topology; /**< where the CPUs of the nodes are */
  unsigned most_workers;     /**< at least 1 */
};

/** @return 0, or -1 with errno ENOMEM or what the kernel said; some pages may have been populated
 */
int mai_fill(const struct mai_filling *filling);

#endif /* MAI_FILL_H */
