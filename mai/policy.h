/*===-- policy.h - what a policy means on this machine ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A policy names nodes, threads and kinds of memory; here they become the nodes of this machine and
 * of this program's threads.
 */
#ifndef MAI_POLICY_H
#define MAI_POLICY_H

#include "machine.h"
#include "mai_types.h"
#include "placement.h"

/** Copy a policy with the lists that it points to.
 *  @return 0, or -1 with errno ENOMEM. On success free it with mai_policy_free(). */
int mai_policy_copy(const mai_policy_t *policy, mai_policy_t *copy);
void mai_policy_free(mai_policy_t *copy);

/** The pages of which an array's memory is made. */
struct mai_page_sizes {
  size_t page; /**< bytes of the smallest that can be placed */
  size_t huge; /**< bytes of the larger ones that the kernel gives out where they fit; 0: none */
};

/**
 * Where the pages of an array belong by a policy, on this machine and with the threads as they are
 * mapped now.
 *
 * @return 0, or -1 with errno EINVAL (unknown policy, flag or unit, or not fit for the shape),
 *   ENODEV (a node that is not there, or that this process may not use) or ENOMEM
 */
int mai_policy_place(const struct mai_machine *machine, const mai_policy_t *policy,
                     const struct mai_shape *shape, const struct mai_page_sizes *pages,
                     struct mai_placement *placement);

/** Bytes of a unit of MAI_UNIT_PAGES of an array of `bytes` bytes: huge pages only for arrays that
 *  have enough of them to be spread evenly. */
size_t mai_policy_deal_size(const struct mai_machine *machine, size_t bytes,
                            const struct mai_page_sizes *pages);

/** Whether what a policy means depends on the size of the program's default team. */
bool mai_policy_means_default_team(const mai_policy_t *policy);

#endif /* MAI_POLICY_H */
