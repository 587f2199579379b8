/*===-- print_text.c - a machine as tables for people -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Nodes and CPUs carry the numbers that the kernel gives them, as everywhere else on the system.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tool.h"

enum { BYTES_TEXT_SIZE = 32 };

/* "1.25 MiB": four digits are enough for people. */
static const char *format_bytes(uint64_t bytes, char text[BYTES_TEXT_SIZE]) {
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes == 0)
    return "none";
  unsigned unit = 0;
  while (bytes >> (10 * unit) >= 1024)
    unit++;
  double scale = (double)(UINT64_C(1) << (10 * unit));
  snprintf(text, BYTES_TEXT_SIZE, "%.4g %s", (double)bytes / scale, units[unit]);
  return text;
}

/* CPUs to be printed, by OS index: there is room for all of the machine. */
struct cpu_list {
  const numarch_t *machine;
  uint32_t count;
  uint32_t *os_indices;
};

static void append_cpu(struct cpu_list *list, uint32_t cpu) {
  list->os_indices[list->count++] = numarch_get_cpu(list->machine, cpu)->os_index;
}

static int compare_indices(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left;
  uint32_t b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

/* Print the list as ranges, "0-3,8-11", end the line, and empty the list. */
static void print_cpus(struct cpu_list *list) {
  const uint32_t *cpus = list->os_indices;
  qsort(list->os_indices, list->count, sizeof *cpus, compare_indices);
  uint32_t end = 0;
  for (uint32_t first = 0; first < list->count; first = end) {
    for (end = first + 1; end < list->count && cpus[end] == cpus[end - 1] + 1;)
      end++;
    printf("%s%" PRIu32, first ? "," : "", cpus[first]);
    if (end > first + 1)
      printf("-%" PRIu32, cpus[end - 1]);
  }
  puts(list->count ? "" : "none");
  list->count = 0;
}

static void print_summary(const numarch_t *machine, const char *variable, bool whole) {
  if (variable)
    printf("Machine      described by %s\n", variable);
  else
    printf("Machine      %s\n",
           numarch_is_this_system(machine) ? "running" : "not the running one");
  printf("Shown        %s\n", whole ? "all" : "what this process may use");
  printf("Packages     %" PRIu32 "\n", numarch_package_count(machine));
  printf("Nodes        %" PRIu32 "\n", numarch_node_count(machine));
  printf("Cores        %" PRIu32 "\n", numarch_core_count(machine));
  printf("CPUs         %" PRIu32 "\n", numarch_cpu_count(machine));
  printf("NUMA factor  %.2f\n", numarch_max_factor(machine));
}

static void print_packages(const numarch_t *machine, struct cpu_list *list) {
  puts("\nPackage  CPUs");
  for (uint32_t package = 0; package < numarch_package_count(machine); package++) {
    for (uint32_t cpu = 0; cpu < numarch_cpu_count(machine); cpu++)
      if (numarch_get_cpu(machine, cpu)->package == package)
        append_cpu(list, cpu);
    printf("%7" PRIu32 "  ", package);
    print_cpus(list);
  }
}

static void print_nodes(const numarch_t *machine, struct cpu_list *list) {
  puts("\nNode      Memory        Free  CPUs");
  for (uint32_t i = 0; i < numarch_node_count(machine); i++) {
    const struct numarch_node *node = numarch_get_node(machine, i);
    int64_t available = numarch_memory_free(machine, i);
    char total[BYTES_TEXT_SIZE];
    char rest[BYTES_TEXT_SIZE];
    printf("%4" PRIu32 "  %10s  %10s  ", node->os_index, format_bytes(node->memory_total, total),
           available < 0 ? "unknown" : format_bytes((uint64_t)available, rest));
    for (uint32_t cpu = 0; cpu < node->cpu_count; cpu++)
      append_cpu(list, node->cpus[cpu]);
    print_cpus(list);
  }
}

static bool alike(const struct numarch_cache *a, const struct numarch_cache *b) {
  return a->level == b->level && a->kind == b->kind && a->size == b->size &&
         a->line_size == b->line_size && a->cpu_count == b->cpu_count;
}

/* How many caches from `first` on are alike.  A line stands for each such row of them. */
static uint32_t count_alike(const numarch_t *machine, uint32_t first) {
  uint32_t count = 1;
  while (first + count < numarch_cache_count(machine) &&
         alike(numarch_get_cache(machine, first), numarch_get_cache(machine, first + count)))
    count++;
  return count;
}

static void print_caches(const numarch_t *machine) {
  static const char *const suffixes[] = {
      [NUMARCH_CACHE_UNIFIED] = "", [NUMARCH_CACHE_DATA] = "d", [NUMARCH_CACHE_INSTRUCTION] = "i"};
  if (numarch_cache_count(machine) > 0)
    puts("\nCache        Size   Line  Number  CPUs that share one");
  uint32_t count = 0;
  for (uint32_t i = 0; i < numarch_cache_count(machine); i += count) {
    const struct numarch_cache *cache = numarch_get_cache(machine, i);
    count = count_alike(machine, i);
    char name[16];
    char size[BYTES_TEXT_SIZE];
    char line[BYTES_TEXT_SIZE];
    snprintf(name, sizeof name, "L%" PRIu32 "%s", cache->level, suffixes[cache->kind]);
    printf("%-5s  %10s  %5s  %6" PRIu32 "  %19" PRIu32 "\n", name,
           cache->size ? format_bytes(cache->size, size) : "unknown",
           cache->line_size ? format_bytes(cache->line_size, line) : "-", count, cache->cpu_count);
  }
}

/* The digits of the greatest number in the table of distances. */
static int distance_width(const numarch_t *machine) {
  uint32_t greatest = 0;
  for (uint32_t i = 0; i < numarch_node_count(machine); i++) {
    uint32_t os_index = numarch_get_node(machine, i)->os_index;
    greatest = os_index > greatest ? os_index : greatest;
    for (uint32_t j = 0; j < numarch_node_count(machine); j++) {
      uint32_t distance = numarch_distance(machine, i, j);
      greatest = distance > greatest ? distance : greatest;
    }
  }
  return snprintf(NULL, 0, "%" PRIu32, greatest);
}

static void print_distances(const numarch_t *machine) {
  uint32_t nodes = numarch_node_count(machine);
  int width = distance_width(machine);
  puts("\nDistance from the CPUs of a node (row) to the memory of a node (column)");
  printf("%*s", width, "");
  for (uint32_t to = 0; to < nodes; to++)
    printf("  %*" PRIu32, width, numarch_get_node(machine, to)->os_index);
  putchar('\n');
  for (uint32_t from = 0; from < nodes; from++) {
    printf("%*" PRIu32, width, numarch_get_node(machine, from)->os_index);
    for (uint32_t to = 0; to < nodes; to++)
      printf("  %*" PRIu32, width, numarch_distance(machine, from, to));
    putchar('\n');
  }
}

int print_text(const numarch_t *machine, const char *variable, bool whole) {
  uint32_t *os_indices = calloc(numarch_cpu_count(machine), sizeof *os_indices);
  if (!os_indices)
    return -1;
  struct cpu_list list = {.machine = machine, .os_indices = os_indices};
  print_summary(machine, variable, whole);
  print_packages(machine, &list);
  print_nodes(machine, &list);
  print_caches(machine);
  print_distances(machine);
  free(os_indices);
  return 0;
}
