/*===-- move.c - moves an array to where a pattern says ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "move.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "mai/arrays/arrays.h"
#include "mai/arrays/dynamic_arrays.h"
#include "mai/arrays/lifetime.h"
#include "mai/memory/kernel.h"
#include "mai/policy/policy.h"
#include "observation.h"
#include "opened.h"
#include "phases.h"
#include "runtime/clock.h"
#include "runtime/fail.h"
#include "runtime/system.h"

/* Pages that are looked at together. */
enum { LOOKED_AT = 512 };

/* Who wants to free the array waits so many seconds for pages to be moved, and so does a region. */
static const double PAUSE = 5e-3;

/* Bytes that are moved as long as nobody knows what a page costs, and at least.  That threads are
   made to wait takes a time of its own, whatever is moved meanwhile. */
enum { LEAST_IN_USE = 64 << 10, LEAST_BETWEEN = 4 << 20 };

/* One that costs so many times as much as another one is clearly worse. */
static const double SEVERAL = 4;

/* How long nobody may open a region until pages are moved while they are used. */
static const double PATIENCE = 1;

/*===-- From a pattern to a policy -----------------------------------------===*/

static int policy_of(const struct mai_pattern *pattern, unsigned threads, mai_policy_t *policy) {
  *policy = (mai_policy_t)MAI_BLOCK;
  if (pattern->kind == MAI_PATTERN_SHARES || pattern->ends_early) {
    policy->shares = pattern->shares;
    policy->share_count = threads;
    return 0;
  }
  switch (pattern->kind) {
  case MAI_PATTERN_BLOCK:
    return 0;
  case MAI_PATTERN_REVERSED:
    policy->flags = MAI_REVERSED;
    return 0;
  case MAI_PATTERN_COLUMNS:
    policy->unit = MAI_UNIT_DIMENSION;
    policy->dimension = 1;
    return 0;
  case MAI_PATTERN_BLOCK_CYCLIC:
    policy->kind = MAI_POLICY_BLOCK_CYCLIC;
    policy->unit = MAI_UNIT_PAGES;
    policy->value = pattern->chunk;
    return 0;
  case MAI_PATTERN_SLICES:
    policy->unit = MAI_UNIT_SLICES;
    policy->shares = pattern->shares;
    policy->share_count = pattern->slices;
    return 0;
  case MAI_PATTERN_EVERYONE:
    policy->kind = MAI_POLICY_CYCLIC;
    return 0;
  default:
    return fail(EINVAL);
  }
}

int mai_pattern_place(const struct mai_pattern *pattern, const struct mai_array *array,
                      unsigned threads, struct mai_placement *placement, char *text, size_t size) {
  mai_policy_t policy;
  if (policy_of(pattern, threads, &policy) != 0 ||
      mai_policy_place(mai_machine(), &policy, &array->shape, &array->pages, placement) != 0)
    return -1;
  if ((size_t)mai_policy_format(&policy, text, size) >= size)
    *text = '\0';
  return 0;
}

/* As runs of pages on the same node. */
static int keep_nodes(struct mai_placement *placement, const uint16_t *nodes) {
  for (size_t first = 0, end; first < placement->pages; first = end) {
    for (end = first + 1; end < placement->pages && nodes[end] == nodes[first]; end++)
      ;
    if (nodes[first] != MAI_NOT_MOVED &&
        mai_placement_move(placement, first, end - first, nodes[first]) != 0)
      return -1;
  }
  return 0;
}

int mai_pattern_place_back(const struct mai_array *array, const uint16_t *nodes,
                           struct mai_placement *placement) {
  static const mai_policy_t anywhere = MAI_LOCAL;
  if (mai_policy_place(mai_machine(), &anywhere, &array->shape, &array->pages, placement) != 0)
    return -1;
  if (placement->pages == array->placement.pages && keep_nodes(placement, nodes) == 0)
    return 0;
  mai_placement_free(placement);
  return fail(ENOMEM);
}

/*===-- Moving some pages --------------------------------------------------===*/

/* Pages that nobody has touched, or of which the kernel does not tell, are nowhere. */
static void note_nodes(const struct mai_placement *placement, size_t first, size_t count,
                       uint16_t *before) {
  int nodes[LOOKED_AT];
  for (size_t done = 0; done < count; done += LOOKED_AT) {
    size_t some = count - done < LOOKED_AT ? count - done : LOOKED_AT;
    uintptr_t start = placement->start + (first + done) * placement->page_size;
    bool told = mai_kernel_where(start, placement->page_size, some, nodes) == 0;
    for (size_t i = 0; i < some; i++)
      before[first + done + i] = told && nodes[i] >= 0 ? (uint16_t)nodes[i] : MAI_NOT_MOVED;
  }
}

static void take_placement(struct mai_array *array, struct mai_placement *placement) {
  struct mai_array changed = *array;
  struct mai_placement before = array->placement;
  changed.placement = *placement;
  mai_registry_update(array, &changed);
  mai_placement_free(&before);
}

/* Some pages that are to be moved, of an array that may end meanwhile. */
struct chunk {
  const void *start;
  const struct mai_account *account;
  const uint32_t *nodes; /* of the placement */
  uint16_t *before;      /* in the account */
  size_t first;
  size_t count;
  size_t noted;           /* the nodes of pages before this one are known */
  struct mai_moved moved; /* so far */
  bool goes_on;
  double until_region; /* how long it was until the last one was opened */
  bool in_vain;        /* nobody has opened a region */
};

/* By the nodes that have been noted. */
static bool is_home(const struct mai_placement *placement, size_t page, const uint16_t *nodes) {
  return nodes[page] == MAI_NOT_MOVED || nodes[page] == mai_placement_node(placement, page);
}

/* Whether an array is the one that is being moved, and belongs there still. */
static bool is_it(const struct mai_array *array, const struct chunk *chunk) {
  return array->account == chunk->account && array->placement.nodes == chunk->nodes &&
         chunk->first < array->placement.pages;
}

/* It is held where it is. @return NULL: it is not, and nothing is left to do */
static struct mai_array *hold(struct chunk *chunk) {
  struct mai_array *array = mai_lifetime_hold(chunk->start, MAI_TO_CHANGE);
  chunk->goes_on = array && is_it(array, chunk);
  if (chunk->goes_on || !array)
    return array;
  mai_registry_release(array);
  return NULL;
}

/* The nodes of pages before one, each asked for once in a move. */
static void note_up_to(const struct mai_placement *placement, struct chunk *chunk, size_t end) {
  if (end <= chunk->noted)
    return;
  note_nodes(placement, chunk->noted, end - chunk->noted, chunk->before);
  chunk->noted = end;
}

static size_t least(size_t one, size_t other) { return one < other ? one : other; }

/* The pages behind a chunk up to the end of the huge page in which it ends, if it is in one. */
static size_t rest_of_huge_page(const struct mai_array *array, const struct chunk *chunk) {
  const struct mai_placement *placement = &array->placement;
  size_t end = chunk->first + chunk->count;
  size_t step = array->pages.huge ? array->pages.huge / placement->page_size : 1;
  size_t inside = (placement->start / placement->page_size + end) % step;
  return inside ? least(step - inside, least(placement->pages - end, LOOKED_AT)) : 0;
}

/* The kernel moves a huge page whole that belongs on one node: the chunk becomes as long.
   @return how many more pages have been moved */
static size_t add_rest(const struct mai_placement *placement, struct chunk *chunk, size_t rest) {
  int nodes[LOOKED_AT];
  size_t end = chunk->first + chunk->count, more = 0;
  if (mai_kernel_where(placement->start + end * placement->page_size, placement->page_size, rest,
                       nodes) != 0)
    return 0;
  while (more < rest && !is_home(placement, end + more, chunk->before) && nodes[more] >= 0 &&
         (uint32_t)nodes[more] == mai_placement_node(placement, end + more))
    more++;
  chunk->count += more;
  return more;
}

static void move_held(struct mai_array *array, struct chunk *chunk) {
  const struct mai_placing placing = mai_array_placing(array);
  size_t left = array->placement.pages - chunk->first;
  struct mai_moves moves = {0};
  chunk->count = least(left, chunk->count);
  size_t rest = rest_of_huge_page(array, chunk);
  note_up_to(&array->placement, chunk, chunk->first + chunk->count + rest);
  int result = mai_placer_move(&array->placement, &placing, chunk->first, chunk->count, &moves);
  size_t moved = moves.moved + add_rest(&array->placement, chunk, rest);
  chunk->moved.pages += moved;
  chunk->moved.full = moves.full > 0;
  array->moved_pages += moved;
  array->account->moved_pages += moved;
  chunk->goes_on = result == 0 && !chunk->moved.full && chunk->count < left;
}

/* Go on to the next page that is not at home, among some. @return whether there is one */
static bool skip_held(const struct mai_array *array, struct chunk *chunk) {
  const struct mai_placement *placement = &array->placement;
  size_t left = placement->pages - chunk->first;
  size_t count = least(left, LOOKED_AT), first = 0;
  note_up_to(placement, chunk, chunk->first + count);
  while (first < count && is_home(placement, chunk->first + first, chunk->before))
    first++;
  chunk->first += first;
  chunk->goes_on = first < left;
  return first < count;
}

/* Nobody has to wait for pages that stay. */
static void skip_home(struct chunk *chunk) {
  bool found = false;
  while (!found && chunk->goes_on) {
    struct mai_array *array = hold(chunk);
    if (!array)
      return;
    found = skip_held(array, chunk);
    mai_registry_release(array);
  }
}

static void move_chunk(struct chunk *chunk) {
  struct mai_array *array = hold(chunk);
  if (!array)
    return;
  move_held(array, chunk);
  mai_registry_release(array);
}

/*===-- While pages are used, or while threads wait ------------------------===*/

/* To move a page that is used interrupts each thread that uses the array, and waits for it; where
   threads wait for a region there is none to interrupt, but all wait.  What costs less is found
   out: seconds of CPUs. */
struct costs {
  double seconds; /* of who moves */
  double pages;   /* that have moved; the last chunk counts as much as all before it */
  size_t tried;   /* pages in this move */
  size_t last;    /* of the last chunk; 0: none in this move */
  size_t least;   /* pages of any chunk: so many as long as nobody knows what they cost */
};

static struct costs in_use, between;

static void try_again(struct costs *costs, size_t least_bytes, size_t page_size) {
  costs->tried = costs->last = 0;
  costs->least = least_bytes > page_size ? least_bytes / page_size : 1;
}

static double cost_of(const struct costs *costs) {
  return costs->seconds / (costs->pages > 1 ? costs->pages : 1);
}

/* So many as take no longer than others may wait.  What is known of so many pages holds for twice
   as many. */
static size_t pages_of_next(const struct costs *costs, double pause) {
  if (!costs->last)
    return costs->least;
  double most = pause / cost_of(costs);
  size_t pages = 2 * costs->last;
  pages = most < (double)pages ? (size_t)most : pages;
  return pages > costs->least ? pages : costs->least;
}

/* What a page costs that is moved while threads wait: their time, and what is lost until they wait
   again, as most pages are not at home meanwhile. */
static double price_between(const struct chunk *chunk, const struct mai_moving *moving) {
  double pages = (double)pages_of_next(&between, PAUSE);
  return cost_of(&between) * moving->busy + moving->saves * chunk->until_region / pages;
}

static double price_in_use(const struct mai_moving *moving) {
  return cost_of(&in_use) * (1 + moving->saves);
}

/* A few pages cost more than many: until each way has been tried with many, they take turns; but
   one that costs several times as much will not be better. */
static bool is_better_between(const struct chunk *chunk, const struct mai_moving *moving) {
  enum { MANY = 512 };
  double waiting = price_between(chunk, moving), beside = price_in_use(moving);
  bool tried = in_use.tried && between.tried;
  bool is_clear = tried && (waiting > SEVERAL * beside || beside > SEVERAL * waiting);
  if (is_clear || (in_use.tried >= MANY && between.tried >= MANY))
    return waiting < beside;
  return between.tried <= in_use.tried;
}

/* What moves have cost before may not hold for the next one; but a way that cost several times as
   much as the other is not tried again while that one costs what it did: where threads are many, or
   CPUs are taken away, a few pages may take as long as all others. */
static void begin_trials(const struct mai_moving *moving, size_t page_size) {
  double waiting = cost_of(&between) * moving->busy, beside = cost_of(&in_use);
  bool tried = in_use.tried && between.tried;
  if (!tried || beside <= SEVERAL * waiting)
    try_again(&in_use, LEAST_IN_USE, page_size);
  if (!tried || waiting <= SEVERAL * beside)
    try_again(&between, LEAST_BETWEEN, page_size);
}

static void add_costs(struct costs *costs, const struct chunk *chunk, size_t before,
                      double seconds) {
  costs->seconds = costs->seconds / 2 + seconds;
  costs->pages = costs->pages / 2 + (double)(chunk->moved.pages - before);
  costs->tried += chunk->count;
  costs->last = chunk->count;
}

static void move_in_use(struct chunk *chunk) {
  double begin = minas_own_seconds();
  size_t before = chunk->moved.pages;
  move_chunk(chunk);
  double seconds = minas_own_seconds() - begin;
  add_costs(&in_use, chunk, before, seconds);
  chunk->moved.seconds += seconds;
}

/* The phase that pages are moved for. */
static struct {
  struct mai_region_list regions; /* that have been opened just before */
  struct mai_news news;
  bool is_over;
} phase;

static void begin_phase(void) {
  static const double BEFORE = 1;
  double now = minas_now();
  phase.regions.count = 0;
  mai_opened_since(now - BEFORE, &phase.regions);
  phase.news = (struct mai_news){.looked = now};
  phase.is_over = false;
}

static bool is_of_phase(const struct mai_moving *moving, uint32_t region) {
  return !moving->region || region == moving->region ||
         mai_region_list_has(&phase.regions, region) || mai_observation_knows(region);
}

static bool is_over(const struct mai_moving *moving) {
  bool is_new = !is_of_phase(moving, mai_opened_last());
  phase.is_over = phase.is_over || mai_news_look(&phase.news, is_new, minas_now());
  return phase.is_over;
}

enum { NOTHING, WANTED, TAKEN, DONE };

/* What the next thread that opens a region is to move. */
static struct {
  atomic_int state; /* NOTHING, ... */
  struct chunk chunk;
  double seconds; /* that it has taken */
} errand;

bool mai_move_is_wanted(void) {
  return atomic_load_explicit(&errand.state, memory_order_relaxed) == WANTED;
}

void mai_move_wanted(void) {
  int wanted = WANTED;
  if (!atomic_compare_exchange_strong(&errand.state, &wanted, TAKEN))
    return;
  double begin = minas_now();
  move_chunk(&errand.chunk);
  errand.seconds = minas_now() - begin;
  atomic_store(&errand.state, DONE);
}

/* @return whether a thread that opens a region has taken it */
static bool give_errand(struct chunk *chunk, const struct mai_moving *moving) {
  double begin = minas_now();
  errand.chunk = *chunk;
  atomic_store(&errand.state, WANTED);
  while (mai_move_is_wanted() && minas_now() < begin + PATIENCE && !moving->is_to_end() &&
         !is_over(moving))
    minas_sleep(500);
  chunk->until_region = minas_now() - begin;
  int wanted = WANTED;
  return !atomic_compare_exchange_strong(&errand.state, &wanted, NOTHING);
}

/* @return whether somebody has moved the pages */
static bool move_between(struct chunk *chunk, const struct mai_moving *moving) {
  if (!give_errand(chunk, moving))
    return false;
  while (atomic_load(&errand.state) == TAKEN)
    minas_sleep(200);
  atomic_store(&errand.state, NOTHING);
  size_t before = chunk->moved.pages;
  errand.chunk.until_region = chunk->until_region;
  *chunk = errand.chunk;
  add_costs(&between, chunk, before, errand.seconds);
  chunk->moved.seconds += errand.seconds * moving->busy;
  if (errand.seconds > chunk->moved.longest_wait)
    chunk->moved.longest_wait = errand.seconds;
  return true;
}

static void move_next(struct chunk *chunk, const struct mai_moving *moving) {
  if (!chunk->in_vain && is_better_between(chunk, moving)) {
    chunk->count = pages_of_next(&between, PAUSE);
    chunk->in_vain = !move_between(chunk, moving);
    chunk->count = chunk->in_vain ? 0 : chunk->count;
    if (!chunk->in_vain || phase.is_over)
      return;
  }
  chunk->count = pages_of_next(&in_use, PAUSE);
  move_in_use(chunk);
}

void mai_move(struct mai_array *array, struct mai_placement *placement,
              const struct mai_moving *moving, struct mai_moved *moved) {
  struct chunk chunk = {.start = (const void *)array->shape.start,
                        .account = array->account,
                        .nodes = placement->nodes,
                        .before = moving->before,
                        .goes_on = true};
  for (size_t page = 0; page < placement->pages; page++)
    moving->before[page] = MAI_NOT_MOVED;
  take_placement(array, placement);
  mai_registry_release(array);
  begin_trials(moving, placement->page_size);
  begin_phase();
  for (skip_home(&chunk); chunk.goes_on && !is_over(moving) && !moving->is_to_end();
       skip_home(&chunk)) {
    move_next(&chunk, moving);
    chunk.first += chunk.count;
  }
  chunk.moved.given_up = chunk.goes_on && phase.is_over;
  *moved = chunk.moved;
}
