/*===-- phases.c - where an array belongs while a region runs ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "phases.h"

static const double LEAST_PART = 0.75;

static size_t touches_of(const struct mai_touch *touches, size_t count, uint32_t region) {
  size_t found = 0;
  for (size_t i = 0; i < count; i++)
    found += touches[i].region == region;
  return found;
}

/* Each two touches of different regions are left out: what one region has most of stays (R. Boyer,
   J Moore). */
uint32_t mai_phases_region(const struct mai_touch *touches, size_t count) {
  uint32_t region = 0;
  size_t lead = 0;
  for (size_t i = 0; i < count; i++) {
    if (lead == 0)
      region = touches[i].region;
    lead = touches[i].region == region ? lead + 1 : lead - 1;
  }
  bool clear = (double)touches_of(touches, count, region) >= LEAST_PART * (double)count;
  return count && clear ? region : 0;
}

static size_t place_of(const struct mai_phases *phases, uint32_t region) {
  size_t kept = phases->count < MAI_MOST_PHASES ? phases->count : MAI_MOST_PHASES;
  size_t i = 0;
  while (i < kept && phases->list[i].region != region)
    i++;
  return i < kept ? i : MAI_MOST_PHASES;
}

void mai_phases_see(struct mai_phases *phases, uint32_t region, double now) {
  size_t place = place_of(phases, region);
  if (region != phases->region) {
    phases->region = region;
    phases->since = now;
  } else if (place < MAI_MOST_PHASES) {
    phases->list[place].lasted = now - phases->since;
  }
}

void mai_phases_move(struct mai_phases *phases, const struct mai_phase *phase, double now) {
  phases->kind = phase->kind;
  phases->chunk = phase->chunk;
  if (!phase->region)
    return;
  size_t place = place_of(phases, phase->region);
  if (place == MAI_MOST_PHASES)
    place = phases->count++ % MAI_MOST_PHASES;
  phases->list[place] = *phase;
  mai_phases_see(phases, phase->region, now);
}

void mai_phases_leave(struct mai_phases *phases) {
  size_t place = place_of(phases, phases->region);
  if (place < MAI_MOST_PHASES)
    phases->list[place].region = 0;
  phases->kind = MAI_PATTERN_UNKNOWN;
}

/* It will last as long as the last time, as far as anybody knows.  Where moves have not paid more
   is asked for, as elsewhere. */
static bool pays(const struct mai_phase *phase, const struct mai_rental *decision,
                 double move_seconds) {
  double patience = decision->patience > 1 ? decision->patience : 1;
  return phase->saves * phase->lasted >= phase->wrong * move_seconds * patience;
}

const struct mai_phase *mai_phases_recall(const struct mai_phases *phases, uint32_t region,
                                          const struct mai_rental *decision, double move_seconds) {
  size_t place = place_of(phases, region);
  if (!region || place == MAI_MOST_PHASES)
    return NULL;
  const struct mai_phase *phase = &phases->list[place];
  bool is_there = phase->kind == phases->kind && phase->chunk == phases->chunk;
  bool is_sure = phase->kind != MAI_PATTERN_SHARES; /* other ones each time they are measured */
  return !is_there && is_sure && pays(phase, decision, move_seconds) ? phase : NULL;
}
