/*===-- describe.c - words that all forms of the report share ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "describe.h"

#include <stdio.h>
#include <string.h>

#include "mai/policy/policy.h"

void mai_describe_bytes(size_t bytes, char *text, size_t size) {
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  double value = (double)bytes;
  for (; value >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++)
    value /= 1024;
  unsigned long tenths = (unsigned long)(value * 10 + 0.5);
  if (unit && value < 100) /* with a point in every locale */
    snprintf(text, size, "%lu.%lu %s", tenths / 10, tenths % 10, units[unit]);
  else
    snprintf(text, size, "%.0f %s", value, units[unit]);
}

/* Whether it stands for all blocks of its site, of which more is known. */
static bool is_of_site(const struct mai_summary *array) {
  return array->site && !mai_site_has_names(array->site);
}

size_t mai_describe_blocks(const struct mai_summary *array) {
  return is_of_site(array) ? atomic_load(&array->site->blocks) : array->blocks;
}

size_t mai_describe_blocks_at_a_time(const struct mai_summary *array) {
  return is_of_site(array) ? atomic_load(&array->site->live_most) : array->blocks_at_a_time;
}

size_t mai_describe_size(const struct mai_summary *array) {
  return is_of_site(array) && mai_describe_blocks(array) > 1 ? atomic_load(&array->site->bytes_most)
                                                             : array->bytes;
}

void mai_describe_name(const struct mai_summary *array, char *text, size_t size) {
  char blocks[64] = "";
  if (mai_describe_blocks(array) > 1)
    snprintf(blocks, sizeof blocks, " (%zu blocks, %zu at a time)", mai_describe_blocks(array),
             mai_describe_blocks_at_a_time(array));
  snprintf(text, size, "%s%s%s", array->name, blocks, array->freed ? " (freed)" : "");
}

void mai_describe_policy(const struct mai_summary *array, char *text, size_t size) {
  if ((size_t)mai_policy_format(&array->policy, text, size) >= size)
    memcpy(text + size - 4, "...", 4);
}

const char *mai_describe_origin(enum mai_origin origin) {
  switch (origin) {
  case MAI_ALLOCATED:
    return "allocated";
  case MAI_IN_PLACE:
    return "in place";
  case MAI_ADOPTED:
    return "adopted";
  case MAI_BLOCK_OF_HEAP:
    return "block";
  default:
    return "watched";
  }
}

int64_t mai_node_of_cpu(const numarch_t *topology, uint32_t os_cpu) {
  uint32_t cpu = numarch_cpu_by_os_index(topology, os_cpu);
  if (cpu == NUMARCH_NONE || numarch_get_cpu(topology, cpu)->node == NUMARCH_NONE)
    return -1;
  return numarch_get_node(topology, numarch_get_cpu(topology, cpu)->node)->os_index;
}
