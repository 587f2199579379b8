/*===-- round.c - watches a sample of pages once ----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Arrays are looked at while the registry is locked, and held when there is something to write down
 * of them; while pages are armed none is held.  So an array may end at any time, and another one
 * begin where it was.
 */
#include "round.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "decision.h"
#include "inference.h"
#include "mai/arrays/dynamic_arrays.h"
#include "mai/arrays/lifetime.h"
#include "mai/memory/kernel.h"
#include "mai/memory/machine.h"
#include "mai/memory/memory.h"
#include "mai/threads/thread_samples.h"
#include "mai/threads/threads.h"
#include "move.h"
#include "runtime/heap.h"
#include "watch.h"

enum { MOST_ARRAYS = 64, MOST_PAGES = 256, LEAST_PAGES = 16, MOST_KEPT = 256 };

/* Smaller arrays stay where they are. */
enum { LEAST_BYTES = 256 << 10 };

static const double LONGEST_WATCH = 0.3, SHORTEST_REST = 0.02;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* What this thread takes from the program where all CPUs are busy. */
static double own_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/*===-- What is kept of an array -------------------------------------------===*/

struct state {
  struct mai_account account; /* what the others see */
  struct mai_rental decision;
  double due; /* it is not watched before */
  size_t count;
  struct mai_touch touches[MOST_KEPT]; /* that have not said anything yet */
  uint32_t from[MOST_KEPT];            /* the node of who touched, ... */
  uint32_t at[MOST_KEPT];              /* ... and of the page */
  double rate;                         /* touches of a page a second */
};

static struct state *state_of(const struct mai_array *array) {
  return (struct state *)array->account;
}

/*===-- Which arrays -------------------------------------------------------===*/

/* An array whose turn it is, as it was when it was looked at. */
struct entry {
  struct mai_shape shape;
  struct mai_page_sizes pages;
  uintptr_t begin; /* its placed pages */
  uintptr_t end;
  size_t page_size;
  size_t unit;         /* bytes that are watched as one */
  size_t first, count; /* its pages in the sample */
};

struct turn {
  double now;
  double due; /* of the next array whose turn it is not yet; 0: none */
  uintptr_t behind;
  struct entry *entries;
  size_t count;
};

static uintptr_t end_of(const struct mai_placement *placement) {
  return placement->start + placement->pages * placement->page_size;
}

static bool can_be_watched(const struct mai_array *array) {
  return array->policy.kind == MAI_POLICY_DYNAMIC && !array->replicas && !array->error &&
         array->placement.page_size == mai_machine()->page_size &&
         array->placement.pages * array->placement.page_size >= LEAST_BYTES;
}

static struct entry entry_of(const struct mai_array *array) {
  return (struct entry){.shape = array->shape,
                        .pages = array->pages,
                        .begin = array->placement.start,
                        .end = end_of(&array->placement),
                        .page_size = array->placement.page_size};
}

/* In the registry, while it is locked. */
static bool look(const struct mai_array *array, void *context) {
  struct turn *turn = context;
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

/* A part of a huge page that is watched would take the whole one apart, which makes the program
   slower; only where there are fewer of them than threads is that what placing needs. */
static size_t unit_of(const struct entry *entry, unsigned threads) {
  size_t huge = entry->pages.huge;
  return huge && (entry->end - entry->begin) / huge >= threads ? huge : entry->page_size;
}

static void find_arrays(struct turn *turn, size_t most, unsigned threads) {
  while (turn->count < most && mai_registry_look(turn->behind, UINTPTR_MAX, look, turn))
    ;
  for (size_t i = 0; i < turn->count; i++)
    turn->entries[i].unit = unit_of(&turn->entries[i], threads);
}

/*===-- Which pages --------------------------------------------------------===*/

struct sample {
  struct mai_watched *pages;
  uint32_t *nodes; /* where each of them is */
  size_t count;
};

/* Any number, another one each time. */
static size_t draw(size_t below) {
  static uint64_t seed;
  seed = seed * 6364136223846793005U + 1442695040888963407U;
  return (size_t)(seed >> 33) % below;
}

static size_t units_of(const struct entry *entry) {
  return (entry->end - 1) / entry->unit - entry->begin / entry->unit + 1;
}

static struct mai_watched unit_at(const struct entry *entry, size_t index) {
  uintptr_t begin = (entry->begin / entry->unit + index) * entry->unit;
  uintptr_t end = begin + entry->unit;
  return (struct mai_watched){.begin = begin > entry->begin ? begin : entry->begin,
                              .end = end < entry->end ? end : entry->end};
}

/* Pages that nobody has touched yet have nothing to protect. */
static void add_page(const struct entry *entry, size_t index, struct sample *sample) {
  struct mai_watched page = unit_at(entry, index);
  int node;
  if (mai_kernel_where(page.begin, entry->page_size, 1, &node) != 0 || node < 0)
    return;
  sample->nodes[sample->count] = (uint32_t)node;
  sample->pages[sample->count++] = page;
}

/* One out of each of `wanted` equal parts. */
static void add_pages(struct entry *entry, size_t wanted, struct sample *sample) {
  size_t units = units_of(entry);
  wanted = wanted < units ? wanted : units;
  entry->first = sample->count;
  for (size_t i = 0; i < wanted; i++) {
    size_t begin = units * i / wanted, end = units * (i + 1) / wanted;
    add_page(entry, begin + draw(end - begin), sample);
  }
  entry->count = sample->count - entry->first;
}

static int make_sample(struct turn *turn, size_t most, struct sample *sample) {
  size_t each = most / turn->count;
  each = each < MOST_PAGES ? each : MOST_PAGES;
  sample->count = 0;
  sample->pages = minas_alloc_list(each * turn->count + 1, sizeof *sample->pages);
  sample->nodes = minas_alloc_list(each * turn->count + 1, sizeof *sample->nodes);
  if (!sample->pages || !sample->nodes)
    return -1;
  for (size_t i = 0; i < turn->count; i++)
    add_pages(&turn->entries[i], each, sample);
  return 0;
}

static int watch(const struct mai_round *round, const struct turn *turn, struct sample *sample) {
  struct mai_watched_range ranges[MOST_ARRAYS];
  for (size_t i = 0; i < turn->count; i++)
    ranges[i] = (struct mai_watched_range){turn->entries[i].begin, turn->entries[i].end};
  return mai_watch(&(struct mai_watching){.ranges = ranges,
                                          .range_count = turn->count,
                                          .pages = sample->pages,
                                          .count = sample->count,
                                          .seconds = LONGEST_WATCH,
                                          .is_to_end = round->is_to_end,
                                          .region = round->region});
}

/*===-- What they say ------------------------------------------------------===*/

/* The team as it is now: the node of each of its threads, by OS index.  Nothing is learnt of
   threads that nobody keeps on a node. */
struct team {
  unsigned threads;
  uint32_t nodes[MAI_MOST_TOUCHING];
};

static bool find_team(struct team *team) {
  const numarch_t *topology = mai_machine()->topology;
  team->threads = mai_threads_team_size_now();
  if (team->threads > MAI_MOST_TOUCHING)
    return false;
  for (unsigned thread = 0; thread < team->threads; thread++) {
    const struct numarch_node *node = numarch_get_node(topology, mai_threads_node(thread));
    if (!node)
      return false;
    team->nodes[thread] = node->os_index;
  }
  return true;
}

/* The older half goes when there is no room. */
static void make_room(struct state *state) {
  size_t half = MOST_KEPT / 2;
  if (state->count < MOST_KEPT)
    return;
  memmove(state->touches, state->touches + half, half * sizeof *state->touches);
  memmove(state->from, state->from + half, half * sizeof *state->from);
  memmove(state->at, state->at + half, half * sizeof *state->at);
  state->count = half;
}

static void keep(struct state *state, const struct team *team, const struct entry *entry,
                 const struct mai_watched *page, uint32_t node) {
  unsigned thread = mai_thread_sample_of_number(page->thread);
  if (thread >= team->threads)
    return;
  make_room(state);
  size_t index = page->begin / entry->unit - entry->begin / entry->unit;
  state->touches[state->count] = (struct mai_touch){index, thread, page->region};
  state->from[state->count] = team->nodes[thread];
  state->at[state->count++] = node;
  state->account.touches++;
}

/* Of pages that are written at random times, this rate is the likeliest. */
static void add_sample(struct state *state, const struct team *team, const struct entry *entry,
                       const struct sample *sample) {
  double seconds = 0;
  size_t written = 0;
  for (size_t i = entry->first; i < entry->first + entry->count; i++) {
    const struct mai_watched *page = &sample->pages[i];
    seconds += page->after;
    if (!page->thread)
      continue;
    written++;
    keep(state, team, entry, page, sample->nodes[i]);
  }
  state->rate = seconds > 0 ? (double)written / seconds : 0;
  state->account.watches++;
  state->account.watched += entry->count;
}

/* Of rows that are whole units. */
static size_t units_of_row(const struct entry *entry) {
  const struct mai_shape *shape = &entry->shape;
  bool whole = shape->dimensions > 1 && shape->strides[0] % entry->unit == 0;
  return whole ? shape->strides[0] / entry->unit : 0;
}

/* Policies count parts of an array that may be other ones than those that are watched. */
static size_t parts_of(const struct entry *entry, size_t units) {
  size_t part = mai_memory_part_size(mai_machine(), entry->shape.bytes, &entry->pages);
  size_t parts = units * entry->unit / part;
  return units && !parts ? 1 : parts;
}

static void infer(const struct state *state, const struct team *team, const struct entry *entry,
                  struct mai_pattern *pattern) {
  struct mai_touched touched = {.touches = state->touches,
                                .count = state->count,
                                .pages = units_of(entry),
                                .row_pages = units_of_row(entry),
                                .threads = team->threads,
                                .nodes = team->nodes};
  mai_infer(&touched, pattern);
  pattern->chunk = parts_of(entry, pattern->chunk);
}

/* Any pattern that says where, whatever has been seen. */
static void draw_pattern(struct mai_pattern *pattern) {
  static const enum mai_pattern_kind kinds[] = {MAI_PATTERN_BLOCK, MAI_PATTERN_REVERSED,
                                                MAI_PATTERN_BLOCK_CYCLIC, MAI_PATTERN_EVERYONE};
  pattern->kind = kinds[draw(sizeof kinds / sizeof *kinds)];
  pattern->chunk = 1 + draw(16);
}

/*===-- Deciding and moving ------------------------------------------------===*/

/* What moving has cost so far; before, what the kernel needs for a page of 4 KiB. */
static struct {
  double seconds;
  size_t pages;
} moves = {4e-6, 1};

/* Where the touched pages would be. */
static size_t find_targets(const struct state *state, const struct entry *entry,
                           const struct mai_placement *placement, uint32_t *targets) {
  size_t wrong = 0;
  for (size_t i = 0; i < state->count; i++) {
    struct mai_watched unit = unit_at(entry, state->touches[i].page);
    size_t page = (unit.begin - placement->start) / placement->page_size;
    targets[i] = mai_placement_node(placement, page);
    wrong += targets[i] != state->at[i];
  }
  return wrong;
}

static struct mai_prospect prospect_of(const struct mai_round *round, const struct state *state,
                                       const struct entry *entry,
                                       const struct mai_placement *placement,
                                       enum mai_pattern_kind kind) {
  const struct mai_machine *machine = mai_machine();
  uint32_t targets[MOST_KEPT];
  size_t wrong = find_targets(state, entry, placement, targets);
  return (struct mai_prospect){
      .kind = kind,
      .now = mai_service_of(state->from, state->at, state->count, machine->node_count),
      .then = mai_service_of(state->from, targets, state->count, machine->node_count),
      .factor = numarch_max_factor(machine->topology),
      .touches = state->rate,
      .line_seconds = round->line_seconds,
      .page_bytes = (double)placement->page_size,
      .pages = (double)placement->pages,
      .wrong = state->count ? (double)wrong / (double)state->count : 0,
      .move_seconds = moves.seconds / (double)moves.pages};
}

static void note_move(struct mai_account *account, const struct mai_moved *moved,
                      const char *policy, double saves) {
  account->moves++;
  account->moved_pages += moved->pages;
  account->move_seconds += moved->seconds;
  account->full = moved->full;
  account->saved_a_second = saves;
  memcpy(account->policy, policy, sizeof account->policy);
  moves.seconds += moved->seconds;
  moves.pages += moved->pages;
}

/* Of what is held, which is released.  The state is the array's, and may end with it. */
static void move(const struct mai_round *round, struct mai_array *array,
                 struct mai_placement *placement, const char *policy) {
  const void *start = (const void *)array->shape.start;
  const struct mai_account *account = array->account;
  struct mai_moved moved;
  mai_move(array, placement, round->is_to_end, &moved);
  array = mai_registry_hold(start);
  if (array && array->account == account) {
    struct state *state = state_of(array);
    note_move(&state->account, &moved, policy, state->decision.saves);
    mai_decision_moved(&state->decision);
  }
  if (array)
    mai_registry_release(array);
}

static void note_pattern(struct state *state, const struct mai_pattern *pattern) {
  state->account.pattern = mai_pattern_name(pattern->kind);
  state->account.confidence = pattern->confidence;
  if (pattern->kind != MAI_PATTERN_UNKNOWN)
    state->count = 0;
}

/* An array that is held is decided about, and released. */
static void decide(const struct mai_round *round, const struct team *team,
                   const struct entry *entry, struct mai_array *array) {
  struct state *state = state_of(array);
  struct mai_pattern pattern;
  struct mai_placement placement = {0};
  struct mai_prospect prospect = {.kind = MAI_PATTERN_UNKNOWN, .now.busiest = 1, .then.busiest = 1};
  char policy[sizeof state->account.policy] = "";
  infer(state, team, entry, &pattern);
  if (round->at_random)
    draw_pattern(&pattern);
  bool placed =
      mai_pattern_place(&pattern, array, team->threads, &placement, policy, sizeof policy) == 0;
  if (placed)
    prospect = prospect_of(round, state, entry, &placement, pattern.kind);
  bool pays = mai_decide(&state->decision, &prospect, pattern.chunk, now());
  note_pattern(state, &pattern);
  if (placed && (pays || round->at_random)) {
    move(round, array, &placement, policy);
    return;
  }
  mai_placement_free(&placement);
  mai_registry_release(array);
}

/* The array of an entry, held, if it is still the same. */
static struct mai_array *hold(const struct entry *entry) {
  struct mai_array *array = mai_lifetime_hold((const void *)entry->shape.start, MAI_TO_CHANGE);
  if (!array)
    return NULL;
  if (!array->account)
    array->account = minas_alloc(sizeof(struct state));
  if (array->account && can_be_watched(array) && array->placement.start == entry->begin &&
      end_of(&array->placement) == entry->end)
    return array;
  mai_registry_release(array);
  return NULL;
}

/*===-- A round ------------------------------------------------------------===*/

static double rest_of(const struct mai_round *round, struct state *state, double cost) {
  state->account.watch_seconds += cost;
  return round->at_random ? 0.001 : mai_decision_rest(&state->decision, round->budget, cost);
}

/* @return when it is due again; 0: it is not there any more */
static double learn(const struct mai_round *round, const struct team *team,
                    const struct entry *entry, const struct sample *sample, double cost) {
  struct mai_array *array = hold(entry);
  if (!array)
    return 0;
  struct state *state = state_of(array);
  double due = now() + rest_of(round, state, cost);
  add_sample(state, team, entry, sample);
  state->due = due;
  decide(round, team, entry, array);
  return due;
}

static void learn_all(const struct mai_round *round, const struct team *team, struct turn *turn,
                      const struct sample *sample, double cost) {
  for (size_t i = 0; i < turn->count && !round->is_to_end(); i++) {
    double due = learn(round, team, &turn->entries[i], sample, cost / (double)turn->count);
    if (due > 0 && (turn->due == 0 || due < turn->due))
      turn->due = due;
  }
}

static double watch_arrays(const struct mai_round *round, const struct team *team,
                           struct turn *turn) {
  struct sample sample;
  double begin = own_seconds();
  double cost = 0;
  if (make_sample(turn, round->most_pages, &sample) == 0 && watch(round, turn, &sample) == 0) {
    size_t written = 0;
    for (size_t i = 0; i < sample.count; i++)
      written += sample.pages[i].thread != 0;
    cost = own_seconds() - begin + (double)written * round->fault_seconds;
    learn_all(round, team, turn, &sample, cost);
  }
  minas_free(sample.pages);
  minas_free(sample.nodes);
  return cost;
}

/* Arrays that the budget has no pages for have their turn in the next round. */
static size_t most_arrays(const struct mai_round *round) {
  size_t most = round->most_pages / LEAST_PAGES;
  return most < MOST_ARRAYS ? most : MOST_ARRAYS;
}

double mai_round_run(const struct mai_round *round, double *cost) {
  struct turn turn = {.now = now()};
  struct team team;
  size_t most = most_arrays(round);
  *cost = 0;
  if (!find_team(&team))
    return -1;
  turn.entries = minas_alloc_list(MOST_ARRAYS, sizeof *turn.entries);
  if (!turn.entries)
    return -1;
  find_arrays(&turn, most, team.threads);
  if (turn.count)
    *cost = watch_arrays(round, &team, &turn);
  minas_free(turn.entries);
  if (turn.count == most)
    return SHORTEST_REST;
  return turn.due > 0 ? (turn.due > now() ? turn.due - now() : 0) : -1;
}
