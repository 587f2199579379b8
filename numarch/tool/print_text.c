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

/* CPUs or nodes to be printed, by OS index: there is room for all of the machine. */
struct index_list {
  const numarch_t *machine;
  uint32_t count;
  uint32_t *os_indices;
};

static void append_cpu(struct index_list *list, uint32_t cpu) {
  list->os_indices[list->count++] = numarch_get_cpu(list->machine, cpu)->os_index;
}

static void append_node(struct index_list *list, uint32_t node) {
  list->os_indices[list->count++] = numarch_get_node(list->machine, node)->os_index;
}

static int compare_indices(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left;
  uint32_t b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

/* Print the list as ranges, "0-3,8-11", and empty it. */
static void print_list(struct index_list *list) {
  const uint32_t *indices = list->os_indices;
  qsort(list->os_indices, list->count, sizeof *indices, compare_indices);
  uint32_t end = 0;
  for (uint32_t first = 0; first < list->count; first = end) {
    for (end = first + 1; end < list->count && indices[end] == indices[end - 1] + 1;)
      end++;
    printf("%s%" PRIu32, first ? "," : "", indices[first]);
    if (end > first + 1)
      printf("-%" PRIu32, indices[end - 1]);
  }
  if (list->count == 0)
    fputs("none", stdout);
  list->count = 0;
}

static void list_allowed_cpus(struct index_list *list) {
  for (uint32_t cpu = 0; cpu < numarch_cpu_count(list->machine); cpu++)
    if (numarch_get_cpu(list->machine, cpu)->allowed)
      append_cpu(list, cpu);
}

static bool is_allowed_memory(const struct numarch_node *node) {
  return node->allowed && node->memory_total > 0;
}

static void list_allowed_memory(struct index_list *list) {
  for (uint32_t node = 0; node < numarch_node_count(list->machine); node++)
    if (is_allowed_memory(numarch_get_node(list->machine, node)))
      append_node(list, node);
}

/* The other view: affinity, cpuset and memory policy leave a process a part of the machine. */
static void print_allowed(struct index_list *list) {
  if (is_all_allowed(list->machine)) {
    puts("May use      all of it");
    return;
  }
  fputs("May use      CPUs ", stdout);
  list_allowed_cpus(list);
  print_list(list);
  fputs("; memory of nodes ", stdout);
  list_allowed_memory(list);
  print_list(list);
  putchar('\n');
}

static void print_summary(const struct shown *shown, struct index_list *list) {
  const numarch_t *machine = shown->machine;
  if (shown->variable)
    printf("Machine      described by %s\n", shown->variable);
  else
    printf("Machine      %s\n",
           numarch_is_this_system(machine) ? "running" : "not the running one");
  printf("Shown        %s\n", shown->whole ? "all" : "what this process may use");
  print_allowed(list);
  printf("Packages     %" PRIu32 "\n", numarch_package_count(machine));
  printf("Nodes        %" PRIu32 "\n", numarch_node_count(machine));
  printf("Cores        %" PRIu32 "\n", numarch_core_count(machine));
  printf("CPUs         %" PRIu32 "\n", numarch_cpu_count(machine));
  printf("NUMA factor  %.2f (%s)\n", numarch_max_factor(machine),
         source_name(max_factor_source(machine)));
}

static void print_packages(const numarch_t *machine, struct index_list *list) {
  puts("\nPackage  CPUs");
  for (uint32_t package = 0; package < numarch_package_count(machine); package++) {
    for (uint32_t cpu = 0; cpu < numarch_cpu_count(machine); cpu++)
      if (numarch_get_cpu(machine, cpu)->package == package)
        append_cpu(list, cpu);
    printf("%7" PRIu32 "  ", package);
    print_list(list);
    putchar('\n');
  }
}

static void print_node(const numarch_t *machine, uint32_t index, struct index_list *list) {
  const struct numarch_node *node = numarch_get_node(machine, index);
  int64_t available = numarch_memory_free(machine, index);
  char total[BYTES_TEXT_SIZE];
  char rest[BYTES_TEXT_SIZE];
  char kind[BYTES_TEXT_SIZE];
  snprintf(kind, sizeof kind, "%s%s", node->memory_total > 0 ? kind_name(node->memory_kind) : "-",
           node->memory_kind_guessed ? "?" : "");
  printf("%4" PRIu32 "%c %10s  %10s  %4" PRIu32 "  %-8s  ", node->os_index,
         node->allowed ? ' ' : '*', format_bytes(node->memory_total, total),
         available < 0 ? "unknown" : format_bytes((uint64_t)available, rest), node->memory_tier,
         kind);
  for (uint32_t cpu = 0; cpu < node->cpu_count; cpu++)
    append_cpu(list, node->cpus[cpu]);
  print_list(list);
  putchar('\n');
}

static void print_nodes(const numarch_t *machine, struct index_list *list) {
  bool starred = false;
  bool guessed = false;
  puts("\nNode      Memory        Free  Tier  Kind      CPUs");
  for (uint32_t i = 0; i < numarch_node_count(machine); i++) {
    print_node(machine, i, list);
    starred = starred || !numarch_get_node(machine, i)->allowed;
    guessed = guessed || numarch_get_node(machine, i)->memory_kind_guessed;
  }
  if (starred)
    puts("* not for this process");
  if (guessed)
    puts("? guessed");
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
  if (numarch_cache_count(machine) > 0)
    puts("\nCache        Size   Line  Number  CPUs that share one");
  uint32_t count = 0;
  for (uint32_t i = 0; i < numarch_cache_count(machine); i += count) {
    const struct numarch_cache *cache = numarch_get_cache(machine, i);
    count = count_alike(machine, i);
    char name[CACHE_NAME_SIZE];
    char size[BYTES_TEXT_SIZE];
    char line[BYTES_TEXT_SIZE];
    printf("%-5s  %10s  %5s  %6" PRIu32 "  %19" PRIu32 "\n", format_cache(cache, name),
           cache->size ? format_bytes(cache->size, size) : "unknown",
           cache->line_size ? format_bytes(cache->line_size, line) : "-", count, cache->cpu_count);
  }
}

/*===-- Matrices -----------------------------------------------------------===*/

/* A value of each pair of nodes, 0: none. */
struct matrix {
  const char *title;
  const numarch_t *machine;
  double (*value)(const struct matrix *matrix, uint32_t from, uint32_t to);
  enum numarch_source source;
  enum numarch_metric metric;
  int decimals;
};

static double distance_value(const struct matrix *matrix, uint32_t from, uint32_t to) {
  return numarch_distance(matrix->machine, from, to);
}

static double factor_value(const struct matrix *matrix, uint32_t from, uint32_t to) {
  return numarch_factor(matrix->machine, from, to);
}

static double performance_value(const struct matrix *matrix, uint32_t from, uint32_t to) {
  return numarch_performance(matrix->machine, matrix->source, matrix->metric, from, to);
}

/* The room that the widest number of the matrix takes. */
static int matrix_width(const struct matrix *matrix) {
  int width = 0;
  for (uint32_t i = 0; i < numarch_node_count(matrix->machine); i++) {
    int needed = snprintf(NULL, 0, "%" PRIu32, numarch_get_node(matrix->machine, i)->os_index);
    width = needed > width ? needed : width;
    for (uint32_t j = 0; j < numarch_node_count(matrix->machine); j++) {
      needed = snprintf(NULL, 0, "%.*f", matrix->decimals, matrix->value(matrix, i, j));
      width = needed > width ? needed : width;
    }
  }
  return width;
}

static void print_cell(const struct matrix *matrix, int width, uint32_t from, uint32_t to) {
  double value = matrix->value(matrix, from, to);
  if (value > 0)
    printf("  %*.*f", width, matrix->decimals, value);
  else
    printf("  %*s", width, "-");
}

static void print_matrix(const struct matrix *matrix) {
  uint32_t nodes = numarch_node_count(matrix->machine);
  int width = matrix_width(matrix);
  printf("\n%s from the CPUs of a node (row) to the memory of a node (column)\n", matrix->title);
  printf("%*s", width, "");
  for (uint32_t to = 0; to < nodes; to++)
    printf("  %*" PRIu32, width, numarch_get_node(matrix->machine, to)->os_index);
  putchar('\n');
  for (uint32_t from = 0; from < nodes; from++) {
    printf("%*" PRIu32, width, numarch_get_node(matrix->machine, from)->os_index);
    for (uint32_t to = 0; to < nodes; to++)
      print_cell(matrix, width, from, to);
    putchar('\n');
  }
}

static void print_distances(const numarch_t *machine) {
  print_matrix(&(struct matrix){.title = "Distance", .machine = machine, .value = distance_value});
}

static void print_factors(const numarch_t *machine) {
  print_matrix(&(struct matrix){
      .title = "NUMA factor", .machine = machine, .value = factor_value, .decimals = 2});
}

static bool has_values(const numarch_t *machine, enum numarch_source source,
                       enum numarch_metric metric) {
  for (uint32_t to = 0; to < numarch_node_count(machine); to++)
    if (numarch_performance(machine, source, metric, NUMARCH_NONE, to) > 0)
      return true;
  return false;
}

static void print_performance(const numarch_t *machine, enum numarch_source source,
                              enum numarch_metric metric) {
  static const char *const titles[NUMARCH_METRICS] = {
      [NUMARCH_LATENCY] = "Latency in ns",
      [NUMARCH_READ_BANDWIDTH] = "Bandwidth of reading in MiB/s",
      [NUMARCH_WRITE_BANDWIDTH] = "Bandwidth of writing in MiB/s",
      [NUMARCH_COPY_BANDWIDTH] = "Bandwidth of copying in MiB/s",
      [NUMARCH_CPU_READ_BANDWIDTH] = "Bandwidth of reading by one CPU in MiB/s",
      [NUMARCH_CPU_WRITE_BANDWIDTH] = "Bandwidth of writing by one CPU in MiB/s",
      [NUMARCH_CPU_COPY_BANDWIDTH] = "Bandwidth of copying by one CPU in MiB/s"};
  char title[80];
  snprintf(title, sizeof title, "%s (%s)", titles[metric], source_name(source));
  if (has_values(machine, source, metric))
    print_matrix(&(struct matrix){.title = title,
                                  .machine = machine,
                                  .value = performance_value,
                                  .source = source,
                                  .metric = metric,
                                  .decimals = metric == NUMARCH_LATENCY ? 1 : 0});
}

/* The best of what is known; all of what was measured is in JSON. */
static void print_known_performance(const numarch_t *machine) {
  static const enum numarch_metric metrics[] = {NUMARCH_LATENCY, NUMARCH_READ_BANDWIDTH};
  for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
    print_performance(machine,
                      has_values(machine, NUMARCH_MEASURED, metrics[i]) ? NUMARCH_MEASURED
                                                                        : NUMARCH_HMAT,
                      metrics[i]);
}

static void print_measured(const numarch_t *machine) {
  printf("NUMA factor  %.2f (%s)\n", numarch_max_factor(machine),
         source_name(max_factor_source(machine)));
  print_factors(machine);
  for (int metric = 0; metric < NUMARCH_METRICS; metric++)
    print_performance(machine, NUMARCH_MEASURED, (enum numarch_metric)metric);
}

static int print_all(const struct shown *shown) {
  const numarch_t *machine = shown->machine;
  uint32_t nodes = numarch_node_count(machine);
  uint32_t cpus = numarch_cpu_count(machine);
  uint32_t *os_indices = calloc((size_t)nodes + cpus, sizeof *os_indices);
  if (!os_indices)
    return -1;
  struct index_list list = {.machine = machine, .os_indices = os_indices};
  print_summary(shown, &list);
  print_packages(machine, &list);
  print_nodes(machine, &list);
  print_caches(machine);
  print_distances(machine);
  print_known_performance(machine);
  free(os_indices);
  return 0;
}

int print_text(const struct shown *shown) {
  if (!shown->measured)
    return print_all(shown);
  print_measured(shown->machine);
  return 0;
}
