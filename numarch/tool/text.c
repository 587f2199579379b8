/*===-- text.c - what several forms of output say -------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <inttypes.h>
#include <stdio.h>

#include "tool.h"

const char *format_bytes(uint64_t bytes, char text[BYTES_TEXT_SIZE]) {
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

bool is_all_allowed(const numarch_t *machine) {
  for (uint32_t cpu = 0; cpu < numarch_cpu_count(machine); cpu++)
    if (!numarch_get_cpu(machine, cpu)->allowed)
      return false;
  for (uint32_t node = 0; node < numarch_node_count(machine); node++)
    if (!numarch_get_node(machine, node)->allowed)
      return false;
  return true;
}

const char *kind_name(enum numarch_memory_kind kind) {
  static const char *const names[] = {
      [NUMARCH_MEMORY_DRAM] = "DRAM", [NUMARCH_MEMORY_HBM] = "HBM",
      [NUMARCH_MEMORY_CXL] = "CXL",   [NUMARCH_MEMORY_NVM] = "NVM",
      [NUMARCH_MEMORY_GPU] = "GPU",   [NUMARCH_MEMORY_SPECIAL] = "special"};
  return names[kind];
}

const char *source_name(enum numarch_source source) {
  static const char *const names[] = {[NUMARCH_MEASURED] = "measured",
                                      [NUMARCH_HMAT] = "HMAT",
                                      [NUMARCH_SLIT] = "SLIT",
                                      [NUMARCH_ASSUMED] = "assumed",
                                      [NUMARCH_UNKNOWN] = "unknown"};
  return names[source];
}

const char *cache_kind_name(enum numarch_cache_kind kind) {
  static const char *const names[] = {[NUMARCH_CACHE_UNIFIED] = "unified",
                                      [NUMARCH_CACHE_DATA] = "data",
                                      [NUMARCH_CACHE_INSTRUCTION] = "instruction"};
  return names[kind];
}

const char *format_cache(const struct numarch_cache *cache, char text[CACHE_NAME_SIZE]) {
  static const char *const suffixes[] = {
      [NUMARCH_CACHE_UNIFIED] = "", [NUMARCH_CACHE_DATA] = "d", [NUMARCH_CACHE_INSTRUCTION] = "i"};
  snprintf(text, CACHE_NAME_SIZE, "L%" PRIu32 "%s", cache->level, suffixes[cache->kind]);
  return text;
}

enum numarch_source max_factor_source(const numarch_t *machine) {
  double greatest = 0;
  enum numarch_source source = numarch_factor_source(machine, 0, 0);
  for (uint32_t from = 0; from < numarch_node_count(machine); from++)
    for (uint32_t to = 0; to < numarch_node_count(machine); to++) {
      bool is_access = numarch_get_node(machine, from)->cpu_count > 0 &&
                       numarch_get_node(machine, to)->memory_total > 0;
      double factor = is_access ? numarch_factor(machine, from, to) : 0;
      if (factor > greatest) {
        greatest = factor;
        source = numarch_factor_source(machine, from, to);
      }
    }
  return source;
}
