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
  bool quiet;     /**< nothing is told of what goes on, ... */
  bool verbose;   /**< ... or all is, not only on a terminal */
};

/** What came of it. */
enum measure_outcome {
  MEASURE_FAILED,
  MEASURE_PARTLY, /**< some values are missing, because they cannot be believed */
  MEASURE_WHOLLY
};

/** Measure all pairs of nodes that this process may use, and say on standard error what goes on and
 *  what went wrong.  @param machine the running one, as this process may use it
 *  @param measurement the values, to be freed unless it failed */
enum measure_outcome measure(const numarch_t *machine, const struct measure_options *options,
                             struct numarch_measurement *measurement);

/** Keep what was measured for numarch_open(), and say on standard error where it cannot be kept.
 *  What was measured before stays where this measurement has no value or only a quick one.
 *  @return 0 or -1 */
int measure_save(const struct numarch_measurement *measurement);

/*===-- Trust --------------------------------------------------------------===*/

/** Fewer than six runs give no interval of 95 %. */
enum { MEASURE_FEWEST_RUNS = 6, MEASURE_MOST_RUNS = 30 };

/** What the runs of one measurement gave.  Those during which a thread did not have its CPU are not
 *  among the values. */
struct measure_runs {
  double values[MEASURE_MOST_RUNS];
  unsigned count;
  unsigned disturbed;
};

/** What is to be believed of them. */
struct measure_verdict {
  bool agree;
  double median; /**< 0: there are too few runs */
  double least;  /**< where the interval for the median begins ... */
  double most;   /**< ... and ends */
};

/** The rank, from below and from above, at which the interval of 95 % for the median of `count`
 *  values ends; 0: there is none. */
unsigned measure_rank(unsigned count);

/** Whether runs agree: the interval of 95 % for their median is within a tenth of it.  Sorts. */
struct measure_verdict measure_judge(struct measure_runs *runs);

/** At a moment. */
struct measure_load {
  bool known;
  double seconds; /**< of a clock */
  double busy;    /**< CPU time that was used on this machine, in seconds */
  double own;     /**< CPU time that this process has used */
};

/** How many CPUs others have used between two moments; 0: none, or it is not known. */
double measure_others(const struct measure_load *before, const struct measure_load *after);

/** Whether that is so much that what is measured meanwhile is not to be believed.
 *  @param cpus all that there are */
bool measure_is_busy(double others, uint32_t cpus);

struct measure_load measure_read_load(void);

/** Wait for as long as it takes to see whether others run. */
void measure_watch(void);

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

/** Fill memory with one random cycle of pointers, a pointer every `stride` bytes. */
void measure_link(const struct measure_buffer *buffer, size_t stride);

/** The latency in ns of following the cycle on a CPU: MEASURE_FEWEST_RUNS runs more.
 *  @param seconds that a run takes, at least
 *  @return 0, or -1 with errno where a thread cannot be had */
int measure_latency(const struct measure_buffer *buffer, uint32_t os_cpu, double seconds,
                    struct measure_runs *runs);

/** The bandwidth in MiB/s of a thread on each of these CPUs, likewise.  It destroys the cycle.
 *  @param metric one of the bandwidths: reading, writing or copying */
int measure_bandwidth(const struct measure_buffer *buffer, enum numarch_metric metric,
                      const struct measure_cpus *cpus, double seconds, struct measure_runs *runs);

#endif /* NUMARCH_MEASURE_H */
