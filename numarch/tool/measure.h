/*===-- measure.h - the parts of `numarch --measure` ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef NUMARCH_MEASURE_H
#define NUMARCH_MEASURE_H

#include <stddef.h>

#include "numarch/lib/measurement.h"

/** What was asked for. */
struct measure_options {
  uint64_t bytes; /**< of memory to walk through; 0: as the caches need */
  bool quick;     /**< a first impression in little time */
};

/** Measure all pairs of nodes that this process may use, and say on standard error what goes on and
 *  what went wrong.  @param machine the running one, as this process may use it
 *  @return 0 and the values, to be freed; or -1 */
int measure(const numarch_t *machine, const struct measure_options *options,
            struct numarch_measurement *measurement);

/** Keep what was measured for numarch_open(), and say on standard error where it cannot be kept.
 *  What was measured before stays where this measurement has no value or only a quick one.
 *  @return 0 or -1 */
int measure_save(const struct numarch_measurement *measurement);

/*===-- Memory -------------------------------------------------------------===*/

/** Memory on one node. */
struct measure_buffer {
  char *start;
  size_t size;
  bool huge_pages; /**< most of it is */
};

/** Get memory on a node, every page of it touched.
 *  @param verify make sure of where it is: there are several nodes
 *  @return 0, or -1 after a word on standard error */
int measure_buffer_get(struct measure_buffer *buffer, size_t size, uint32_t os_node, bool verify);

void measure_buffer_free(struct measure_buffer *buffer);

/*===-- Work ---------------------------------------------------------------===*/

/** CPUs by OS index. */
struct measure_cpus {
  uint32_t *os_indices;
  uint32_t count;
};

/** How long each measurement takes. */
struct measure_effort {
  double seconds; /**< of one repetition, at least */
  unsigned repetitions;
};

/** Fill memory with one random cycle of pointers, a pointer every `stride` bytes. */
void measure_link(const struct measure_buffer *buffer, size_t stride);

/** The latency in ns of following the cycle on a CPU: a median.
 *  @return 0 with errno where a thread cannot be had */
double measure_latency(const struct measure_buffer *buffer, uint32_t os_cpu,
                       const struct measure_effort *effort);

/** The bandwidth in MiB/s of a thread on each of these CPUs: a median.  It destroys the cycle.
 *  @param metric one of the bandwidths: reading, writing or copying
 *  @return 0 with errno where threads cannot be had */
double measure_bandwidth(const struct measure_buffer *buffer, enum numarch_metric metric,
                         const struct measure_cpus *cpus, const struct measure_effort *effort);

#endif /* NUMARCH_MEASURE_H */
