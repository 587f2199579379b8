/*===-- decision_test.c - whether to move pays, and when to watch *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Histories of an array, second by second, and when it is moved in each.
 */
#include "mai/dynamic/decision.h"

#include <stdio.h>

#include "check.h"

/* All pages on one node of four, used by all: to move 1000 pages costs a hundredth of a second,
   and saves 0.0024 s a second (64 lines of 10 ns, once a second, at 0.75 remote and 3 queued). */
static struct mai_prospect filled_by_one(void) {
  return (struct mai_prospect){.kind = MAI_PATTERN_BLOCK,
                               .now = {.remote = 0.75, .busiest = 4},
                               .then = {.remote = 0, .busiest = 1},
                               .factor = 2,
                               .touches = 1,
                               .line_seconds = 1e-8,
                               .page_bytes = 4096,
                               .pages = 1000,
                               .wrong = 0.75,
                               .move_seconds = 1e-5};
}

/* In which of the next seconds it is moved; 0: in none of a hundred. */
static unsigned moved_after(struct mai_rental *decision, const struct mai_prospect *prospect,
                            double begin) {
  for (unsigned second = 1; second <= 100; second++)
    if (mai_decide(decision, prospect, 0, begin + second) != MAI_CHOICE_STAY)
      return second;
  return 0;
}

static void move_when_as_much_is_lost(void) {
  struct mai_rental decision = {.kind = MAI_PATTERN_UNKNOWN};
  struct mai_prospect prospect = filled_by_one();
  CHECK(moved_after(&decision, &prospect, 0) == 5); /* 4 x 0.0024 > 0.0075 */
}

static void soon_when_it_is_touched_often(void) {
  struct mai_rental decision = {.kind = MAI_PATTERN_UNKNOWN};
  struct mai_prospect prospect = filled_by_one();
  prospect.touches = 100;
  CHECK(moved_after(&decision, &prospect, 0) == 2);
}

/* Where threads are seen to be at it a tenth of the time, by samples, that counts: 0.1 s a second,
   of which 3.75 of 4.75 parts are saved. */
static void by_what_threads_do(void) {
  struct mai_rental decision = {.kind = MAI_PATTERN_UNKNOWN};
  struct mai_prospect prospect = filled_by_one();
  prospect.busy = 0.1;
  prospect.move_seconds = 1e-3; /* 0.75 s in all */
  CHECK(moved_after(&decision, &prospect, 0) == 11);
  CHECK(decision.saves > 0.0789 && decision.saves < 0.079);
}

/* A pattern is seen twice before it is believed. */
static void not_at_first_sight(void) {
  struct mai_rental decision = {.kind = MAI_PATTERN_UNKNOWN};
  struct mai_prospect prospect = filled_by_one();
  prospect.touches = 1e6;
  CHECK(mai_decide(&decision, &prospect, 0, 1) == MAI_CHOICE_STAY);
  CHECK(mai_decide(&decision, &prospect, 0, 2) == MAI_CHOICE_MOVE);
}

/* What is clear is believed at first sight, where as much has been lost while threads were looked
   at, or nearly: after the next look, as long, it would be farther from that. */
static void at_first_sight_when_it_is_clear(void) {
  struct mai_rental decision = {.kind = MAI_PATTERN_UNKNOWN};
  struct mai_prospect prospect = filled_by_one();
  prospect.clear = true;
  prospect.seconds = 3; /* 0.0072 of 0.0075, then 0.0144 */
  CHECK(mai_decide(&decision, &prospect, 0, 5) == MAI_CHOICE_MOVE);
  decision = (struct mai_rental){.kind = MAI_PATTERN_UNKNOWN};
  prospect.seconds = 2; /* 0.0048, then 0.0096 */
  CHECK(mai_decide(&decision, &prospect, 0, 5) == MAI_CHOICE_STAY);
  decision = (struct mai_rental){.kind = MAI_PATTERN_UNKNOWN};
  prospect.seconds = 4;
  prospect.clear = false;
  CHECK(mai_decide(&decision, &prospect, 0, 5) == MAI_CHOICE_STAY);
}

/* Where four times as much has been lost as a move costs, one in vain is little beside it: what is
   not clear is believed at first sight, too. */
static void at_first_sight_when_much_is_lost(void) {
  struct mai_rental decision = {.kind = MAI_PATTERN_UNKNOWN};
  struct mai_prospect prospect = filled_by_one();
  prospect.seconds = 12; /* 0.0288 of 4 x 0.0075 */
  CHECK(mai_decide(&decision, &prospect, 0, 20) == MAI_CHOICE_STAY);
  decision = (struct mai_rental){.kind = MAI_PATTERN_UNKNOWN};
  prospect.seconds = 13; /* 0.0312 */
  CHECK(mai_decide(&decision, &prospect, 0, 20) == MAI_CHOICE_MOVE);
}

/* Parts that seem equal in one look and unequal in the next are the same. */
static void equal_parts_may_be_unequal(void) {
  struct mai_rental decision = {.kind = MAI_PATTERN_UNKNOWN};
  struct mai_prospect prospect = filled_by_one();
  for (unsigned second = 1; second <= 4; second++) {
    prospect.kind = second % 2 ? MAI_PATTERN_BLOCK : MAI_PATTERN_SHARES;
    CHECK(mai_decide(&decision, &prospect, 0, second) == MAI_CHOICE_STAY);
  }
  prospect.kind = MAI_PATTERN_BLOCK;
  CHECK(mai_decide(&decision, &prospect, 0, 5) == MAI_CHOICE_MOVE);
}

static void never_where_nothing_is_gained(void) {
  struct mai_rental decision = {.kind = MAI_PATTERN_UNKNOWN};
  struct mai_prospect healthy = filled_by_one();
  healthy.now = (struct mai_service){0.02, 1.05, 0};
  CHECK(moved_after(&decision, &healthy, 0) == 0);
  CHECK(decision.stable == 100);
}

/* Touched by all at random, and spread already. */
static void never_where_all_are_remote_anywhere(void) {
  struct mai_rental decision = {.kind = MAI_PATTERN_UNKNOWN};
  struct mai_prospect random = filled_by_one();
  random.kind = MAI_PATTERN_EVERYONE;
  random.now = (struct mai_service){0.75, 1.1, 0};
  random.then = (struct mai_service){0.75, 1, 0};
  CHECK(moved_after(&decision, &random, 0) == 0);
}

static void never_by_what_does_not_say_where(void) {
  static const enum mai_pattern_kind kinds[] = {MAI_PATTERN_UNKNOWN, MAI_PATTERN_ONE_NODE};
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    struct mai_rental decision = {.kind = MAI_PATTERN_UNKNOWN};
    struct mai_prospect prospect = filled_by_one();
    prospect.kind = kinds[i];
    CHECK(moved_after(&decision, &prospect, 0) == 0);
  }
}

/* What is lost counts for the pattern that is seen, and no other one's. */
static void another_pattern_begins_anew(void) {
  struct mai_rental decision = {.kind = MAI_PATTERN_UNKNOWN};
  struct mai_prospect prospect = filled_by_one();
  for (unsigned second = 1; second <= 4; second++)
    CHECK(mai_decide(&decision, &prospect, 0, second) == MAI_CHOICE_STAY);
  prospect.kind = MAI_PATTERN_REVERSED;
  CHECK(mai_decide(&decision, &prospect, 0, 5) == MAI_CHOICE_STAY);
  CHECK(moved_after(&decision, &prospect, 5) == 4);
}

/* What has been seen since does not say anything yet: nothing is forgotten, nothing is begun. */
static void too_few_touches_change_nothing(void) {
  struct mai_rental decision = {.kind = MAI_PATTERN_UNKNOWN};
  struct mai_prospect prospect = filled_by_one(), few = filled_by_one();
  few.kind = MAI_PATTERN_TOO_FEW;
  CHECK(mai_decide(&decision, &prospect, 0, 1) == MAI_CHOICE_STAY);
  for (unsigned second = 2; second <= 4; second++)
    CHECK(mai_decide(&decision, &few, 0, second) == MAI_CHOICE_STAY);
  CHECK(mai_decide(&decision, &prospect, 0, 5) == MAI_CHOICE_MOVE);
}

/* A look in which no pattern is known says nothing against the one before: what was lost by then
   counts, and what may have been lost since then does not. */
static void nothing_known_changes_nothing(void) {
  struct mai_rental decision = {.kind = MAI_PATTERN_UNKNOWN};
  struct mai_prospect prospect = filled_by_one(), unknown = filled_by_one();
  unknown.kind = MAI_PATTERN_UNKNOWN;
  for (unsigned second = 1; second <= 3; second++)
    CHECK(mai_decide(&decision, &prospect, 0, second) == MAI_CHOICE_STAY);
  for (unsigned second = 4; second <= 8; second++)
    CHECK(mai_decide(&decision, &unknown, 0, second) == MAI_CHOICE_STAY);
  CHECK(mai_decide(&decision, &prospect, 0, 9) == MAI_CHOICE_STAY);
  CHECK(mai_decide(&decision, &prospect, 0, 10) == MAI_CHOICE_MOVE);
}

/* A history of phases: each pattern stays for some seconds, in which the move to it saves a hundredth
   of a second a second, or is of no use; a move costs 0.0075 s.  @return the seconds of it that were
   spent before its move; `length` where there was none */
static unsigned phase(struct mai_rental *decision, enum mai_pattern_kind kind, unsigned *now,
                      unsigned length, bool pays) {
  struct mai_prospect prospect = filled_by_one();
  unsigned waited = length;
  prospect.kind = kind;
  prospect.touches = 4;
  for (unsigned second = 0; second < length; second++) {
    if (mai_decide(decision, &prospect, 0, ++*now) == MAI_CHOICE_STAY)
      continue;
    waited = second;
    mai_decision_moved(decision, 0.0075, *now);
    prospect.back = prospect.now;
    if (pays)
      prospect.now = prospect.then;
    else
      prospect.then = prospect.now;
  }
  return waited;
}

/* Where moves have paid the next one comes at first sight. */
static void phases_are_known_in_time(void) {
  struct mai_rental decision = {.kind = MAI_PATTERN_UNKNOWN};
  unsigned now = 0;
  CHECK(phase(&decision, MAI_PATTERN_BLOCK, &now, 20, true) == 1);
  CHECK(phase(&decision, MAI_PATTERN_REVERSED, &now, 20, true) == 1);
  CHECK(decision.patience == 0.5);
  double brought = decision.earned_in_all;
  CHECK(brought > 0);
  CHECK(phase(&decision, MAI_PATTERN_BLOCK, &now, 20, true) == 0);
  CHECK(phase(&decision, MAI_PATTERN_REVERSED, &now, 20, true) == 0);
  CHECK(decision.earned_in_all > brought + decision.earned);
  for (unsigned i = 0; i < 10; i++)
    phase(&decision, i % 2 ? MAI_PATTERN_REVERSED : MAI_PATTERN_BLOCK, &now, 20, true);
  CHECK(decision.patience == 0.125);
}

/* Where they have not, each is waited for twice as long as the one before. */
static void who_is_wrong_is_waited_for_longer(void) {
  struct mai_rental decision = {.kind = MAI_PATTERN_UNKNOWN};
  unsigned now = 0;
  phase(&decision, MAI_PATTERN_BLOCK, &now, 4, false);
  CHECK(phase(&decision, MAI_PATTERN_REVERSED, &now, 64, false) == 1);
  CHECK(decision.patience == 2);
  CHECK(phase(&decision, MAI_PATTERN_BLOCK, &now, 64, false) == 2);
  CHECK(phase(&decision, MAI_PATTERN_REVERSED, &now, 64, false) == 4);
  for (unsigned i = 0; i < 10; i++)
    phase(&decision, i % 2 ? MAI_PATTERN_REVERSED : MAI_PATTERN_BLOCK, &now, 200, false);
  CHECK(decision.patience == 64);
}

/* Pages were better placed before the move, and nothing says where else: they go back, when the loss
   is as large as the cost. */
static void what_did_not_help_is_undone(void) {
  struct mai_rental decision = {.kind = MAI_PATTERN_UNKNOWN};
  struct mai_prospect prospect = filled_by_one();
  CHECK(moved_after(&decision, &prospect, 0) == 5);
  mai_decision_moved(&decision, 0.0075, 5);
  prospect.kind = MAI_PATTERN_UNKNOWN;
  prospect.back = (struct mai_service){0, 1, 0};
  prospect.wrong_back = 0.75;
  enum mai_choice choice = MAI_CHOICE_STAY;
  unsigned second = 10;
  while (choice == MAI_CHOICE_STAY && second < 100)
    choice = mai_decide(&decision, &prospect, 0, second++);
  CHECK(choice == MAI_CHOICE_MOVE_BACK && second == 15);
  CHECK(decision.earned_in_all < 0);
  mai_decision_moved(&decision, 0.0075, second);
  CHECK(decision.patience == 2);
}

/* Nothing was moved yet, or it was no worse: nothing to go back to. */
static void nothing_is_undone_without_need(void) {
  struct mai_rental decision = {.kind = MAI_PATTERN_UNKNOWN};
  struct mai_prospect prospect = filled_by_one();
  prospect.kind = MAI_PATTERN_UNKNOWN;
  prospect.back = (struct mai_service){0, 1, 0};
  prospect.wrong_back = 0.75;
  CHECK(moved_after(&decision, &prospect, 0) == 0);
  decision.moves = 1;
  prospect.back = prospect.now;
  CHECK(moved_after(&decision, &prospect, 100) == 0);
}

/* Never more than about twice of what the best would have paid: an enemy ends the program at once
   after the move. */
static void twice_at_most(void) {
  struct mai_rental decision = {.kind = MAI_PATTERN_UNKNOWN};
  struct mai_prospect prospect = filled_by_one();
  double cost = prospect.pages * prospect.wrong * prospect.move_seconds;
  unsigned second = moved_after(&decision, &prospect, 0);
  CHECK(decision.saves * second + cost <= 2.7 * cost); /* a second's step more than 2 */
}

static void rests(void) {
  struct mai_rental decision = {.kind = MAI_PATTERN_UNKNOWN};
  CHECK(mai_decision_rest(&decision) == 0.05);
  decision.stable = 3;
  CHECK(mai_decision_rest(&decision) == 0.078125);
  decision.stable = 1000;
  CHECK(mai_decision_rest(&decision) == 10);
}

/* What was not spent before a look that is dear counts for it. */
static void pauses_by_budget(void) {
  CHECK(mai_decision_pause(0, 0.0625, 0.0625) == 1);
  CHECK(mai_decision_pause(0.75, 0.0625, 0.0625) == 0.25);
  CHECK(mai_decision_pause(2, 0.0625, 0.0625) == 0);
  CHECK(mai_decision_pause(1, 0.0625, 1) == 10); /* none is longer */
}

static void pages_by_budget(void) {
  const double fault = 1.0 / 1024;
  CHECK(mai_decision_pages(1, 0.02, 0, fault) == 20); /* of 20.48 */
  CHECK(mai_decision_pages(1, 0.02, 0.01, fault) == 10);
  CHECK(mai_decision_pages(1, 0.02, 0.03, fault) == 0);
  CHECK(mai_decision_pages(0, 0.02, 0, fault) == 0);
}

/* Powers of two are exact. */
/* What makes a node less busy counts as far as pages come nearer, but where all use them. */
static void relief_is_not_enough(void) {
  struct mai_rental decision = {.kind = MAI_PATTERN_UNKNOWN};
  struct mai_prospect prospect = filled_by_one();
  prospect.now.remote = 0.01;
  CHECK(moved_after(&decision, &prospect, 0) == 0);
  decision = (struct mai_rental){.kind = MAI_PATTERN_UNKNOWN};
  prospect.kind = MAI_PATTERN_EVERYONE;
  CHECK(moved_after(&decision, &prospect, 0) != 0);
}

/* Where there is a little to gain, or more is to be seen, rests do not get longer. */
static void looks_on(void) {
  struct mai_rental decision = {.stable = 3};
  struct mai_prospect prospect = filled_by_one();
  prospect.now = (struct mai_service){0.05, 1, 0};
  CHECK(mai_decide(&decision, &prospect, 0, 1) == MAI_CHOICE_STAY);
  CHECK(decision.stable == 3);
  prospect.kind = MAI_PATTERN_TOO_FEW;
  prospect.open = true;
  CHECK(mai_decide(&decision, &prospect, 0, 2) == MAI_CHOICE_STAY);
  CHECK(decision.stable == 0);
}

static void periods_by_threads(void) {
  CHECK(mai_decision_spread(1000000, 2) == 1000000);
  CHECK(mai_decision_spread(1000000, 64) == 32000000);
  CHECK(mai_decision_spread(64000000, 64) == 64000000);
}

static void periods_by_budget(void) {
  const double budget = 1.0 / 64, cost = 1.0 / 4096;
  CHECK(mai_decision_period(budget, cost, 0) == 15625000);
  CHECK(mai_decision_period(budget, cost / 4096, 0) == 1000000); /* none is shorter */
  CHECK(mai_decision_period(budget, cost, 0.1) == 7812500);      /* half of it has been saved */
  CHECK(mai_decision_period(budget, cost, 10) == 1000000);
}

static struct mai_service service(const uint32_t *from, const uint32_t *to, uint32_t each,
                                  size_t count) {
  uint32_t counts[64];
  struct mai_touch touches[64];
  for (unsigned i = 0; i < count; i++) {
    counts[i] = each;
    touches[i] = (struct mai_touch){i, i, 0};
  }
  return mai_service_of(&(struct mai_served){touches, from, to, counts, count, 4});
}

static void services(void) {
  const uint32_t threads[] = {0, 1, 2, 3}, first[] = {0, 0, 0, 0};
  struct mai_service apart = service(threads, first, 1, 4);
  struct mai_service home = service(threads, threads, 1, 4);
  CHECK(apart.remote == 0.75 && apart.busiest == 4 && apart.seen == 4);
  CHECK(home.remote == 0 && home.busiest == 1);
  CHECK(mai_service_price(&apart, 2) == 3.75);
  CHECK(mai_service_price(&home, 2) == 0);
  CHECK(service(NULL, NULL, 1, 0).busiest == 1);
  CHECK(service(threads, first, 1000, 4).seen == 4);
}

/* Thread 0 is at its own page all the time, and at that of another once. */
static void accesses_count_and_not_pages(void) {
  const uint32_t from[] = {0, 0}, to[] = {0, 1}, counts[] = {99, 1};
  const struct mai_touch touches[] = {{0, 0, 0}, {1, 0, 0}};
  struct mai_service mostly = mai_service_of(&(struct mai_served){touches, from, to, counts, 2, 4});
  CHECK(mostly.remote == 0.01 && mostly.seen == 1);
}

/* Of the accesses of sixteen threads to four nodes one node serves eight by chance; of those of
   sixty-four it would not serve thirty-two. */
static void few_threads_fill_no_queue(void) {
  uint32_t to[64];
  for (uint32_t i = 0; i < 64; i++)
    to[i] = i % 16 < 8 ? 0 : 1 + i % 3;
  struct mai_service few = service(to, to, 1, 16), many = service(to, to, 1, 64);
  CHECK(mai_service_price(&few, 2) == 0);
  CHECK(mai_service_price(&many, 2) > 0.2);
}

/* A move has brought something from its end on, and not from the first look behind it on: who is
   looked at seldom would be said not to pay. */
static void what_is_earned_before_the_first_look(void) {
  struct mai_rental decision = {.kind = MAI_PATTERN_UNKNOWN};
  struct mai_prospect prospect = filled_by_one();
  CHECK(moved_after(&decision, &prospect, 0) == 5);
  mai_decision_moved(&decision, 0.0075, 5);
  prospect.back = prospect.now;
  prospect.now = prospect.then;
  CHECK(mai_decide(&decision, &prospect, 0, 9) == MAI_CHOICE_STAY);
  CHECK(decision.earned > 0.009 && decision.earned < 0.042);
  mai_decision_moved(&decision, 0.0075, 9);
  CHECK(decision.patience == 0.5);
}

/* A tenth of the pages seems to be better placed elsewhere: by few accesses that may be chance. */
static void never_by_chance(void) {
  struct mai_rental decision = {.kind = MAI_PATTERN_UNKNOWN}, other = decision;
  struct mai_prospect prospect = filled_by_one();
  prospect.touches = 1000;
  prospect.now = (struct mai_service){0.2, 1, 30};
  prospect.then = (struct mai_service){0.06, 1, 30};
  prospect.wrong = 0.1;
  CHECK(moved_after(&decision, &prospect, 0) == 0);
  prospect.now.seen = 300;
  CHECK(moved_after(&other, &prospect, 0) > 0);
}

/* Where the last move has paid, so much by so few is enough, unless the threads differ. */
static void little_where_moves_have_paid(void) {
  struct mai_prospect prospect = filled_by_one();
  prospect.touches = 1000;
  prospect.now = prospect.back = (struct mai_service){0.14, 1, 8};
  prospect.then = (struct mai_service){0.04, 1, 8};
  prospect.wrong = 0.1;
  prospect.error = 0.06;
  struct mai_rental paid = {.moves = 1, .paid = 1, .earned = 1};
  struct mai_rental not_paid = {.moves = 1, .paid = 2, .earned = 1}, differ = paid;
  CHECK(moved_after(&paid, &prospect, 0) > 0);
  CHECK(moved_after(&not_paid, &prospect, 0) == 0);
  prospect.error = 0.08;
  CHECK(moved_after(&differ, &prospect, 0) == 0);
}

/* Of the touches of eight threads one in eight is at a page that another node had better have: all
   of one thread's, which may not have as much of a CPU the next time, or an eighth of each thread's.
 */
static void errors_are_those_of_threads(void) {
  struct mai_touch touches[64];
  uint32_t from[64], of_one[64], of_each[64], counts[64];
  for (uint32_t i = 0; i < 64; i++) {
    touches[i] = (struct mai_touch){i, i / 8, 0};
    from[i] = i / 16;
    of_one[i] = i < 8 ? 3 : from[i];
    of_each[i] = i % 8 == 0 ? (from[i] + 1) % 4 : from[i];
    counts[i] = 1;
  }
  const struct mai_served one = {touches, from, of_one, counts, 64, 4};
  const struct mai_served each = {touches, from, of_each, counts, 64, 4};
  double by_one = mai_service_error(&one, from), by_each = mai_service_error(&each, from);
  CHECK(by_one > 0.123 && by_one < 0.125);   /* 0.1169, and 0.0413 of so few touches */
  CHECK(by_each > 0.041 && by_each < 0.042); /* these alone */
  CHECK(mai_service_error(&one, of_one) == 0);
  CHECK(mai_service_error(&(struct mai_served){.count = 0}, from) == 0);
}

/* A thread that has more of a CPU than others just now makes its node the busiest: to take pages
   from it would relieve that, and make them remote. */
static void never_away_from_who_uses_it(void) {
  struct mai_rental decision = {.kind = MAI_PATTERN_UNKNOWN};
  struct mai_prospect prospect = filled_by_one();
  prospect.touches = 1000;
  prospect.now = (struct mai_service){0.05, 2, 8};
  prospect.then = (struct mai_service){0.2, 1.4, 8};
  prospect.wrong = 0.15;
  CHECK(moved_after(&decision, &prospect, 0) == 0);
}

/* A move that is given up soon, in which pages cost 40 times as much as usual, makes nobody wait long
   for the next one; many moves in which they do are believed. */
static void few_dear_pages_say_little(void) {
  static const double USUAL = 30e-6, DEAR = 40 * 30e-6;
  struct mai_moves_paid paid = {0};
  CHECK(mai_decision_page_seconds(&paid, USUAL) == USUAL);
  mai_decision_paid(&paid, 48 * DEAR, 48);
  CHECK(mai_decision_page_seconds(&paid, USUAL) < 3 * USUAL);
  for (int i = 0; i < 8; i++)
    mai_decision_paid(&paid, 4096 * DEAR, 4096);
  CHECK(mai_decision_page_seconds(&paid, USUAL) > 30 * USUAL);
  for (int i = 0; i < 8; i++)
    mai_decision_paid(&paid, 4096 * USUAL, 4096);
  CHECK(mai_decision_page_seconds(&paid, USUAL) < 2 * USUAL);
}

int main(void) {
  move_when_as_much_is_lost();
  soon_when_it_is_touched_often();
  by_what_threads_do();
  not_at_first_sight();
  at_first_sight_when_it_is_clear();
  at_first_sight_when_much_is_lost();
  equal_parts_may_be_unequal();
  never_where_nothing_is_gained();
  never_where_all_are_remote_anywhere();
  never_by_what_does_not_say_where();
  another_pattern_begins_anew();
  too_few_touches_change_nothing();
  nothing_known_changes_nothing();
  phases_are_known_in_time();
  who_is_wrong_is_waited_for_longer();
  what_did_not_help_is_undone();
  nothing_is_undone_without_need();
  twice_at_most();
  rests();
  pauses_by_budget();
  pages_by_budget();
  relief_is_not_enough();
  looks_on();
  periods_by_threads();
  periods_by_budget();
  services();
  accesses_count_and_not_pages();
  few_threads_fill_no_queue();
  never_away_from_who_uses_it();
  never_by_chance();
  little_where_moves_have_paid();
  what_is_earned_before_the_first_look();
  errors_are_those_of_threads();
  few_dear_pages_say_little();
  printf(failures ? "%d wrong\n" : "all right\n", failures);
  return failures != 0;
}
