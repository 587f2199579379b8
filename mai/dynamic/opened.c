/*===-- opened.c - which parallel region was open when ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "opened.h"

#include <stdatomic.h>

/* As many as programs open while nobody reads samples, if their regions are not very short. */
enum { KEPT = 256 };

/* Each is one word, so that nobody reads one that is half written: the region, and in its lower
   half when, in microseconds, which begin again after an hour. */
static _Atomic uint64_t opened[KEPT];
static atomic_uint count; /* in all; the newest are kept */

static uint32_t microseconds_of(double seconds) { return (uint32_t)(uint64_t)(seconds * 1e6); }

static uint64_t read_one(unsigned index) {
  return atomic_load_explicit(&opened[index % KEPT], memory_order_relaxed);
}

static uint32_t region_of(uint64_t word) { return (uint32_t)(word >> 32); }

static unsigned count_now(void) { return atomic_load_explicit(&count, memory_order_relaxed); }

uint32_t mai_opened_last(void) {
  unsigned end = count_now();
  return end ? region_of(read_one(end - 1)) : 0;
}

/* One that is opened again and again is written down once. */
void mai_opened_note(uint32_t region, double now) {
  if (mai_opened_last() == region)
    return;
  unsigned index = atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  uint64_t word = (uint64_t)region << 32 | microseconds_of(now);
  atomic_store_explicit(&opened[index % KEPT], word, memory_order_relaxed);
}

static bool was_before(uint64_t word, double when) {
  return (int32_t)(microseconds_of(when) - (uint32_t)word) >= 0;
}

/* @return the one of the first `end` that was open then, or else the oldest that is kept */
static unsigned back_to(double when, unsigned end) {
  unsigned oldest = end > KEPT ? end - KEPT : 0, index = end - 1;
  while (index > oldest && !was_before(read_one(index), when))
    index--;
  return index;
}

uint32_t mai_opened_at(double when) {
  unsigned end = count_now();
  return end ? region_of(read_one(back_to(when, end))) : 0;
}

void mai_opened_since(double when, struct mai_region_list *regions) {
  unsigned end = count_now(), first = end ? back_to(when, end) : 0;
  for (unsigned index = end; index > first; index--)
    mai_region_list_add(regions, region_of(read_one(index - 1)));
}
