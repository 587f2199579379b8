/*===-- machine.c - what placing memory needs to know of the machine *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "machine.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mai/process/affinity.h"
#include "mai/process/interpose.h"
#include "kernel.h"
#include "mai/process/message.h"
#include "mai/process/omp_settings.h"
#include "mai/process/restrictions.h"
#include "runtime/heap.h"
#include "runtime/lines.h"
#include "runtime/sort.h"
#include "mai/process/settings.h"
#include "mai/process/start.h"

/* Bytes of a transparent huge page, where the kernel uses them unasked, and on request; else 0. */
static void read_transparent_huge_pages(struct mai_machine *machine) {
  static const char directory[] = "/sys/kernel/mm/transparent_hugepage/";
  char path[sizeof directory + 16];
  char mode[64];
  uint64_t size;
  snprintf(path, sizeof path, "%senabled", directory);
  if (minas_read_line(path, mode, sizeof mode) != 0)
    return;
  bool unasked = strstr(mode, "[always]");
  bool asked = unasked || strstr(mode, "[madvise]");
  snprintf(path, sizeof path, "%shpage_pmd_size", directory);
  if (!asked || !minas_read_number(path, &size))
    return;
  machine->huge_page_size_on_request = size % machine->page_size == 0 ? size : 0;
  machine->huge_page_size = unasked ? machine->huge_page_size_on_request : 0;
}

static size_t read_most_mappings(void) {
  enum { USUAL = 65530 };
  uint64_t most;
  return minas_read_number("/proc/sys/vm/max_map_count", &most) ? most : USUAL;
}

size_t mai_machine_explicit_huge_page_size(void) {
  static const char name[] = "Hugepagesize:";
  struct minas_lines lines;
  uint64_t kib = 0;
  const char *line;
  if (minas_lines_open(&lines, "/proc/meminfo") != 0)
    return 0;
  while ((line = minas_lines_next(&lines))) {
    if (strncmp(line, name, strlen(name)) != 0)
      continue;
    line += strlen(name);
    line += strspn(line, " ");
    if (!minas_scan_number(&line, 10, &kib))
      kib = 0;
  }
  minas_lines_close(&lines);
  return kib * 1024;
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
  machine->nodes = minas_alloc_list(count, sizeof *machine->nodes);
  if (!machine->nodes)
    return -1;
  list_memory_nodes(machine, true);
  machine->several_nodes = machine->node_count > 1;
  machine->node_count = 0;
  list_memory_nodes(machine, false);
  if (machine->node_count == 0)
    list_memory_nodes(machine, true);
  minas_sort(machine->nodes, machine->node_count, sizeof *machine->nodes, compare_nodes);
  return 0;
}

/* Why memory cannot be placed here, or 0. */
static int find_placement_error(const struct mai_machine *machine) {
  if (!numarch_is_this_system(machine->topology)) {
    mai_message("HWLOC_XMLFILE or HWLOC_SYNTHETIC describes another machine: memory is not placed");
    return ENOTSUP;
  }
  if (!mai_survives(MAI_CALLS_OF_PLACING)) {
    mai_message(
        "a filter of system calls (seccomp) ends processes that place memory: it stays where "
        "the kernel puts it");
    return EPERM;
  }
  int error = mai_kernel_probe(machine->page_size);
  if (error)
    mai_message(
        "the kernel does not let this process place memory (mbind: %s), as is usual in containers: "
        "it stays where the kernel puts it; docker run --cap-add SYS_NICE allows it",
        strerrordesc_np(error));
  return error;
}

/* What the process may use, whatever a run-time has bound this thread to. */
static numarch_t *read_topology(void) {
  struct mai_cpu_mask now;
  mai_affinity_determine(mai_omp_binding(mai_interpose_exists("__kmpc_fork_call")));
  bool widened = mai_affinity_get(&now) == 0 && mai_affinity_set(mai_affinity_of_process()) == 0;
  numarch_t *topology = numarch_open(0);
  if (widened)
    mai_affinity_set(&now);
  return topology;
}

static int read_all(struct mai_machine *machine) {
  machine->topology = read_topology();
  if (!machine->topology)
    return -1;
  machine->page_size = (size_t)sysconf(_SC_PAGESIZE);
  machine->most_mappings = read_most_mappings();
  read_transparent_huge_pages(machine);
  machine->watch_only = mai_settings()->watch;
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

static struct mai_machine the_machine; /* constant once the library has started */

const struct mai_machine *mai_machine_read(void) {
  return read_all(&the_machine) == 0 ? &the_machine : NULL;
}

const struct mai_machine *mai_machine(void) { return mai_start() == 0 ? &the_machine : NULL; }

bool mai_machine_places(const struct mai_machine *machine) {
  return machine->several_nodes && !machine->placement_error && !machine->watch_only &&
         !mai_is_restricted();
}

bool mai_machine_has_node(const struct mai_machine *machine, uint32_t node) {
  uint32_t index = numarch_node_by_os_index(machine->topology, node);
  return index != NUMARCH_NONE && numarch_get_node(machine->topology, index)->memory_total;
}
