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

/** Fill in all of a machine by hwloc.  @param flags 0 or NUMARCH_WHOLE_MACHINE
 *  @return 0, or -1 with errno as numarch_open() */
int numarch_build_by_hwloc(struct numarch *machine, unsigned flags);

/** Read the machine, and have `build` fill in some of it. @return 0, or -1 with errno as
 *  numarch_open() or `build` */
int numarch_build_discovered(struct numarch *machine, unsigned flags,
                             int (*build)(struct numarch *, const struct numarch_discovery *));

/** A CPU, and numbers of the core and the package that it is in. */
struct numarch_place {
  uint32_t os_index;
  uint64_t core;
  uint64_t package;
};

/** Fill in the CPUs, cores and packages: all but the CPUs' nodes and whether they are allowed.
 *  @param places in the order of the topology: the CPUs of a core, and of a package, follow one
 *    another
 *  @return 0, or -1 with errno EINVAL (there is no CPU) or ENOMEM */
int numarch_number_cpus(struct numarch *machine, const struct numarch_place *places,
                        uint32_t count);

/** The same of the CPUs that are wanted, by hwloc. */
int numarch_build_cpus(struct numarch *machine, const struct numarch_discovery *found);

/** Fill in the nodes, their distances, and each CPU's node, after the CPUs.
 *  @return 0, or -1 with errno EINVAL (no node is wanted) or ENOMEM */
int numarch_build_nodes(struct numarch *machine, const struct numarch_discovery *found);

/** Fill in the details, after the nodes.
 *  @return 0, or -1 with errno ENOMEM */
int numarch_build_details(struct numarch *machine, const struct numarch_discovery *found);

/** Fill in the latencies and bandwidths that the firmware tells.
 *  @return 0, or -1 with errno ENOMEM */
int numarch_build_firmware(struct numarch_details *details, const struct numarch *machine,
                           hwloc_topology_t topology);

/** Fill in the caches.  @return 0, or -1 with errno ENOMEM */
int numarch_build_caches(struct numarch_details *details, const struct numarch *machine,
                         hwloc_topology_t topology);

/** Fill in the kinds and tiers of the nodes' memory, after the details.
 *  @return 0, or -1 with errno ENOMEM */
int numarch_build_memory(struct numarch *machine, const struct numarch_discovery *found);

/** Whether the kernel counts some CPU of the whole machine to this node. */
bool numarch_has_own_cpus(hwloc_topology_t topology, hwloc_obj_t node);

#endif /* NUMARCH_BUILD_H */
