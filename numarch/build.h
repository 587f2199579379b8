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

#endif /* NUMARCH_BUILD_H */
