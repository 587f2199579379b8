/*===-- build.h - from hwloc's objects to plain arrays ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The arrays never change once they are built, so that readers need no lock and no hwloc.
 */
#ifndef NUMARCH_BUILD_H
#define NUMARCH_BUILD_H

#include "discover.h"
#include "machine.h"

/** Fill in the CPUs, cores, packages and caches, all but the CPUs' nodes.
 *  @return 0, or -1 with errno EINVAL (no CPU is wanted) or ENOMEM */
int numarch_build_cpus(struct numarch *machine, const struct numarch_discovery *found);

/** Fill in the nodes, their distances, and each CPU's node, after the CPUs.
 *  @return 0, or -1 with errno EINVAL (no node is wanted) or ENOMEM */
int numarch_build_nodes(struct numarch *machine, const struct numarch_discovery *found);

/** Fill in the latencies and bandwidths that the firmware tells, after the nodes.
 *  @return 0, or -1 with errno ENOMEM */
int numarch_build_firmware(struct numarch *machine, const struct numarch_discovery *found);

/** Fill in the kinds and tiers of the nodes' memory, after all that is known of their speed.
 *  @return 0, or -1 with errno ENOMEM */
int numarch_build_memory(struct numarch *machine, const struct numarch_discovery *found);

/** Whether the kernel counts some CPU of the whole machine to this node. */
bool numarch_has_own_cpus(hwloc_topology_t topology, hwloc_obj_t node);

#endif /* NUMARCH_BUILD_H */
