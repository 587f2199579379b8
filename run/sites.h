/*===-- sites.h - who asks for a block --------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef RUN_SITES_H
#define RUN_SITES_H

#include <stdbool.h>
#include <stdint.h>

#include "callers/asking.h"
#include "mai/arrays/sites.h"
#include "mai/policy/policy.h"

/** A place that asks for blocks, and what is to be done with these. */
struct run_site {
  struct mai_site site;
  const mai_policy_t *policy; /**< NULL: none */
  const char *row_policy;     /**< its blocks are rows of a matrix with this policy; NULL: not */
};

/** Read which functions pass for allocators.  Before any site is asked for. */
void run_sites_prepare(void);

/** Whose call the calling thread is in; NULL without memory for it.
 *  @param counts it asks for a block by which sites count in their order */
struct run_site *run_site_of(struct minas_caller caller, bool counts);

#endif /* RUN_SITES_H */
