/*===-- measured.c - numarch, with measurements of its own ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * In place of what asks clocks: `numarch --measure` gets times from here, and MEASURED says how the
 * machine behaves meanwhile:
 *
 *     quiet        runs agree, and nobody else runs (unset: this)
 *     noisy        each second run takes three times as long
 *     interrupted  threads lose their CPUs in all runs but two
 *     busy         other programs keep one and a half CPUs busy
 *     busy-once    the same, but only until something is measured a second time
 *     one          runs of copying disagree, all others do not
 */
#include <stdlib.h>
#include <string.h>

#include "numarch/tool/measure.h"

static unsigned readings;

static bool is(const char *behaviour) {
  const char *wanted = getenv("MEASURED");
  return strcmp(wanted ? wanted : "quiet", behaviour) == 0;
}

static bool is_noisy(enum numarch_metric metric) {
  return is("noisy") || (is("one") && metric == NUMARCH_COPY_BANDWIDTH);
}

static void add_runs(struct measure_runs *runs, enum numarch_metric metric, double value) {
  for (unsigned i = 0; i < MEASURE_FEWEST_RUNS; i++) {
    if (is("interrupted") && i >= 2)
      runs->disturbed++;
    else if (runs->count < MEASURE_MOST_RUNS)
      runs->values[runs->count++] = (is_noisy(metric) && i % 2 ? 3 : 1) * value + i;
  }
  if (is("interrupted"))
    runs->count = 2;
}

void measure_link(const struct measure_buffer *buffer, size_t stride) {
  (void)buffer;
  (void)stride;
}

int measure_latency(const struct measure_buffer *buffer, uint32_t os_cpu, double seconds,
                    struct measure_runs *runs) {
  (void)buffer;
  (void)os_cpu;
  (void)seconds;
  add_runs(runs, NUMARCH_LATENCY, 100);
  return 0;
}

int measure_bandwidth(const struct measure_buffer *buffer, enum numarch_metric metric,
                      const struct measure_cpus *cpus, double seconds, struct measure_runs *runs) {
  (void)buffer;
  (void)seconds;
  add_runs(runs, metric, 5000.0 * cpus->count);
  return 0;
}

/* Ten seconds from one reading to the next.  The first two are from before anything is measured. */
struct measure_load measure_read_load(void) {
  bool busy = is("busy") || (is("busy-once") && readings < 4);
  struct measure_load load = {
      .known = true, .seconds = 10.0 * readings, .own = 9.0 * readings, .busy = 9.0 * readings};
  load.busy += busy ? 15.0 * readings : 15.0 * 3;
  readings++;
  return load;
}

void measure_watch(void) {}
