/*===-- machine.c - what the machine has, and what of it is ours --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "doctor.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>

#include "numarch.h"

static const char one_node[] =
    "threads can be pinned (mai-run -m, mai-map), and what several nodes would change can be seen: "
    "mai-trace report --nodes 4; to try placement, a virtual machine with nodes: numactl(8) and "
    "QEMU's -numa";

static uint64_t memory_of(const numarch_t *machine) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < numarch_node_count(machine); i++)
    bytes += numarch_get_node(machine, i)->memory_total;
  return bytes;
}

static uint32_t allowed_cpus(const numarch_t *machine) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < numarch_cpu_count(machine); i++)
    count += numarch_get_cpu(machine, i)->allowed;
  return count;
}

static uint32_t allowed_nodes(const numarch_t *machine) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < numarch_node_count(machine); i++)
    count += numarch_get_node(machine, i)->allowed;
  return count;
}

static const char *plural(uint32_t count) { return count == 1 ? "" : "s"; }

static void tell_what_there_is(struct doctor *doctor, const numarch_t *machine) {
  uint32_t nodes = numarch_node_count(machine), cpus = numarch_cpu_count(machine);
  uint32_t cores = numarch_core_count(machine), packages = numarch_package_count(machine);
  doctor_tell(doctor, "machine",
              "%" PRIu32 " node%s, %" PRIu32 " package%s, %" PRIu32 " core%s, %" PRIu32
              " CPU%s, %.1f GiB",
              nodes, plural(nodes), packages, plural(packages), cores, plural(cores), cpus,
              plural(cpus), (double)memory_of(machine) / (1 << 30));
}

/* The pair of nodes that are farthest from each other tells where distances come from. */
static enum numarch_source source_of_distances(const numarch_t *machine) {
  return numarch_factor_source(machine, 0, numarch_node_count(machine) - 1);
}

static void tell_distances(struct doctor *doctor, const numarch_t *machine) {
  static const char *const sources[] = {"measured", "told by the firmware (HMAT)",
                                        "told by the firmware (SLIT)", "assumed", "not known"};
  if (doctor->one_node) {
    doctor_tell(doctor, "distance", "none: all memory is equally far");
    doctor_find(doctor, "one-node", one_node,
                "this machine has one node: there is nothing to place");
    return;
  }
  enum numarch_source source = source_of_distances(machine);
  doctor_tell(doctor, "distance", "other nodes' memory takes up to %.1f times as long, %s",
              numarch_max_factor(machine), sources[source]);
  if (source == NUMARCH_ASSUMED)
    doctor_find(doctor, "distances-assumed", "numarch --measure=quick measures and keeps them",
                "nobody tells how far the nodes are from one another");
}

static void tell_what_is_ours(struct doctor *doctor, const numarch_t *machine) {
  uint32_t nodes = numarch_node_count(machine), cpus = numarch_cpu_count(machine);
  uint32_t our_nodes = allowed_nodes(machine), our_cpus = allowed_cpus(machine);
  doctor_tell(doctor, "allowed",
              "memory of %" PRIu32 " of %" PRIu32 " nodes, %" PRIu32 " of %" PRIu32 " CPUs",
              our_nodes, nodes, our_cpus, cpus);
  if (our_cpus < cpus || our_nodes < nodes)
    doctor_find(doctor, "cpuset",
                "ask for whole nodes (srun --exclusive, docker --cpuset-cpus and --cpuset-mems), "
                "or leave taskset and numactl away; else MAi keeps to what is allowed",
                "this process may use a part of the machine only (taskset, cpuset, cgroup)");
}

/* A node that has next to nothing left gets none of the pages that belong there. */
static void find_full_nodes(struct doctor *doctor, const numarch_t *machine) {
  static const uint64_t least_percent = 3;
  for (uint32_t i = 0; i < numarch_node_count(machine); i++) {
    const struct numarch_node *node = numarch_get_node(machine, i);
    int64_t left = numarch_memory_free(machine, i);
    if (left < 0 || node->memory_total == 0 ||
        (uint64_t)left >= node->memory_total / 100 * least_percent)
      continue;
    doctor_find(doctor, "full-node",
                "numastat -m shows who has it; as root, echo 1 > /proc/sys/vm/drop_caches gives "
                "cached files up",
                "of the %.1f GiB of node %" PRIu32 " only %.0f MiB are free: pages go elsewhere",
                (double)node->memory_total / (1 << 30), node->os_index, (double)left / (1 << 20));
  }
}

int doctor_look_at_machine(struct doctor *doctor) {
  numarch_t *machine = numarch_open(NUMARCH_WHOLE_MACHINE);
  if (!machine)
    return -1;
  doctor->one_node = numarch_node_count(machine) == 1;
  tell_what_there_is(doctor, machine);
  tell_distances(doctor, machine);
  tell_what_is_ours(doctor, machine);
  find_full_nodes(doctor, machine);
  numarch_close(machine);
  return 0;
}
