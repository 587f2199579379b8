/*===-- open.c - make and free a machine -----------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build.h"
#include "runtime/heap.h"
#include "runtime/rights.h"
#include "start.h"

int numarch_build_discovered(struct numarch *machine, unsigned flags,
                             int (*build)(struct numarch *, const struct numarch_discovery *)) {
  struct numarch_discovery found;
  if (numarch_discover(&found, flags) != 0)
    return -1;
  int result = build(machine, &found);
  int error = errno;
  numarch_discovery_free(&found);
  errno = error;
  return result;
}

static int build_all(struct numarch *machine, const struct numarch_discovery *found) {
  machine->is_this_system = hwloc_topology_is_thissystem(found->topology);
  machine->may_have_speeds = true;
  if (numarch_build_cpus(machine, found) != 0 || numarch_build_nodes(machine, found) != 0 ||
      numarch_build_details(machine, found) != 0)
    return -1;
  return numarch_build_memory(machine, found);
}

int numarch_build_by_hwloc(struct numarch *machine, unsigned flags) {
  return numarch_build_discovered(machine, flags, build_all);
}

/* What the files of other architectures mean, hwloc knows. */
#ifdef __x86_64__
static const bool files_are_known = true;
#else
static const bool files_are_known = false;
#endif

/* hwloc reads, and loads, what these name, and others have no way to keep it from that.  As the C
   library does with variables of its own, they are taken out of the environment. */
__attribute__((constructor(101))) static void forget_variables(int count, char **arguments,
                                                               char **environment) {
  (void)count;
  (void)arguments;
  if (!environment || !minas_has_others_rights())
    return;
  char **kept = environment;
  for (char **variable = environment; *variable; variable++)
    if (strncmp(*variable, "HWLOC_", strlen("HWLOC_")) != 0)
      *kept++ = *variable;
  *kept = NULL;
}

static bool is_asked_for_another(void) {
  for (char **variable = environ; variable && *variable; variable++)
    if (strncmp(*variable, "HWLOC_", strlen("HWLOC_")) == 0)
      return true;
  return false;
}

/* Where other threads run, some may be bound to other CPUs. */
static bool build_start(struct numarch *machine, unsigned flags) {
  return files_are_known && NUMARCH_SINGLE_THREADED && !is_asked_for_another() &&
         numarch_build_start(machine, "/sys/devices/system", flags & NUMARCH_WHOLE_MACHINE);
}

numarch_t *numarch_open(unsigned flags) {
  if (flags & ~NUMARCH_WHOLE_MACHINE) {
    errno = EINVAL;
    return NULL;
  }
  struct numarch *machine = calloc(1, sizeof *machine);
  if (!machine || build_start(machine, flags) || numarch_build_by_hwloc(machine, flags) == 0)
    return machine;
  int error = errno;
  numarch_close(machine);
  errno = error;
  return NULL;
}

void numarch_start_free(struct numarch *machine) {
  minas_free(machine->node_cpus);
  minas_free(machine->distances_told);
  minas_free(machine->distances);
  minas_free(machine->cpus);
  minas_free(machine->nodes);
}

void numarch_close(numarch_t *machine) {
  if (!machine)
    return;
  numarch_details_free(machine->details);
  numarch_start_free(machine);
  free(machine);
}
