/*===-- open.c - make and free a machine -----------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <errno.h>
#include <stdlib.h>

#include "build.h"
#include "measurement.h"
#include "quick.h"

static int build(struct numarch *machine, const struct numarch_discovery *found) {
  machine->is_this_system = hwloc_topology_is_thissystem(found->topology);
  if (numarch_build_cpus(machine, found) != 0 || numarch_build_nodes(machine, found) != 0 ||
      numarch_build_firmware(machine, found) != 0 || numarch_build_measured(machine, found) != 0)
    return -1;
  return numarch_build_memory(machine, found);
}

static numarch_t *read_with_hwloc(unsigned flags) {
  struct numarch_discovery found;
  if (numarch_discover(&found, flags) != 0)
    return NULL;
  struct numarch *machine = calloc(1, sizeof *machine);
  int result = machine ? build(machine, &found) : -1;
  int error = errno;
  numarch_discovery_free(&found);
  if (result == 0)
    return machine;
  numarch_close(machine);
  errno = error;
  return NULL;
}

numarch_t *numarch_open(unsigned flags) {
  if (flags & ~(NUMARCH_WHOLE_MACHINE | NUMARCH_QUICK)) {
    errno = EINVAL;
    return NULL;
  }
  numarch_t *read = flags == NUMARCH_QUICK ? numarch_read_quickly() : NULL;
  return read ? read : read_with_hwloc(flags & NUMARCH_WHOLE_MACHINE);
}

void numarch_close(numarch_t *machine) {
  if (!machine)
    return;
  for (int metric = 0; metric < NUMARCH_METRICS; metric++) {
    free(machine->measured[metric]);
    free(machine->firmware[metric]);
  }
  free(machine->measurement_problem);
  free(machine->measurement_path);
  free(machine->node_cpus);
  free(machine->cpu_numbers);
  free(machine->distances_told);
  free(machine->distances);
  free(machine->caches);
  free(machine->cpus);
  free(machine->nodes);
  free(machine);
}
