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
#include "kernel.h"
#include "message.h"
#include "openmp.h"

/* The first line of a file in /sys; false when it cannot be read. */
static bool read_line(const char *path, char *line, size_t size) {
  FILE *file = fopen(path, "re");
  if (!file)
    return false;
  bool read = fgets(line, (int)size, file);
  fclose(file);
  return read;
}

/* Bytes of a transparent huge page, where the kernel uses them unasked, and on request; else 0. */
static void read_transparent_huge_pages(struct mai_machine *machine) {
  static const char directory[] = "/sys/kernel/mm/transparent_hugepage/";
  char path[sizeof directory + 16];
  char mode[64];
  char line[64];
  snprintf(path, sizeof path, "%senabled", directory);
  if (!read_line(path, mode, sizeof mode))
    return;
  bool unasked = strstr(mode, "[always]");
  bool asked = unasked || strstr(mode, "[madvise]");
  snprintf(path, sizeof path, "%shpage_pmd_size", directory);
  if (!asked || !read_line(path, line, sizeof line))
    return;
  unsigned long size = strtoul(line, NULL, 10);
  machine->huge_page_size_on_request = size % machine->page_size == 0 ? size : 0;
  machine->huge_page_size = unasked ? machine->huge_page_size_on_request : 0;
}

size_t mai_machine_explicit_huge_page_size(void) {
  FILE *file = fopen("/proc/meminfo", "re");
  char line[128];
  unsigned long kilobytes = 0;
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "Hugepagesize: %lu kB", &kilobytes) == 1)
      break;
  if (file)
    fclose(file);
  return kilobytes * 1024;
}

static int compare_nodes(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left;
  uint32_t b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

/* Lists nodes with memory, and those of GPUs only with `gpus`. */
static void list_memory_nodes(struct mai_machine *machine, bool gpus) {
  for (uint32_t i = 0; i < numarch_node_count(machine->topology); i++) {
    const struct numarch_node *node = numarch_get_node(machine->topology, i);
    bool wanted = gpus || node->memory_kind != NUMARCH_MEMORY_GPU;
    if (node->memory_total && wanted)
      machine->nodes[machine->node_count++] = node->os_index;
  }
}

/* Memory of GPUs is used unasked only where there is no other. */
static int choose_memory_nodes(struct mai_machine *machine) {
  uint32_t count = numarch_node_count(machine->topology);
  machine->nodes = calloc(count, sizeof *machine->nodes);
  if (!machine->nodes)
    return -1;
  list_memory_nodes(machine, true);
  machine->several_nodes = machine->node_count > 1;
  machine->node_count = 0;
  list_memory_nodes(machine, false);
  if (machine->node_count == 0)
    list_memory_nodes(machine, true);
  qsort(machine->nodes, machine->node_count, sizeof *machine->nodes, compare_nodes);
  return 0;
}

/* Why memory cannot be placed here, or 0. */
static int find_placement_error(const struct mai_machine *machine) {
  if (!numarch_is_this_system(machine->topology)) {
    mai_message("HWLOC_XMLFILE or HWLOC_SYNTHETIC describes another machine: memory is not placed");
    return ENOTSUP;
  }
  int error = mai_kernel_probe(machine->page_size);
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
  numarch_t *topology = numarch_open(NUMARCH_QUICK);
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
  read_transparent_huge_pages(machine);
  machine->watch_only = mai_environment_flag("MAI_WATCH");
  if (choose_memory_nodes(machine) != 0) {
    numarch_close(machine->topology);
    return -1;
  }
  if (machine->several_nodes && !machine->watch_only)
    machine->placement_error = find_placement_error(machine);
  machine->interleave_mask = SIZE_MAX;
  if (mai_machine_places(machine) && machine->node_count >= MAI_INTERLEAVE_PROBE_NODES)
    machine->interleave_mask = mai_kernel_interleave_mask(machine->page_size, machine->nodes);
  return 0;
}

bool mai_machine_places(const struct mai_machine *machine) {
  return machine->several_nodes && !machine->placement_error && !machine->watch_only;
}

bool mai_machine_has_node(const struct mai_machine *machine, uint32_t node) {
  uint32_t index = numarch_node_by_os_index(machine->topology, node);
  return index != NUMARCH_NONE && numarch_get_node(machine->topology, index)->memory_total;
}
