/*===-- phases.c - where an array belongs while a region runs ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "phases.h"

static const double LEAST_PART = 0.75;

/*===-- Which regions run --------------------------------------------------===*/

void mai_regions_next(struct mai_regions *regions) {
  regions->before = regions->last;
  regions->last.count = 0;
}

bool mai_region_list_has(const struct mai_region_list *list, uint32_t region) {
  size_t i = 0;
  while (i < list->count && list->count <= MAI_MOST_REGIONS && list->list[i] != region)
    i++;
  return i < list->count;
}

void mai_region_list_add(struct mai_region_list *list, uint32_t region) {
  if (mai_region_list_has(list, region))
    return;
  if (list->count < MAI_MOST_REGIONS)
    list->list[list->count] = region;
  list->count++;
}

void mai_regions_note(struct mai_regions *regions, uint32_t region) {
  mai_region_list_add(&regions->last, region);
}

/* A round that has seen nothing says nothing. */
static bool may_be_of(const struct mai_region_list *list, uint32_t region) {
  return list->count == 0 || mai_region_list_has(list, region);
}

bool mai_regions_know(const struct mai_regions *regions, uint32_t region) {
  return may_be_of(&regions->last, region) && may_be_of(&regions->before, region);
}

/* What was open between two looks that are far apart nobody knows. */
bool mai_news_look(struct mai_news *news, bool is_new, double now) {
  static const double FAR = 0.01, ENOUGH = 0.12, NEW = 3;
  double seconds = news->looked > 0 ? now - news->looked : 0;
  seconds = seconds < FAR ? seconds : FAR;
  news->looked = now;
  news->seconds += is_new ? NEW * seconds : -seconds;
  news->seconds = news->seconds > 0 ? news->seconds : 0;
  return is_new && news->seconds >= ENOUGH;
}

/*===-- Phases -------------------------------------------------------------===*/

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

static bool has_pattern_of(const struct mai_phase *one, const struct mai_phase *other) {
  return one->kind == other->kind && one->chunk == other->chunk;
}

static size_t kept(const struct mai_phases *phases) {
  return phases->count < MAI_MOST_PHASES ? phases->count : MAI_MOST_PHASES;
}

static size_t place_of(const struct mai_phases *phases, const struct mai_phase *phase) {
  const struct mai_phase *list = phases->list;
  size_t i = 0;
  while (i < kept(phases) && !(list[i].region == phase->region && has_pattern_of(&list[i], phase)))
    i++;
  return i < kept(phases) ? i : MAI_MOST_PHASES;
}

/* Of a region of which one pattern is remembered. */
static size_t only_place_of(const struct mai_phases *phases, uint32_t region) {
  size_t found = 0, place = MAI_MOST_PHASES;
  for (size_t i = 0; i < kept(phases); i++)
    if (phases->list[i].region == region) {
      found++;
      place = i;
    }
  return found == 1 ? place : MAI_MOST_PHASES;
}

/* Whether a pattern tells phases apart.  Unequal parts may be taken for equal ones. */
static bool tells(enum mai_pattern_kind kind) {
  return kind != MAI_PATTERN_UNKNOWN && kind != MAI_PATTERN_TOO_FEW &&
         !mai_pattern_is_measured(kind);
}

static bool goes_on(const struct mai_phase *before, const struct mai_phase *seen) {
  return seen->region == before->region &&
         (!tells(seen->kind) || !tells(before->kind) || has_pattern_of(seen, before));
}

/* Where nobody has seen its pattern, it is the one that its region had. */
static size_t place_of_seen(const struct mai_phases *phases) {
  const struct mai_phase *seen = &phases->seen;
  return tells(seen->kind) ? place_of(phases, seen) : only_place_of(phases, seen->region);
}

static void remember(struct mai_phases *phases, const struct mai_phase *phase) {
  size_t place = place_of(phases, phase);
  if (place == MAI_MOST_PHASES)
    place = phases->count++ % MAI_MOST_PHASES;
  phases->list[place] = *phase;
}

/* Which region an array was moved for may not have been clear then: it is the one that is seen to
   do there what the array was moved for. */
static void learn_region(struct mai_phases *phases, const struct mai_phase *seen) {
  struct mai_phase *place = &phases->place;
  if (place->region || !tells(seen->kind) || !has_pattern_of(place, seen))
    return;
  place->region = seen->region;
  remember(phases, place);
}

void mai_phases_see(struct mai_phases *phases, const struct mai_phase *seen, double now) {
  bool is_new = !goes_on(&phases->seen, seen);
  if (is_new)
    phases->since = now;
  if (is_new || !tells(phases->seen.kind))
    phases->seen = *seen;
  learn_region(phases, seen);
  size_t place = place_of_seen(phases);
  if (!is_new && place < MAI_MOST_PHASES)
    phases->list[place].lasted = now - phases->since;
}

void mai_phases_move(struct mai_phases *phases, const struct mai_phase *phase, double now) {
  phases->place = *phase;
  if (!phase->region)
    return;
  remember(phases, phase);
  mai_phases_see(phases, phase, now);
}

void mai_phases_give_up(struct mai_phases *phases) { phases->place.kind = MAI_PATTERN_UNKNOWN; }

void mai_phases_leave(struct mai_phases *phases) {
  phases->place.region = phases->seen.region;
  size_t place = place_of(phases, &phases->place);
  if (place < MAI_MOST_PHASES)
    phases->list[place].region = 0;
  mai_phases_give_up(phases);
}

/* It will last as long as the last time, as far as anybody knows.  Where moves have not paid more
   is asked for, as elsewhere. */
static bool pays(const struct mai_phase *phase, const struct mai_rental *decision,
                 double move_seconds) {
  double patience = decision->patience > 1 ? decision->patience : 1;
  return phase->saves * phase->lasted >= phase->wrong * move_seconds * patience;
}

const struct mai_phase *mai_phases_recall(const struct mai_phases *phases,
                                          const struct mai_phase *seen,
                                          const struct mai_rental *decision, double move_seconds) {
  bool is_new = seen->kind == MAI_PATTERN_TOO_FEW;
  size_t place = is_new ? only_place_of(phases, seen->region) : place_of(phases, seen);
  if (!seen->region || place == MAI_MOST_PHASES)
    return NULL;
  const struct mai_phase *phase = &phases->list[place];
  bool is_there = has_pattern_of(phase, &phases->place);
  bool is_sure = !mai_pattern_is_measured(phase->kind);
  return !is_there && is_sure && pays(phase, decision, move_seconds) ? phase : NULL;
}
