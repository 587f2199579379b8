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

#include "mai/memory/machine.h"
#include "mai/memory/memory.h"
#include "mai/policy/placement.h"
#include "mai/policy/policy.h"

/** Read the policy that a call is given.  What is wrong with it is a message.
 *  @return 0, or -1 with errno EINVAL or ENOMEM.  On success free it with mai_policy_release(). */
int mai_policy_take(const char *text, mai_policy_t *policy);

/** Read the policy of an entry of mai_static.h, with its range.  What is wrong with it is a message
 *  that begins with the place. @return as mai_policy_take() */
int mai_policy_take_entry(const char *text, size_t first, size_t count, const char *file,
                          unsigned line, mai_policy_t *policy);

/** Copy a policy with the lists that it points to.
 *  @return 0, or -1 with errno ENOMEM or EINVAL (a list is missing, or too long).  On success free
 *  it with mai_policy_free(). */
int mai_policy_copy(const mai_policy_t *policy, mai_policy_t *copy);
void mai_policy_free(mai_policy_t *copy);

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

/** Whether pages lie where the threads have been that have touched them, or there are copies of
 * them, or they are divided as the contents say. */
bool mai_policy_goes_by_use(const mai_policy_t *policy);

/** Whether what a policy means depends on the size of the program's default team. */
bool mai_policy_means_default_team(const mai_policy_t *policy);

#endif /* MAI_POLICY_H */
