/*===-- policies.h - policies made at random --------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef RANDOM_POLICIES_H
#define RANDOM_POLICIES_H

#include <mai.h>
#include <stdbool.h>

#include "worker.h"

/** A policy, and what its calls have to know of it. */
struct policy {
  char text[400]; /* as reports write it, where it is a good one */
  bool replicates;
  bool strict;
};

/** What is given to a policy: the extents of an array. */
struct extents {
  unsigned dimensions;
  const size_t *extents;
};

/** One that fits an array of these extents.
 *  @param may_be_strict whether it may ask for its nodes or nothing */
void draw_policy(struct worker *worker, struct extents array, bool may_be_strict,
                 struct policy *policy);

/** One that does not fit it. @return the errno that says so */
int draw_bad_policy(struct worker *worker, struct extents array, struct policy *policy);

/** The extents of an array, as MAi knows them. */
struct extents extents_of(const struct array *array);

#endif
