/*===-- discover.h - read the machine with hwloc ----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * hwloc always reads the whole machine here, and two sets say which part of it is wanted.  If hwloc
 * left out the rest, the distances from a CPU whose own node is not allowed would be lost.
 */
#ifndef NUMARCH_DISCOVER_H
#define NUMARCH_DISCOVER_H

#include <hwloc.h>
#include <stdbool.h>
#include <stdint.h>

/** Whether the process has no thread but this one, as far as can be told. */
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define NUMARCH_SINGLE_THREADED __libc_single_threaded
#else
#define NUMARCH_SINGLE_THREADED false
#endif

struct numarch_discovery {
  hwloc_topology_t topology;    /**< the whole machine */
  hwloc_bitmap_t cpus;          /**< OS indices of the CPUs wanted; used up by what lists them */
  hwloc_bitmap_t nodes;         /**< OS indices of the nodes whose memory is wanted; likewise */
  hwloc_bitmap_t allowed_cpus;  /**< OS indices of the CPUs that this process may use */
  hwloc_bitmap_t allowed_nodes; /**< OS indices of the nodes whose memory it may use */
};

/** Read the machine. @param flags 0 or NUMARCH_WHOLE_MACHINE
 *  @return 0, or -1 with errno as numarch_open(), and then there is nothing to free */
int numarch_discover(struct numarch_discovery *found, unsigned flags);

void numarch_discovery_free(struct numarch_discovery *found);

/** Distances between nodes; of those with hwloc's logical indices i and j at i × nodes + j. */
struct numarch_distances {
  uint32_t *values;
  bool *told; /**< whether the kernel told it, or it is assumed */
};

/** The distances between all `nodes` nodes of `topology`, both arrays to be freed.
 *  @return 0, or -1 with errno ENOMEM and nothing to free */
int numarch_discover_distances(struct numarch_distances *distances, hwloc_topology_t topology,
                               uint32_t nodes);

#endif /* NUMARCH_DISCOVER_H */
