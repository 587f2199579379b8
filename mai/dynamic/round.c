/*===-- round.c - looks once at what threads access --------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Arrays are looked at while the registry is locked, and held when there is something to write down
 * of them; while pages are armed none is held.  So an array may end at any time, and another one
 * begin where it was.
 */
#include "round.h"

#include <string.h>

#include "evidence.h"
#include "mai/arrays/dynamic_arrays.h"
#include "mai/arrays/lifetime.h"
#include "mai/memory/kernel.h"
#include "mai/memory/machine.h"
#include "mai/memory/memory.h"
#include "mai/threads/thread_samples.h"
#include "move.h"
#include "observation.h"
#include "opened.h"
#include "phases.h"
#include "runtime/clock.h"
#include "runtime/heap.h"

enum { LEAST_PAGES = 4 };

/* Smaller arrays stay where they are. */
enum { LEAST_BYTES = 64 << 10 };

static const double SHORTEST_REST = 0.02, REST_FOR_TEAM = 0.004; /* seconds */

/*===-- What is kept of an array -------------------------------------------===*/

struct state {
  struct mai_account account; /* what the others see */
  struct mai_rental decision;
  struct mai_phases phases;
  double due; /* it is not watched before */
  struct mai_evidence evidence;
  double rate; /* touches of a page a second */
  size_t pages;
  uint16_t before[]; /* of each page: the node before the last move, or MAI_NOT_MOVED */
};

static struct state *state_of(const struct mai_array *array) {
  return (struct state *)array->account;
}

/*===-- Which arrays -------------------------------------------------------===*/

static uintptr_t end_of(const struct mai_placement *placement) {
  return placement->start + placement->pages * placement->page_size;
}

static bool can_be_watched(const struct mai_array *array) {
  return array->policy.kind == MAI_POLICY_DYNAMIC && !array->replicas && !array->error &&
         array->placement.page_size == mai_machine()->page_size &&
         array->placement.pages * array->placement.page_size >= LEAST_BYTES;
}

/* Touches of an array that may say something, with those that are kept. */
static size_t enough_of(const struct state *state) {
  return state ? mai_evidence_wanted(&state->evidence) : MAI_LEAST_TOUCHES;
}

static struct mai_entry entry_of(const struct mai_array *array) {
  return (struct mai_entry){.shape = array->shape,
                            .pages = array->pages,
                            .enough = enough_of(state_of(array)),
                            .begin = array->placement.start,
                            .end = end_of(&array->placement),
                            .page_size = array->placement.page_size};
}

/* In the registry, while it is locked. */
static bool look(const struct mai_array *array, void *context) {
  struct mai_turn *turn = context;
  const struct state *state = state_of(array);
  turn->behind = mai_array_end(array);
  if (!can_be_watched(array))
    return true;
  if (state && state->due > turn->now) {
    if (turn->due == 0 || state->due < turn->due)
      turn->due = state->due;
  } else {
    turn->entries[turn->count++] = entry_of(array);
  }
  return true;
}

static bool are_sampled(const struct mai_round *round) {
  return round->costs->sample > 0 && !round->at_random;
}

/* A part of a huge page that is watched would take the whole one apart, which makes the program
   slower; only where there are fewer of them than threads is that what placing needs.  Samples take
   nothing apart, and threads may share huge pages in ways that only their parts show. */
static size_t unit_of(const struct mai_round *round, const struct mai_entry *entry,
                      unsigned threads) {
  size_t huge = are_sampled(round) ? 0 : entry->pages.huge;
  return huge && (entry->end - entry->begin) / huge >= threads ? huge : entry->page_size;
}

static void find_arrays_at(double now, struct mai_turn *turn, size_t most) {
  *turn = (struct mai_turn){.now = now, .entries = turn->entries};
  while (turn->count < most && mai_registry_look(turn->behind, UINTPTR_MAX, look, turn))
    ;
}

/* Samples tell of all arrays at once, so that these are looked at together, unless they are too
   many. */
static void find_arrays(const struct mai_round *round, struct mai_turn *turn, size_t most,
                        unsigned threads) {
  bool together = round->news || are_sampled(round);
  find_arrays_at(together ? __builtin_inf() : minas_now(), turn, most);
  if (together && turn->count == most)
    find_arrays_at(minas_now(), turn, most);
  for (size_t i = 0; i < turn->count; i++)
    turn->entries[i].unit = unit_of(round, &turn->entries[i], threads);
}

/*===-- What they say ------------------------------------------------------===*/

static void keep(struct state *state, const struct mai_team *team, struct mai_touch touch,
                 uint32_t node, uint32_t count) {
  if (touch.thread < team->threads)
    mai_evidence_add(&state->evidence, touch, team->nodes[touch.thread], node, count);
}

static void keep_written(struct state *state, const struct mai_team *team,
                         const struct mai_entry *entry, const struct mai_watched *page,
                         uint32_t node) {
  unsigned thread = mai_thread_sample_of_number(page->thread);
  size_t unit = page->begin / entry->unit - entry->begin / entry->unit;
  keep(state, team, (struct mai_touch){unit, thread, page->region}, node, 1);
  state->account.touches++;
}

/* Of pages that are written at random times, this rate is the likeliest. */
static void add_sample(struct state *state, const struct mai_team *team,
                       const struct mai_entry *entry, const struct mai_watched_sample *sample) {
  double seconds = 0;
  size_t written = 0;
  for (size_t i = entry->first; i < entry->first + entry->count; i++) {
    const struct mai_watched *page = &sample->pages[i];
    seconds += page->after;
    if (!page->thread)
      continue;
    written++;
    keep_written(state, team, entry, page, sample->nodes[i]);
  }
  state->rate = seconds > 0 ? (double)written / seconds : 0;
  state->account.watched += entry->count;
}

/* Pages that are not there yet are nowhere. */
static void add_hits(struct state *state, const struct mai_team *team,
                     const struct mai_entry *entry) {
  for (size_t i = 0; i < entry->hit_count; i++) {
    const struct mai_hit *hit = &entry->hits[i];
    int node;
    if (mai_kernel_where(mai_entry_unit(entry, hit->unit).begin, entry->page_size, 1, &node) == 0 &&
        node >= 0)
      keep(state, team, (struct mai_touch){hit->unit, hit->thread, hit->region}, (uint32_t)node,
           hit->count);
  }
  state->account.sampled += entry->sampled;
}

/* Of rows that are whole units. */
static size_t units_of_row(const struct mai_entry *entry) {
  const struct mai_shape *shape = &entry->shape;
  bool whole = shape->dimensions > 1 && shape->strides[0] % entry->unit == 0;
  return whole ? shape->strides[0] / entry->unit : 0;
}

/* Policies count parts of an array that may be other ones than those that are watched. */
static size_t parts_of(const struct mai_entry *entry, size_t units) {
  size_t part = mai_memory_part_size(mai_machine(), entry->shape.bytes, &entry->pages);
  size_t parts = units * entry->unit / part;
  return units && !parts ? 1 : parts;
}

static bool is_in_memory(const struct mai_entry *entry, size_t unit) {
  int node;
  return mai_kernel_where(mai_entry_unit(entry, unit).begin, entry->page_size, 1, &node) == 0 &&
         node >= 0;
}

/* Arrays that are made for more than there is are filled from the first unit on: where that ends
   is found by halves.  @return how many units are in use; 0: all, as far as is known */
static size_t units_in_use(const struct mai_entry *entry) {
  size_t first = 0, last = mai_entry_units(entry);
  while (first < last) {
    size_t middle = (first + last) / 2;
    if (is_in_memory(entry, middle))
      first = middle + 1;
    else
      last = middle;
  }
  return first;
}

static void infer(struct state *state, const struct mai_team *team, const struct mai_entry *entry,
                  struct mai_pattern *pattern) {
  const struct mai_touched touched = {.pages = mai_entry_units(entry),
                                      .row_pages = units_of_row(entry),
                                      .threads = team->threads,
                                      .nodes = team->nodes,
                                      .used = units_in_use(entry)};
  mai_evidence_infer(&state->evidence, touched, minas_now(), pattern);
  pattern->chunk = parts_of(entry, pattern->chunk);
}

/* Any pattern that says where, whatever has been seen. */
static void draw_pattern(struct mai_pattern *pattern) {
  static const enum mai_pattern_kind kinds[] = {MAI_PATTERN_BLOCK, MAI_PATTERN_REVERSED,
                                                MAI_PATTERN_BLOCK_CYCLIC, MAI_PATTERN_EVERYONE};
  pattern->kind = kinds[mai_draw(sizeof kinds / sizeof *kinds)];
  pattern->chunk = 1 + mai_draw(16);
}

/*===-- Deciding and moving ------------------------------------------------===*/

static struct mai_moves_paid paid;

static double move_seconds(const struct mai_round *round) {
  return mai_decision_page_seconds(&paid, round->costs->move);
}

/* Where the touched pages would be. */
static void find_targets(const struct state *state, const struct mai_entry *entry,
                         const struct mai_placement *placement, uint32_t *targets) {
  for (size_t i = 0; i < state->evidence.count; i++) {
    struct mai_watched unit = mai_entry_unit(entry, state->evidence.touches[i].page);
    size_t page = (unit.begin - placement->start) / placement->page_size;
    targets[i] = mai_placement_node(placement, page);
  }
}

/* Where they were before the last move. */
static void find_origins(const struct state *state, const struct mai_entry *entry,
                         uint32_t *origins) {
  for (size_t i = 0; i < state->evidence.count; i++) {
    struct mai_watched unit = mai_entry_unit(entry, state->evidence.touches[i].page);
    uint16_t before = state->before[(unit.begin - entry->begin) / entry->page_size];
    origins[i] = before == MAI_NOT_MOVED ? state->evidence.at[i] : before;
  }
}

/* @param placement where the pattern says; NULL: it does not say where */
static struct mai_prospect prospect_of(const struct mai_round *round, const struct state *state,
                                       const struct mai_entry *entry,
                                       const struct mai_placement *placement,
                                       const struct mai_pattern *pattern) {
  uint32_t targets[MAI_MOST_KEPT], origins[MAI_MOST_KEPT];
  struct mai_prospect prospect = {.kind = pattern->kind,
                                  .open = pattern->open,
                                  .clear = pattern->clear,
                                  .factor = numarch_max_factor(mai_machine()->topology),
                                  .touches = state->rate,
                                  .line_seconds = round->costs->line,
                                  .page_bytes = (double)entry->page_size,
                                  .pages = (double)state->pages,
                                  .move_seconds = move_seconds(round)};
  if (placement)
    find_targets(state, entry, placement, targets);
  find_origins(state, entry, origins);
  mai_evidence_weigh(&state->evidence, placement ? targets : state->evidence.at, origins,
                     mai_machine()->node_count, minas_now(), &prospect);
  return prospect;
}

/* The program may end before the move does.
   @param when it begins, in seconds after the first array got the policy */
static void note_begin(struct mai_account *account, const char *policy, double saves, double when) {
  if (account->moves++ == 0)
    account->first_move = when;
  account->last_move = when;
  account->moving = true;
  account->saved_a_second = saves;
  memcpy(account->policy, policy, sizeof account->policy);
}

static void note_end(struct mai_account *account, const struct mai_moved *moved) {
  account->moving = false;
  account->move_seconds += moved->seconds;
  if (moved->longest_wait > account->longest_wait)
    account->longest_wait = moved->longest_wait;
  account->full = moved->full;
  mai_decision_paid(&paid, moved->seconds, moved->pages);
}

static void note_pattern(struct state *state, const struct mai_pattern *pattern) {
  mai_evidence_end(&state->evidence, pattern->kind);
  if (pattern->kind == MAI_PATTERN_TOO_FEW)
    return;
  state->account.pattern = mai_pattern_name(pattern);
  state->account.confidence = pattern->confidence;
}

/* What may be done with an array, and what is chosen. */
struct outcome {
  enum mai_choice choice;
  struct mai_phase phase;         /* in which it is to be moved */
  struct mai_placement placement; /* of the pattern, where it says one */
  char policy[sizeof((struct mai_account *)0)->policy];
};

static void note_phase(struct mai_phases *phases, const struct outcome *outcome) {
  if (outcome->choice == MAI_CHOICE_MOVE)
    mai_phases_move(phases, &outcome->phase, minas_now());
  else
    mai_phases_leave(phases);
}

/* Of what is held, which is released.  The state is the array's, and may end with it. */
static void move(const struct mai_round *round, const struct mai_team *team,
                 struct mai_array *array, struct outcome *outcome) {
  const void *start = (const void *)array->shape.start;
  const struct mai_account *account = array->account;
  struct mai_moved moved;
  const struct mai_moving moving = {.busy = mai_observation_busy(team),
                                    .saves = outcome->phase.saves,
                                    .region = outcome->phase.region,
                                    .before = state_of(array)->before,
                                    .is_to_end = round->is_to_end};
  note_phase(&state_of(array)->phases, outcome);
  note_begin(&state_of(array)->account, outcome->policy, state_of(array)->decision.saves,
             minas_now() - round->begun);
  mai_move(array, &outcome->placement, &moving, &moved);
  array = mai_registry_hold(start);
  if (array && array->account == account) {
    struct state *state = state_of(array);
    note_end(&state->account, &moved);
    mai_decision_moved(&state->decision, moved.seconds, minas_now());
    mai_evidence_forget(&state->evidence);
    if (moved.given_up)
      mai_phases_give_up(&state->phases);
  }
  if (array)
    mai_registry_release(array);
}

static enum mai_choice draw_choice(const struct state *state) {
  return state->decision.moves && mai_draw(4) == 0 ? MAI_CHOICE_MOVE_BACK : MAI_CHOICE_MOVE;
}

/* In which phase an array is, where that is known; else of no region. */
static struct mai_phase see_phase(struct state *state, const struct mai_pattern *pattern) {
  bool enough = pattern->kind != MAI_PATTERN_TOO_FEW;
  const struct mai_evidence *evidence = &state->evidence;
  struct mai_phase phase = {.region =
                                enough ? mai_phases_region(evidence->touches, evidence->count) : 0,
                            .kind = pattern->kind,
                            .chunk = pattern->chunk};
  if (phase.region)
    mai_phases_see(&state->phases, &phase, minas_now());
  return phase;
}

static void choose(const struct mai_round *round, const struct mai_team *team,
                   const struct mai_entry *entry, const struct mai_array *array,
                   struct outcome *outcome) {
  struct state *state = state_of(array);
  struct mai_pattern pattern;
  infer(state, team, entry, &pattern);
  if (round->at_random)
    draw_pattern(&pattern);
  bool placed = mai_pattern_place(&pattern, array, team->threads, &outcome->placement,
                                  outcome->policy, sizeof outcome->policy) == 0;
  const struct mai_prospect prospect =
      prospect_of(round, state, entry, placed ? &outcome->placement : NULL, &pattern);
  outcome->choice = mai_decide(&state->decision, &prospect, pattern.chunk, minas_now());
  state->account.saved_seconds = state->decision.earned_in_all;
  if (round->at_random)
    outcome->choice = placed ? draw_choice(state) : MAI_CHOICE_STAY;
  outcome->phase = see_phase(state, &pattern);
  outcome->phase.saves = state->decision.saves;
  outcome->phase.wrong = prospect.wrong;
  note_pattern(state, &pattern);
}

/* Nothing has been found that could be written down for the next time. */
static int choose_back(const struct mai_array *array, struct outcome *outcome) {
  mai_placement_free(&outcome->placement);
  *outcome->policy = '\0';
  return mai_pattern_place_back(array, state_of(array)->before, &outcome->placement);
}

/* What is to be done is known from the last time that a region ran.
   @param seen in it, as far as anything has been
   @return whether it is */
static bool recall(const struct mai_round *round, const struct mai_team *team,
                   const struct mai_entry *entry, const struct mai_array *array,
                   const struct mai_phase *seen, struct outcome *outcome) {
  const struct state *state = state_of(array);
  const struct mai_phase *phase = mai_phases_recall(&state->phases, seen, &state->decision,
                                                    (double)state->pages * move_seconds(round));
  if (!phase || round->at_random)
    return false;
  struct mai_pattern pattern = {.kind = phase->kind, .chunk = phase->chunk};
  struct outcome recalled = {.choice = MAI_CHOICE_MOVE, .phase = *phase};
  mai_pattern_end_early(&pattern, mai_entry_units(entry), units_in_use(entry), team->threads);
  if (mai_pattern_place(&pattern, array, team->threads, &recalled.placement, recalled.policy,
                        sizeof recalled.policy) != 0)
    return false;
  mai_placement_free(&outcome->placement);
  *outcome = recalled;
  return true;
}

/* An array that is held is decided about, and released. */
static void decide(const struct mai_round *round, const struct mai_team *team,
                   const struct mai_entry *entry, struct mai_array *array) {
  struct outcome outcome = {.choice = MAI_CHOICE_STAY};
  choose(round, team, entry, array, &outcome);
  if (outcome.choice != MAI_CHOICE_MOVE)
    recall(round, team, entry, array, &outcome.phase, &outcome);
  if (outcome.choice == MAI_CHOICE_MOVE_BACK && choose_back(array, &outcome) != 0)
    outcome.choice = MAI_CHOICE_STAY;
  if (outcome.choice != MAI_CHOICE_STAY) {
    move(round, team, array, &outcome);
    return;
  }
  mai_placement_free(&outcome.placement);
  mai_registry_release(array);
}

static struct mai_account *new_account(size_t pages) {
  struct state *state = minas_alloc(sizeof *state + pages * sizeof *state->before);
  if (!state)
    return NULL;
  state->pages = pages;
  return &state->account;
}

/* The array of an entry, held, if it is still the same. */
static struct mai_array *hold(const struct mai_entry *entry) {
  struct mai_array *array = mai_lifetime_hold((const void *)entry->shape.start, MAI_TO_CHANGE);
  if (!array)
    return NULL;
  if (!array->account)
    array->account = new_account(array->placement.pages);
  if (array->account && can_be_watched(array) && array->placement.start == entry->begin &&
      end_of(&array->placement) == entry->end && state_of(array)->pages == array->placement.pages)
    return array;
  mai_registry_release(array);
  return NULL;
}

/*===-- A round ------------------------------------------------------------===*/

static double rest_of(const struct mai_round *round, const struct state *state) {
  return round->at_random ? 0.001 : mai_decision_rest(&state->decision);
}

/* @return when it is due again; 0: it is not there any more */
static double learn(const struct mai_round *round, const struct mai_team *team,
                    const struct mai_entry *entry, const struct mai_observation *seen) {
  struct mai_array *array = hold(entry);
  if (!array)
    return 0;
  struct state *state = state_of(array);
  double due = minas_now() + rest_of(round, state);
  state->account.watch_seconds += seen->cost_each + entry->samples * round->costs->sample;
  add_sample(state, team, entry, &seen->sample);
  add_hits(state, team, entry);
  mai_evidence_look(&state->evidence, seen->seconds,
                    entry->samples * seen->busy_each * seen->seconds, minas_now());
  state->account.watches++;
  state->due = due;
  decide(round, team, entry, array);
  return due;
}

static void learn_all(const struct mai_round *round, const struct mai_team *team,
                      struct mai_turn *turn, const struct mai_observation *seen) {
  for (size_t i = 0; i < turn->count && !round->is_to_end(); i++) {
    double due = learn(round, team, &turn->entries[i], seen);
    if (due > 0 && (turn->due == 0 || due < turn->due))
      turn->due = due;
  }
}

/* Of all regions that are new, as a phase may have several: which one is open just now is chance.
 */
static bool recall_any(const struct mai_round *round, const struct mai_team *team,
                       const struct mai_entry *entry, const struct mai_array *array,
                       struct outcome *outcome) {
  static const double LATELY = 0.1;
  struct mai_region_list regions = {.count = 0};
  mai_opened_since(minas_now() - LATELY, &regions);
  for (size_t i = 0; i < regions.count && i < MAI_MOST_REGIONS; i++) {
    const struct mai_phase news = {.region = regions.list[i], .kind = MAI_PATTERN_TOO_FEW};
    if (!mai_observation_knows(news.region) && recall(round, team, entry, array, &news, outcome))
      return true;
  }
  return false;
}

/* Before anything is seen of a region that has run before. */
static void recall_all(const struct mai_round *round, const struct mai_team *team,
                       const struct mai_turn *turn) {
  for (size_t i = 0; i < turn->count && !round->is_to_end(); i++) {
    struct outcome outcome = {.choice = MAI_CHOICE_STAY};
    struct mai_array *array = hold(&turn->entries[i]);
    if (array && recall_any(round, team, &turn->entries[i], array, &outcome))
      move(round, team, array, &outcome);
    else if (array)
      mai_registry_release(array);
  }
}

static double watch_arrays(const struct mai_round *round, const struct mai_team *team,
                           struct mai_turn *turn) {
  struct mai_observation observation;
  if (round->news)
    recall_all(round, team, turn);
  if (mai_observation_take(round, team, turn, &observation))
    learn_all(round, team, turn, &observation);
  mai_observation_end(&observation);
  return observation.cost;
}

/* Arrays that the budget has no pages for have their turn in the next round. */
static size_t most_arrays(const struct mai_round *round) {
  size_t most = round->costs->sample > 0 ? MAI_MOST_ARRAYS : round->most_pages / LEAST_PAGES;
  return most < MAI_MOST_ARRAYS ? most : MAI_MOST_ARRAYS;
}

/* The threads of a team come one after the other when the first region is opened; who is never seen
   is not waited for for ever. */
static bool is_to_wait_for(const struct mai_team *team) {
  enum { MOST_WAITS = 125 };
  static unsigned waits;
  unsigned thread = 0;
  while (thread < team->threads && team->numbers[thread])
    thread++;
  return thread < team->threads && waits++ < MOST_WAITS;
}

double mai_round_run(const struct mai_round *round, double *cost) {
  struct mai_turn turn = {.count = 0};
  struct mai_team team;
  size_t most = most_arrays(round);
  *cost = 0;
  if (!mai_team_find(&team))
    return -1;
  if (is_to_wait_for(&team))
    return REST_FOR_TEAM;
  turn.entries = minas_alloc_list(MAI_MOST_ARRAYS, sizeof *turn.entries);
  if (!turn.entries)
    return -1;
  find_arrays(round, &turn, most, team.threads);
  if (turn.count)
    *cost = watch_arrays(round, &team, &turn);
  minas_free(turn.entries);
  if (turn.count == most)
    return SHORTEST_REST;
  return turn.due > 0 ? (turn.due > minas_now() ? turn.due - minas_now() : 0) : -1;
}
