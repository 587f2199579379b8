/*===-- numarch.h - what the machine looks like ------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * numArch reads the machine: NUMA nodes, CPUs, cores, packages, caches, and
 * the distances between nodes.
 *
 * Terms.  A *CPU* is a logical processor (hwloc calls it a PU), a *node* a NUMA
 * node.  Every object has two numbers: its *OS index*, which the kernel, `taskset`
 * and map files use and which may have gaps, and its *logical index*, 0, 1, 2, ...
 * in the order of the topology: CPUs that are close have indices that are close.
 * Functions and fields say which they mean; arrays are indexed by logical index.
 *
 * Errors.  Functions return 0 or a value, and on failure -1 or NULL with `errno`
 * set to the value that each one documents.  numArch prints nothing; hwloc itself complains on
 * standard error of firmware or a file that contradicts itself, unless HWLOC_HIDE_ERRORS=2.
 *
 * Threads.  A machine is a snapshot that never changes after numarch_open():
 * any number of threads may read it at once.
 */
#ifndef NUMARCH_H
#define NUMARCH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A machine as it was when numarch_open() read it. */
typedef struct numarch numarch_t;

/** The index of an object that does not exist, such as the node of a CPU without memory. */
#define NUMARCH_NONE UINT32_MAX

/** numarch_open(): describe all of the machine, not only what this process may use. */
#define NUMARCH_WHOLE_MACHINE 1U

/** One NUMA node and the CPUs that the kernel counts to it: each CPU belongs to one node at most.
 *  Nodes without CPUs (CXL, HBM) have cpu_count 0, nodes without memory memory_total 0. */
struct numarch_node {
  uint32_t os_index;     /**< the kernel's number of the node */
  uint32_t cpu_count;    /**< entries of `cpus` */
  const uint32_t *cpus;  /**< logical indices of the node's CPUs, ascending */
  uint64_t memory_total; /**< bytes */
};

/** One logical processor. */
struct numarch_cpu {
  uint32_t os_index; /**< the kernel's number of the CPU */
  uint32_t core;     /**< logical index of its core */
  uint32_t smt;      /**< its rank among the CPUs of its core: 0 is the first */
  uint32_t package;  /**< logical index of its package (socket) */
  uint32_t node;     /**< logical index of its nearest node with memory, or NUMARCH_NONE */
};

/** What a cache holds. */
enum numarch_cache_kind { NUMARCH_CACHE_UNIFIED, NUMARCH_CACHE_DATA, NUMARCH_CACHE_INSTRUCTION };

/** One cache and the CPUs that share it. */
struct numarch_cache {
  uint32_t level;               /**< 1 is next to the core */
  enum numarch_cache_kind kind; /**< data, instructions, or both */
  uint64_t size;                /**< bytes, 0 where unknown */
  uint32_t line_size;           /**< bytes, 0 where unknown */
  uint32_t cpu_count;           /**< entries of `cpus` */
  const uint32_t *cpus;         /**< logical indices of the CPUs that share it, ascending */
};

/**
 * Read the machine.
 *
 * The description comes from hwloc: the running machine, or the one that the environment names with
 * HWLOC_SYNTHETIC or, where that is unset or empty, HWLOC_XMLFILE.
 *
 * Without NUMARCH_WHOLE_MACHINE it holds just what this process may use at this moment: the CPUs of
 * its cpuset to which at least one of its threads may go (affinity), and the nodes whose memory its
 * cpuset and the calling thread's memory policy (`numactl --membind`) allow.  A node without memory
 * is there with its CPUs.
 *
 * @param flags 0 or NUMARCH_WHOLE_MACHINE
 * @return the machine, to be given to numarch_close(); or NULL with errno
 *   EINVAL (unknown flag; HWLOC_XMLFILE / HWLOC_SYNTHETIC name nothing that hwloc can read, or a
 *   machine of which this process may use nothing),
 *   ENOMEM.
 */
numarch_t *numarch_open(unsigned flags);

/** Free a machine. NULL is allowed and does nothing. */
void numarch_close(numarch_t *machine);

/** Nonzero when the description is that of the running machine (not from a file or a synthetic
 *  description). */
int numarch_is_this_system(const numarch_t *machine);

/** Number of nodes, at least 1: a machine without NUMA has one node. */
uint32_t numarch_node_count(const numarch_t *machine);
/** Number of CPUs. */
uint32_t numarch_cpu_count(const numarch_t *machine);
/** Number of cores. */
uint32_t numarch_core_count(const numarch_t *machine);
/** Number of packages (sockets). */
uint32_t numarch_package_count(const numarch_t *machine);
/** Number of caches, of all levels and kinds. */
uint32_t numarch_cache_count(const numarch_t *machine);

/** The node, CPU or cache of a logical index; NULL with errno EINVAL when there is none. */
const struct numarch_node *numarch_get_node(const numarch_t *machine, uint32_t index);
const struct numarch_cpu *numarch_get_cpu(const numarch_t *machine, uint32_t index);
const struct numarch_cache *numarch_get_cache(const numarch_t *machine, uint32_t index);

/** The logical index of the node or CPU with this OS index, or NUMARCH_NONE. */
uint32_t numarch_node_by_os_index(const numarch_t *machine, uint32_t os_index);
uint32_t numarch_cpu_by_os_index(const numarch_t *machine, uint32_t os_index);

/**
 * Bytes that are free on a node, read now.
 *
 * @param index logical index of the node
 * @return bytes, or -1 with errno EINVAL (no such node) or ENOTSUP (the machine is not the running
 *   one, or the kernel does not tell).
 */
int64_t numarch_memory_free(const numarch_t *machine, uint32_t index);

/**
 * The relative latency from the CPUs of one node to the memory of another, in the unit of ACPI's
 * SLIT table: 10 is local.
 *
 * @param from, to logical indices of nodes
 * @return the distance, or 0 with errno EINVAL (no such node).  Where the firmware tells none it is
 * 10 for the node itself and 20 for the others, as Linux assumes.
 */
uint32_t numarch_distance(const numarch_t *machine, uint32_t from, uint32_t to);

/** The NUMA factor of a pair of nodes: remote distance / local distance of `from`. 0 with errno
 *  EINVAL when there is no such node. */
double numarch_factor(const numarch_t *machine, uint32_t from, uint32_t to);

/** The NUMA factor of the machine: the greatest of all pairs; 1 on a machine with one node. */
double numarch_max_factor(const numarch_t *machine);

#ifdef __cplusplus
}
#endif
#endif /* NUMARCH_H */
