/*===-- others.h - which CPUs are in use, whoever does so -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Programs whose claims (claims.h) are not seen: other users', or of another tool.
 */
#ifndef MAI_OTHERS_H
#define MAI_OTHERS_H

#include <stdbool.h>

#include "claims.h"

/** Add the CPUs to which threads of other processes are pinned: those that may run on a single
 *  core's CPUs only.  What claimants use is known by their claims. */
void mai_pinned_by_others(const numarch_t *machine, const struct mai_claimants *claimants,
                          struct mai_cpu_mask *mask);

/** Wait as long as a thread would not stay that just goes through all CPUs: 2 ms. */
void mai_wait_for_passers(void);

/** Whether other users' processes cannot be seen from here, and more threads run than `known`. */
bool mai_others_are_hidden(unsigned known);

/** Add the CPUs that are busy. Takes a moment, in which the calling thread sleeps. */
void mai_busy_cpus(struct mai_cpu_mask *mask);

#endif /* MAI_OTHERS_H */
