/*===-- details.c - what is read when somebody asks -------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Threads that ask at once may read at once: the first that is ready hands over what all of them
 * see.  So no thread waits for another, whatever that one is interrupted by.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "build.h"
#include "measurement.h"

void numarch_details_free(struct numarch_details *details) {
  if (!details)
    return;
  for (int metric = 0; metric < NUMARCH_METRICS; metric++) {
    free(details->measured[metric]);
    free(details->firmware[metric]);
  }
  free(details->measurement_problem);
  free(details->measurement_path);
  free(details->cache_cpus);
  free(details->caches);
  free(details);
}

static struct numarch_details *read_details(const struct numarch *machine,
                                            hwloc_topology_t topology) {
  struct numarch_details *details = calloc(1, sizeof *details);
  if (details && numarch_build_caches(details, machine, topology) == 0 &&
      numarch_build_firmware(details, machine, topology) == 0 &&
      numarch_build_measured(details, machine, topology) == 0)
    return details;
  numarch_details_free(details);
  return NULL;
}

int numarch_build_details(struct numarch *machine, const struct numarch_discovery *found) {
  struct numarch_details *details = read_details(machine, found->topology);
  struct numarch_details *others = NULL;
  if (!details)
    return -1;
  if (!atomic_compare_exchange_strong(&machine->details, &others, details))
    numarch_details_free(details);
  return 0;
}

const struct numarch_details *numarch_details(const struct numarch *machine) {
  static const struct numarch_details nothing;
  int error = errno;
  /* Nobody has a machine but from numarch_open(), which made it to be changed. */
  if (!atomic_load(&machine->details) &&
      numarch_build_discovered((struct numarch *)machine, NUMARCH_WHOLE_MACHINE,
                               numarch_build_details) != 0)
    return &nothing;
  errno = error;
  return atomic_load(&machine->details);
}

const struct numarch_details *numarch_speeds(const struct numarch *machine) {
  static const struct numarch_details nothing;
  return machine->may_have_speeds ? numarch_details(machine) : &nothing;
}
