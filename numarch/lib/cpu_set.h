/*===-- cpu_set.h - a set of CPUs or nodes ----------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Of OS indices, of a fixed size and without memory of its own, in the form in which the kernel
 * takes sets.
 */
#ifndef NUMARCH_CPU_SET_H
#define NUMARCH_CPU_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/lines.h"

enum { MOST_CPUS = 1024, CPU_SET_WORDS = MOST_CPUS / 64 };

struct cpu_set {
  uint64_t words[CPU_SET_WORDS];
};

static inline bool cpu_set_has(const struct cpu_set *set, uint32_t cpu) {
  return cpu < MOST_CPUS && (set->words[cpu / 64] >> cpu % 64 & 1);
}

static inline void cpu_set_put(struct cpu_set *set, uint32_t cpu) {
  set->words[cpu / 64] |= UINT64_C(1) << cpu % 64;
}

static inline unsigned cpu_set_count(const struct cpu_set *set) {
  unsigned count = 0;
  for (unsigned i = 0; i < CPU_SET_WORDS; i++)
    count += (unsigned)__builtin_popcountll(set->words[i]);
  return count;
}

/** The next member after `last`, -1 for the first; -1: there is none. */
static inline int cpu_set_next(const struct cpu_set *set, int last) {
  for (unsigned cpu = (unsigned)(last + 1); cpu < MOST_CPUS; cpu = (cpu / 64 + 1) * 64) {
    uint64_t rest = set->words[cpu / 64] >> cpu % 64;
    if (rest)
      return (int)cpu + __builtin_ctzll(rest);
  }
  return -1;
}

static inline bool cpu_set_is_equal(const struct cpu_set *left, const struct cpu_set *right) {
  uint64_t differ = 0;
  for (unsigned i = 0; i < CPU_SET_WORDS; i++)
    differ |= left->words[i] ^ right->words[i];
  return !differ;
}

static inline bool cpu_set_intersects(const struct cpu_set *left, const struct cpu_set *right) {
  uint64_t common = 0;
  for (unsigned i = 0; i < CPU_SET_WORDS; i++)
    common |= left->words[i] & right->words[i];
  return common;
}

static inline void cpu_set_add(struct cpu_set *set, const struct cpu_set *others) {
  for (unsigned i = 0; i < CPU_SET_WORDS; i++)
    set->words[i] |= others->words[i];
}

static inline void cpu_set_keep(struct cpu_set *set, const struct cpu_set *others) {
  for (unsigned i = 0; i < CPU_SET_WORDS; i++)
    set->words[i] &= others->words[i];
}

/** Read a range such as 0-3 or 8, and move *list behind it. @return false when there is none */
static inline bool cpu_set_read_range(struct cpu_set *set, const char **list) {
  uint64_t first = 0, last = 0;
  if (!minas_scan_range(list, &first, &last) || first > last || last >= MOST_CPUS)
    return false;
  for (; first <= last; first++)
    cpu_set_put(set, (uint32_t)first);
  return true;
}

/** Read a list such as 0-3,8 with a newline behind it. @return false when it is none, or empty */
static inline bool cpu_set_read(struct cpu_set *set, const char *list) {
  *set = (struct cpu_set){{0}};
  while (cpu_set_read_range(set, &list)) {
    if (*list != ',')
      return *list == '\n';
    list++;
  }
  return false;
}

#endif /* NUMARCH_CPU_SET_H */
