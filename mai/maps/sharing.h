/*===-- sharing.h - a map beside other programs --------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Which CPUs a team gets where other programs have some.  Computed from the topology and from what
 * is in use; who knows that is neighbours.h.
 */
#ifndef MAI_SHARING_H
#define MAI_SHARING_H

#include "named_maps.h"

/** Who else has a CPU, from the best to the worst. */
enum mai_cpu_use {
  MAI_CPU_FREE,
  MAI_CPU_WANTED, /**< others would use it, once they begin; or it is busy */
  MAI_CPU_USED
};

/**
 * Bring those CPUs to the front of a map on which the first `threads` threads are to run.
 *
 * The compact map gives a team free CPUs near one another: of one cache, node or package where
 * there are enough, in one that nobody else uses before others; whole cores before parts of them.
 * Other named maps leave out what others have.  Where CPUs are short, the rest of the team has CPUs
 * of others, on the nodes with the lowest share of CPUs in use.
 *
 * @param uses of each CPU, by logical index (enum mai_cpu_use)
 * @return 0, or -1 with errno ENOMEM
 */
int mai_named_map_share(const numarch_t *machine, enum mai_named_map map, unsigned threads,
                        const uint8_t *uses, struct mai_cpu_list *list);

#endif /* MAI_SHARING_H */
