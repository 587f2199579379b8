/*===-- machine.c - what placing memory needs to know of the machine *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "affinity.h"
#include "message.h"
#include "openmp.h"
#include "placer.h"

/* The first line of a file in /sys; false when it cannot be read. */
static bool read_line(const char *path, char *line, size_t size) {
  FILE *file = fopen(path, "re");
  if (!file)
    return false;
  bool read = fgets(line, (int)size, file);
  fclose(file);
  return read;
}

static size_t transparent_huge_page_size(size_t page_size) {
  static const char directory[] = "/sys/kernel/mm/transparent_hugepage/";
  char path[sizeof directory + 16];
  char line[64];
  snprintf(path, sizeof path, "%senabled", directory);
  if (!read_line(path, line, sizeof line) || !strstr(line, "[always]"))
    return 0;
  snprintf(path, sizeof path, "%shpage_pmd_size", directory);
  if (!read_line(path, line, sizeof line))
    return 0;
  unsigned long size = strtoul(line, NULL, 10);
  return size % page_size == 0 ? size : 0;
}

static int compare_nodes(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left;
  uint32_t b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

static int list_memory_nodes(struct mai_machine *machine) {
  uint32_t count = numarch_node_count(machine->topology);
  machine->nodes = calloc(count, sizeof *machine->nodes);
  if (!machine->nodes)
    return -1;
  for (uint32_t i = 0; i < count; i++) {
    const struct numarch_node *node = numarch_get_node(machine->topology, i);
    if (node->memory_total)
      machine->nodes[machine->node_count++] = node->os_index;
  }
  qsort(machine->nodes, machine->node_count, sizeof *machine->nodes, compare_nodes);
  return 0;
}

/* Why memory cannot be placed here, or 0. */
static int find_placement_error(const struct mai_machine *machine) {
  if (!numarch_is_this_system(machine->topology)) {
    mai_message("HWLOC_XMLFILE or HWLOC_SYNTHETIC describes another machine: memory is not placed");
    return ENOTSUP;
  }
  int error = mai_placer_probe(machine->page_size);
  if (error)
    mai_message(
        "the kernel does not let this process place memory (%s), as is usual in containers: "
        "it stays where the kernel puts it; docker run --cap-add SYS_NICE allows it",
        strerror(error));
  return error;
}

/* What the process may use, whatever a run-time has bound this thread to. */
static numarch_t *read_topology(void) {
  struct mai_cpu_mask now;
  mai_affinity_settle(mai_openmp_binding_variable());
  bool widened = mai_affinity_get(&now) == 0 && mai_affinity_set(mai_affinity_of_process()) == 0;
  numarch_t *topology = numarch_open(0);
  if (widened)
    mai_affinity_set(&now);
  return topology;
}

int mai_machine_read(struct mai_machine *machine) {
  memset(machine, 0, sizeof *machine);
  machine->topology = read_topology();
  if (!machine->topology)
    return -1;
  machine->page_size = (size_t)sysconf(_SC_PAGESIZE);
  machine->huge_page_size = transparent_huge_page_size(machine->page_size);
  machine->watch_only = mai_environment_flag("MAI_WATCH");
  if (list_memory_nodes(machine) != 0) {
    numarch_close(machine->topology);
    return -1;
  }
  if (machine->node_count > 1 && !machine->watch_only)
    machine->placement_error = find_placement_error(machine);
  machine->interleave_mask = SIZE_MAX;
  if (mai_machine_places(machine) && machine->node_count >= MAI_INTERLEAVE_PROBE_NODES)
    machine->interleave_mask = mai_placer_interleave_mask(machine->page_size, machine->nodes);
  return 0;
}

bool mai_machine_places(const struct mai_machine *machine) {
  return machine->node_count > 1 && !machine->placement_error && !machine->watch_only;
}

bool mai_machine_has_node(const struct mai_machine *machine, uint32_t node) {
  return bsearch(&node, machine->nodes, machine->node_count, sizeof node, compare_nodes);
}
