/*===-- numarch.h - what the machine looks like ------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * numArch reads the machine: NUMA nodes and what their memory is, CPUs, cores, packages, caches,
 * the distances between nodes, and latency and bandwidth where the firmware tells or `numarch
 * --measure` has measured them.
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
 * Threads.  A machine is a snapshot: any number of threads may read it at once.
 *
 * Depth.  numarch_open() reads what a program needs when it starts: nodes, CPUs, cores, packages
 * and distances, of an ordinary machine from a few files.  Caches, latencies and bandwidths may
 * take hwloc 50 times as long, and are read when somebody asks for the first of them.
 */
#ifndef NUMARCH_H
#define NUMARCH_H

#include <stdbool.h>
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

/** What the memory of a node is.  As hwloc tells; of a node without CPUs of which it tells nothing,
 *  what the bandwidth and latency of the memory suggest (numarch(3) has the rule). */
enum numarch_memory_kind {
  NUMARCH_MEMORY_DRAM,   /**< ordinary memory */
  NUMARCH_MEMORY_HBM,    /**< high-bandwidth memory, MCDRAM */
  NUMARCH_MEMORY_CXL,    /**< behind CXL, or another memory that is slower than DRAM */
  NUMARCH_MEMORY_NVM,    /**< non-volatile */
  NUMARCH_MEMORY_GPU,    /**< of a GPU: nothing should go there unasked */
  NUMARCH_MEMORY_SPECIAL /**< set apart by the firmware, or without CPUs; more is not known */
};

/** One NUMA node and the CPUs that the kernel counts to it: each CPU belongs to one node at most.
 *  Nodes without CPUs (CXL, HBM) have cpu_count 0, nodes without memory memory_total 0. */
struct numarch_node {
  uint32_t os_index;     /**< the kernel's number of the node */
  uint32_t cpu_count;    /**< entries of `cpus` */
  const uint32_t *cpus;  /**< logical indices of the node's CPUs, ascending */
  uint64_t memory_total; /**< bytes */
  bool allowed;          /**< this process may use its memory; without memory: one of its CPUs */
  enum numarch_memory_kind memory_kind; /**< what the memory is */
  bool memory_kind_guessed; /**< from its speed or the lack of CPUs: hwloc told nothing */
  uint32_t memory_tier;     /**< 0 is the fastest tier, 1 the next, ... without gaps */
};

/** One logical processor. */
struct numarch_cpu {
  uint32_t os_index; /**< the kernel's number of the CPU */
  uint32_t core;     /**< logical index of its core */
  uint32_t smt;      /**< its rank among the CPUs of its core: 0 is the first */
  uint32_t package;  /**< logical index of its package (socket) */
  uint32_t node;     /**< logical index of its nearest node with memory, or NUMARCH_NONE */
  bool allowed;      /**< some thread of this process may run there */
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
 * The description is what hwloc tells: of the running machine, or of the one that the environment
 * names with HWLOC_SYNTHETIC or, where that is unset or empty, HWLOC_XMLFILE.
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
/** Number of caches, of all levels and kinds; 0 with errno ENOMEM or EINVAL where hwloc fails to
 * read them. */
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

/** Where a value is from, the best first. */
enum numarch_source {
  NUMARCH_MEASURED, /**< `numarch --measure` measured it on this machine */
  NUMARCH_HMAT,     /**< the firmware tells it (ACPI HMAT), through hwloc's memory attributes */
  NUMARCH_SLIT,     /**< the kernel tells it (ACPI SLIT): a relative distance */
  NUMARCH_ASSUMED,  /**< nobody tells: 10 for the node itself, 20 for another */
  NUMARCH_UNKNOWN   /**< there is no value */
};

/** What is measured of a pair of nodes: the CPUs of one at work on the memory of another.  Copying
 *  counts the bytes read and the bytes written, as STREAM does. */
enum numarch_metric {
  NUMARCH_LATENCY,             /**< ns, of dependent loads that no cache holds */
  NUMARCH_READ_BANDWIDTH,      /**< MiB/s, by all CPUs of the node; likewise the next two */
  NUMARCH_WRITE_BANDWIDTH,     /**< MiB/s */
  NUMARCH_COPY_BANDWIDTH,      /**< MiB/s */
  NUMARCH_CPU_READ_BANDWIDTH,  /**< MiB/s, by one CPU of the node; likewise the next two */
  NUMARCH_CPU_WRITE_BANDWIDTH, /**< MiB/s */
  NUMARCH_CPU_COPY_BANDWIDTH   /**< MiB/s */
};
#define NUMARCH_METRICS 7

/**
 * A value of one source.
 *
 * @param source NUMARCH_MEASURED or NUMARCH_HMAT.  The latter has no bandwidth of copying nor any
 *   of one CPU.
 * @param from logical index of the node whose CPUs are at work; NUMARCH_NONE: of the one that is
 *   best for `to` (least latency, greatest bandwidth), as for the speed of a memory without CPUs
 * @param to logical index of the node whose memory is used
 * @return ns or MiB/s, or 0 with errno EINVAL (no such source, metric or node) or ENOTSUP (not
 *   known, as where `from` has no CPUs or `to` has no memory)
 */
double numarch_performance(const numarch_t *machine, enum numarch_source source,
                           enum numarch_metric metric, uint32_t from, uint32_t to);

/** The latency from the CPUs of `from` to the memory of `to`, measured or else the firmware's.
 *  Parameters, result and errors as numarch_performance() with NUMARCH_LATENCY. */
double numarch_latency(const numarch_t *machine, uint32_t from, uint32_t to);

/** The bandwidth at which all CPUs of `from` together read the memory of `to`, measured or else the
 *  firmware's.  Parameters, result and errors as numarch_performance() with NUMARCH_READ_BANDWIDTH.
 */
double numarch_bandwidth(const numarch_t *machine, uint32_t from, uint32_t to);

/** Where numarch_latency() or numarch_bandwidth() has this value from; NUMARCH_UNKNOWN where it has
 *  none, or with errno EINVAL where there is no such node. */
enum numarch_source numarch_latency_source(const numarch_t *machine, uint32_t from, uint32_t to);
enum numarch_source numarch_bandwidth_source(const numarch_t *machine, uint32_t from, uint32_t to);

/**
 * The NUMA factor of a pair of nodes: how much longer the CPUs of `from` wait for the memory of
 * `to` than for their own.
 *
 * The measured latency divided by that of `from` to itself or, where `from` has no memory, to the
 * node that is nearest by latency.  Where either is not measured, the same of the firmware's
 * latencies; where it does not tell them, the distance divided by that of `from` to itself.
 *
 * @return the factor, or 0 with errno EINVAL (no such node)
 */
double numarch_factor(const numarch_t *machine, uint32_t from, uint32_t to);

/** Which values numarch_factor() used; NUMARCH_UNKNOWN with errno EINVAL (no such node). */
enum numarch_source numarch_factor_source(const numarch_t *machine, uint32_t from, uint32_t to);

/** The NUMA factor of the machine: the greatest from a node with CPUs to a node with memory; at
 *  least 1. */
double numarch_max_factor(const numarch_t *machine);

/**
 * Why there are no measured values though their file is there.
 *
 * `numarch --measure` keeps what it measured in a file, $XDG_CACHE_HOME/minas/numarch-IDENTITY.json
 * or $HOME/.cache/minas/numarch-IDENTITY.json, IDENTITY standing for the machine.  numarch_open()
 * of the running machine reads it.  It believes nothing that it has not checked, and uses all of it
 * or none.
 *
 * @return a sentence with the file's name, which lives as long as the machine; or NULL where there
 *   is no such file or nothing is wrong with it
 */
const char *numarch_measurement_problem(const numarch_t *machine);

#ifdef __cplusplus
}
#endif
#endif /* NUMARCH_H */
