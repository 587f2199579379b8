/*===-- policies.h - policies made at random --------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef RANDOM_POLICIES_H
#define RANDOM_POLICIES_H

#include <mai.h>

#include "worker.h"

/** A policy with its lists. */
struct policy {
  mai_policy_t value;
  unsigned nodes[8];
  unsigned long shares[8];
  char text[200]; /* of a good one */
};

/** What is given to a policy: the extents of an array. */
struct extents {
  unsigned dimensions;
  const size_t *extents;
};

/** One that fits an array of these extents. */
void draw_policy(struct worker *worker, struct extents array, struct policy *policy);

/** One that does not fit it. @return the errno that says so */
int draw_bad_policy(struct worker *worker, struct extents array, struct policy *policy);

/** The extents of an array, as MAi knows them. */
struct extents extents_of(const struct array *array);

#endif
