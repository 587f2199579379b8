/*===-- phases_test.c - where an array belongs while a region runs *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Histories of an array that is used by one region for a while, then by another one.
 */
#include "mai/dynamic/phases.h"

#include <stdio.h>

#include "check.h"

enum { ROWS = 100, COLUMNS = 200, OTHER = 300 };

/* Three of four pages are moved, which saves half a second a second. */
static struct mai_phase phase_of(uint32_t region, enum mai_pattern_kind kind) {
  return (struct mai_phase){.region = region, .kind = kind, .saves = 0.5, .wrong = 0.75};
}

/* A region runs again, of which nothing has been seen yet. */
static const struct mai_phase *recall(const struct mai_phases *phases, uint32_t region,
                                      const struct mai_rental *decision, double move_seconds) {
  struct mai_phase seen = phase_of(region, MAI_PATTERN_TOO_FEW);
  return mai_phases_recall(phases, &seen, decision, move_seconds);
}

static void see(struct mai_phases *phases, uint32_t region, double now) {
  struct mai_phase seen = phase_of(region, MAI_PATTERN_UNKNOWN);
  mai_phases_see(phases, &seen, now);
}

static const struct mai_rental neutral = {.patience = 1}, wrong_before = {.patience = 4};

/* From second 0 on rows for 10 seconds, then columns for so many, each moved to after one. */
static struct mai_phases after_both(double columns) {
  struct mai_phases phases = {.count = 0};
  struct mai_phase rows = phase_of(ROWS, MAI_PATTERN_BLOCK);
  struct mai_phase other = phase_of(COLUMNS, MAI_PATTERN_COLUMNS);
  see(&phases, ROWS, 0);
  mai_phases_move(&phases, &rows, 1);
  see(&phases, ROWS, 10);
  see(&phases, COLUMNS, 11);
  mai_phases_move(&phases, &other, 12);
  see(&phases, COLUMNS, 11 + columns);
  return phases;
}

static void known_regions_are_recalled(void) {
  struct mai_phases phases = after_both(10);
  const struct mai_phase *phase = recall(&phases, ROWS, &neutral, 1);
  CHECK(phase && phase->kind == MAI_PATTERN_BLOCK && phase->lasted == 10);
  CHECK(!recall(&phases, COLUMNS, &neutral, 1)); /* it is there */
  CHECK(!recall(&phases, OTHER, &neutral, 1));
  CHECK(!recall(&phases, 0, &neutral, 1));
}

static void both_again_and_again(void) {
  struct mai_phases phases = after_both(10);
  for (double now = 20; now < 200; now += 20) {
    const struct mai_phase *rows = recall(&phases, ROWS, &neutral, 1);
    CHECK(rows && rows->kind == MAI_PATTERN_BLOCK);
    if (!rows)
      return;
    struct mai_phase phase = *rows;
    mai_phases_move(&phases, &phase, now);
    see(&phases, ROWS, now + 9);
    const struct mai_phase *columns = recall(&phases, COLUMNS, &neutral, 1);
    CHECK(columns && columns->kind == MAI_PATTERN_COLUMNS);
    if (!columns)
      return;
    phase = *columns;
    mai_phases_move(&phases, &phase, now + 10);
    see(&phases, COLUMNS, now + 19);
  }
  CHECK(phases.count == 2);
}

/* 10 seconds save 5; to move three of four pages may cost as much. */
static void only_where_the_phase_is_long_enough(void) {
  struct mai_phases phases = after_both(10);
  CHECK(recall(&phases, ROWS, &neutral, 6.5));
  CHECK(!recall(&phases, ROWS, &neutral, 7));
  CHECK(!recall(&phases, ROWS, &wrong_before, 6.5));
  CHECK(recall(&phases, ROWS, &wrong_before, 1.5));
}

/* Regions that take turns do not last: nothing is moved to and fro. */
static void never_for_regions_that_take_turns(void) {
  struct mai_phases phases = after_both(10);
  struct mai_phase rows = phase_of(ROWS, MAI_PATTERN_BLOCK);
  mai_phases_move(&phases, &rows, 21);
  for (double now = 22; now < 30; now += 0.2) {
    see(&phases, COLUMNS, now);
    see(&phases, COLUMNS, now + 0.05);
    see(&phases, ROWS, now + 0.1);
    see(&phases, ROWS, now + 0.15);
  }
  CHECK(!recall(&phases, COLUMNS, &neutral, 1));
}

/* What has not helped is not tried again; the other phase is another matter. */
static void moved_back(void) {
  struct mai_phases phases = after_both(10);
  mai_phases_leave(&phases);
  CHECK(!recall(&phases, COLUMNS, &neutral, 1));
  CHECK(recall(&phases, ROWS, &neutral, 1));
}

/* Each phase is moved for anew when it comes again. */
static void given_up(void) {
  struct mai_phases phases = after_both(10);
  mai_phases_give_up(&phases);
  CHECK(recall(&phases, COLUMNS, &neutral, 1));
  CHECK(recall(&phases, ROWS, &neutral, 1));
}

/* Looks of 5 ms each, so many at a new region and so many at another one, again and again.
   @return after how many there are news; 0: after none of a thousand */
static int looks_until_news(int new_ones, int others) {
  struct mai_news news = {.looked = 1};
  for (int look = 1; look <= 1000; look++)
    if (mai_news_look(&news, (look - 1) % (new_ones + others) < new_ones, 1 + 0.005 * look))
      return look;
  return 0;
}

static void new_regions_that_last_are_news(void) {
  struct mai_news news = {.looked = 1};
  int looks = looks_until_news(1, 0);
  CHECK(looks == 8 || looks == 9);
  CHECK(looks_until_news(1, 1) > 16);
  CHECK(looks_until_news(0, 1) == 0);
  CHECK(looks_until_news(1, 3) == 0);
  CHECK(looks_until_news(2, 10) == 0);
  CHECK(!mai_news_look(&news, true, 9)); /* it was open at two times */
}

static void unequal_parts_are_not_recalled(void) {
  struct mai_phases phases = after_both(10);
  struct mai_phase shares = phase_of(ROWS, MAI_PATTERN_SHARES);
  mai_phases_move(&phases, &shares, 21);
  see(&phases, ROWS, 40);
  CHECK(recall(&phases, COLUMNS, &neutral, 1));
  struct mai_phase columns = phase_of(COLUMNS, MAI_PATTERN_COLUMNS);
  mai_phases_move(&phases, &columns, 41);
  CHECK(!recall(&phases, ROWS, &neutral, 1));
}

/* Moved while nobody knew which region it is for. */
static void moves_that_are_not_remembered(void) {
  struct mai_phases phases = after_both(10);
  struct mai_phase unknown = phase_of(0, MAI_PATTERN_REVERSED);
  mai_phases_move(&phases, &unknown, 30);
  CHECK(phases.count == 2);
  CHECK(recall(&phases, COLUMNS, &neutral, 1));
}

/* The region is learned when it is seen with the pattern that the array was moved for. */
static void regions_that_are_clear_later(void) {
  struct mai_phases phases = {.count = 0};
  struct mai_phase rows = phase_of(0, MAI_PATTERN_BLOCK), seen = phase_of(ROWS, MAI_PATTERN_BLOCK);
  struct mai_phase columns = phase_of(COLUMNS, MAI_PATTERN_COLUMNS);
  mai_phases_move(&phases, &rows, 1);
  see(&phases, OTHER, 2); /* with no pattern */
  mai_phases_see(&phases, &seen, 3);
  mai_phases_see(&phases, &seen, 10);
  CHECK(!recall(&phases, ROWS, &neutral, 1)); /* it is there */
  mai_phases_see(&phases, &columns, 11);
  mai_phases_move(&phases, &columns, 12);
  const struct mai_phase *phase = recall(&phases, ROWS, &neutral, 1);
  CHECK(phase && phase->kind == MAI_PATTERN_BLOCK && phase->lasted == 7);
  CHECK(!recall(&phases, OTHER, &neutral, 1));
}

/* One region that does both: rows for 10 seconds, then columns. */
static struct mai_phases after_both_in_one(void) {
  struct mai_phases phases = {.count = 0};
  struct mai_phase rows = phase_of(ROWS, MAI_PATTERN_BLOCK);
  struct mai_phase columns = phase_of(ROWS, MAI_PATTERN_COLUMNS);
  mai_phases_see(&phases, &rows, 0);
  mai_phases_move(&phases, &rows, 1);
  see(&phases, ROWS, 5); /* a look at which nothing was clear */
  mai_phases_see(&phases, &rows, 10);
  mai_phases_see(&phases, &columns, 11);
  mai_phases_move(&phases, &columns, 12);
  mai_phases_see(&phases, &columns, 21);
  return phases;
}

/* Who has seen nothing yet does not know which of them it is. */
static void patterns_of_one_region(void) {
  struct mai_phases phases = after_both_in_one();
  struct mai_phase rows = phase_of(ROWS, MAI_PATTERN_BLOCK);
  const struct mai_phase *phase = mai_phases_recall(&phases, &rows, &neutral, 1);
  CHECK(phase && phase->kind == MAI_PATTERN_BLOCK && phase->lasted == 10);
  CHECK(!recall(&phases, ROWS, &neutral, 1));
  struct mai_phase columns = phase_of(ROWS, MAI_PATTERN_COLUMNS);
  CHECK(!mai_phases_recall(&phases, &columns, &neutral, 1)); /* it is there */
}

static void the_newest_stay(void) {
  struct mai_phases phases = after_both(10);
  for (uint32_t region = 1; region <= MAI_MOST_PHASES; region++) {
    struct mai_phase phase = phase_of(region, MAI_PATTERN_REVERSED);
    phase.lasted = 10;
    mai_phases_move(&phases, &phase, 30 + region);
  }
  struct mai_phase rows = phase_of(0, MAI_PATTERN_BLOCK);
  mai_phases_move(&phases, &rows, 50);
  CHECK(!recall(&phases, ROWS, &neutral, 1));
  CHECK(!recall(&phases, COLUMNS, &neutral, 1));
  CHECK(recall(&phases, 1, &neutral, 1));
  CHECK(recall(&phases, MAI_MOST_PHASES, &neutral, 1));
}

/* Samples that come late are of the region before. */
static void whose_touches_are_most(void) {
  struct mai_touch touches[8] = {{.region = OTHER}, {.region = OTHER}};
  for (unsigned i = 2; i < 8; i++)
    touches[i].region = ROWS;
  CHECK(mai_phases_region(touches, 8) == ROWS);
  touches[7].region = COLUMNS;
  CHECK(mai_phases_region(touches, 8) == 0);
  CHECK(mai_phases_region(touches, 0) == 0);
}

/* A phase that has begun within a round is as new as one that begins behind it: its region is known
   when a whole round has seen it. */
static void regions_are_known_after_two_rounds(void) {
  struct mai_regions regions = {.last.count = 0};
  CHECK(mai_regions_know(&regions, ROWS));
  mai_regions_note(&regions, ROWS);
  CHECK(mai_regions_know(&regions, ROWS) && !mai_regions_know(&regions, COLUMNS));
  mai_regions_next(&regions);
  mai_regions_note(&regions, ROWS);
  mai_regions_note(&regions, COLUMNS);
  CHECK(mai_regions_know(&regions, ROWS) && !mai_regions_know(&regions, COLUMNS));
  mai_regions_next(&regions);
  mai_regions_note(&regions, COLUMNS);
  CHECK(!mai_regions_know(&regions, ROWS) && mai_regions_know(&regions, COLUMNS));
}

/* Of more than there is room for none is known to be new. */
static void many_regions_are_known(void) {
  struct mai_regions regions = {.last.count = 0};
  for (uint32_t region = 1; region <= MAI_MOST_REGIONS + 2; region++)
    mai_regions_note(&regions, region);
  CHECK(mai_regions_know(&regions, OTHER));
}

int main(void) {
  known_regions_are_recalled();
  both_again_and_again();
  only_where_the_phase_is_long_enough();
  never_for_regions_that_take_turns();
  moved_back();
  given_up();
  new_regions_that_last_are_news();
  unequal_parts_are_not_recalled();
  moves_that_are_not_remembered();
  regions_that_are_clear_later();
  patterns_of_one_region();
  the_newest_stay();
  whose_touches_are_most();
  regions_are_known_after_two_rounds();
  many_regions_are_known();
  printf(failures ? "%d wrong\n" : "all right\n", failures);
  return failures != 0;
}
