/*===-- cpus.c - CPUs, cores and packages ----------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <errno.h>
#include <stdlib.h>

#include "build.h"
#include "runtime/heap.h"

int numarch_number_cpus(struct numarch *machine, const struct numarch_place *places,
                        uint32_t count) {
  if (count == 0) {
    errno = EINVAL;
    return -1;
  }
  machine->cpus = minas_alloc_list(count, sizeof *machine->cpus);
  if (!machine->cpus)
    return -1;
  for (uint32_t i = 0; i < count; i++) {
    bool new_core = i == 0 || places[i].core != places[i - 1].core;
    machine->core_count += new_core;
    machine->package_count += i == 0 || places[i].package != places[i - 1].package;
    machine->cpus[i] = (struct numarch_cpu){
        .os_index = places[i].os_index,
        .core = machine->core_count - 1,
        .smt = new_core ? 0 : machine->cpus[i - 1].smt + 1,
        .package = machine->package_count - 1,
    };
  }
  machine->cpu_count = count;
  return 0;
}

/* A CPU that hwloc knows no core of is a core by itself.  Those that it knows no package of, as on
   some ARM machines, are one package together. */
static struct numarch_place place_of(hwloc_topology_t topology, hwloc_obj_t cpu) {
  hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, cpu);
  hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, cpu);
  return (struct numarch_place){.os_index = cpu->os_index,
                                .core = (core ? core : cpu)->gp_index,
                                .package = package ? package->gp_index : UINT64_MAX};
}

int numarch_build_cpus(struct numarch *machine, const struct numarch_discovery *found) {
  size_t capacity = (uint32_t)hwloc_get_nbobjs_by_type(found->topology, HWLOC_OBJ_PU);
  struct numarch_place *places = calloc(capacity, sizeof *places);
  if (!places)
    return -1;
  uint32_t count = 0;
  hwloc_obj_t cpu = NULL;
  while ((cpu = hwloc_get_next_obj_by_type(found->topology, HWLOC_OBJ_PU, cpu))) {
    if (!hwloc_bitmap_isset(found->cpus, cpu->os_index))
      continue;
    hwloc_bitmap_clr(found->cpus, cpu->os_index); /* once: a broken file may name a CPU twice */
    places[count++] = place_of(found->topology, cpu);
  }
  /* The description of another machine may have no CPU that this process is bound to. */
  int result = numarch_number_cpus(machine, places, count);
  free(places);
  return result;
}
