/*===-- neighbours.h - CPUs that other programs leave ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Programs on one machine share its CPUs out.  What others have is known by their claims, by the
 * threads that are pinned, and where others cannot be seen, by the load of CPUs; processes of one
 * MPI program that may all run everywhere know their part by their rank.  A program means CPUs from
 * its start on, so that memory goes to their nodes, and uses them from its first parallel region
 * on: one that never has a region keeps no other from them.
 */
#ifndef MAI_NEIGHBOURS_H
#define MAI_NEIGHBOURS_H

#include <stdbool.h>

#include "mai/maps/named_maps.h"
#include "mai/neighbours/claims.h"

/** Have a map begin with CPUs that no other program has, as mai_named_map_share() does, and claim
 *  those of a team of so many threads.
 *  @param pinned receives how many entries stand for a CPU; those behind stand for its node
 *  @return 0, or -1 with errno ENOMEM */
int mai_neighbours_share(const numarch_t *machine, enum mai_named_map map, unsigned threads,
                         enum mai_claim claim, struct mai_cpu_list *list, unsigned *pinned);

/** Claim the CPUs of a list that is to be obeyed, and say once, to those who want to hear it, which
 *  of them another program uses. */
void mai_neighbours_claim_given(const numarch_t *machine, const uint32_t *cpus, unsigned count,
                                const char *origin);

/** Whether no other program uses a CPU to which a thread is to be pinned; from then on this one
 * does.
 */
bool mai_neighbours_leave(uint32_t cpu);

#endif /* MAI_NEIGHBOURS_H */
