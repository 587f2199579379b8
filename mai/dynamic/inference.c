/*===-- inference.c - which policy touches of pages speak for ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A pattern with parameters has them chosen from many, and so would fit anything: what it fits is
 * held against how many choices there were.
 */
#include "inference.h"

#include <string.h>

#include "runtime/heap.h"
#include "slices.h"
#include "touches.h"

enum {
  LEAST_TOUCHES_A_REGION = 16,
  MOST_CHUNKS = 1024,
  /* Unequal parts are not known where more than an eighth may be that of threads not seen, or more
     than half may be either of two. */
  MOST_UNSEEN = 8,
  MOST_BETWEEN = 2,
  /* A pattern is taken when it is e^3 times as likely as every other: 95 %. */
  CLEAR = 3000,
  /* e^7 times: of a thousand looks one is wrong. */
  BEYOND_DOUBT = 7000,
};

/* The part of the touches that a pattern that says who touches what has to explain: chunks have to
   be a good fit of few touches, as these may be of slices, which more of them would show. */
static const double LEAST_FIT = 0.6, GOOD_FIT = 0.75, CLEAR_FIT = 0.9;
enum { FEW = 8 }; /* for each thread */

/*===-- Patterns that say which thread a page belongs to -------------------===*/

struct candidate {
  enum mai_pattern_kind kind;
  size_t chunk;
  uint32_t node;
  long likelihood;
  size_t right; /* touches that it explains */
  bool open;    /* more has to be seen to know where parts end */
};

static unsigned owner(const struct candidate *candidate, const struct mai_touched *touched,
                      size_t page) {
  unsigned threads = touched->threads;
  switch (candidate->kind) {
  case MAI_PATTERN_REVERSED:
    return threads - 1 - mai_owner_in_parts(page, touched->pages, threads);
  case MAI_PATTERN_COLUMNS:
    return mai_owner_in_parts(page % touched->row_pages, touched->row_pages, threads);
  case MAI_PATTERN_BLOCK_CYCLIC:
    return (unsigned)(page / candidate->chunk % threads);
  default:
    return mai_owner_in_parts(page, mai_pages_in_use(touched), threads);
  }
}

/* Parts end within pages, and loops leave out the first and the last rows: a page beside belongs
   to the thread as well.  Not of chunks, which may have one page. */
static bool explains(const struct candidate *candidate, const struct mai_touched *touched,
                     const struct mai_touch *touch) {
  if (owner(candidate, touched, touch->page) == touch->thread)
    return true;
  if (candidate->kind == MAI_PATTERN_BLOCK_CYCLIC)
    return false;
  return (touch->page + 1 < touched->pages &&
          owner(candidate, touched, touch->page + 1) == touch->thread) ||
         (touch->page > 0 && owner(candidate, touched, touch->page - 1) == touch->thread);
}

static void weigh(struct candidate *candidate, const struct mai_touched *touched, double choices) {
  candidate->right = 0;
  for (size_t i = 0; i < touched->count; i++)
    candidate->right += explains(candidate, touched, &touched->touches[i]);
  candidate->likelihood =
      mai_likelihood(candidate->right, touched->count, 1, touched->threads) - mai_log(choices);
}

/* The likeliest size of a chunk. */
static struct candidate best_chunk(const struct mai_touched *touched) {
  struct candidate best = {.kind = MAI_PATTERN_UNKNOWN};
  size_t most = touched->pages / touched->threads / 2;
  most = most < MOST_CHUNKS ? most : MOST_CHUNKS;
  for (size_t chunk = 1; chunk <= most; chunk++) {
    struct candidate candidate = {.kind = MAI_PATTERN_BLOCK_CYCLIC, .chunk = chunk};
    weigh(&candidate, touched, (double)most);
    if (!best.chunk || candidate.likelihood > best.likelihood)
      best = candidate;
  }
  return best;
}

/*===-- Unequal parts ------------------------------------------------------===*/

/* The best way to divide touches, in the order of pages, among threads in order: what is best for
   the first of them follows from what is best for one less.  `from` has for each touch and thread
   the thread before. */
static size_t divide(const struct mai_touch *touches, size_t count, unsigned threads,
                     uint16_t *from, uint16_t *owners) {
  size_t best[MAI_MOST_TOUCHING] = {0};
  for (size_t i = 0; i < count; i++) {
    unsigned leader = 0;
    for (unsigned thread = 0; thread < threads; thread++) {
      if (best[thread] > best[leader])
        leader = thread;
      from[i * threads + thread] = (uint16_t)leader;
    }
    for (unsigned thread = threads; thread-- > 0;)
      best[thread] = best[from[i * threads + thread]] + (touches[i].thread == thread);
  }
  unsigned last = 0;
  for (unsigned thread = 0; thread < threads; thread++)
    if (best[thread] > best[last])
      last = thread;
  size_t right = best[last];
  for (size_t i = count; i-- > 0;) {
    owners[i] = (uint16_t)last;
    last = from[i * threads + last];
  }
  return right;
}

/* Between the last touch of one thread and the first of the next, half of the pages belong to
   each. */
static void measure_shares(const struct mai_touched *touched, const struct mai_touch *touches,
                           const uint16_t *owners, unsigned long *shares) {
  size_t begin = 0;
  memset(shares, 0, touched->threads * sizeof *shares);
  for (size_t i = 0; i < touched->count; i++) {
    bool is_last = i + 1 == touched->count;
    size_t end = is_last ? touched->pages : (touches[i].page + touches[i + 1].page + 1) / 2;
    if (end < begin)
      end = begin;
    shares[owners[i]] += end - begin;
    begin = end;
  }
}

/* Pages between touches of two threads, each in its part: it was not seen to whom they belong.
   @param least only where the second of them comes so much later in the order of threads */
static size_t pages_between(const struct mai_touched *touched, const struct mai_touch *touches,
                            const uint16_t *owners, unsigned least) {
  size_t pages = 0, page = 0;
  unsigned next = 1;
  for (size_t i = 0; i < touched->count; i++) {
    if (touches[i].thread != owners[i])
      continue;
    pages += owners[i] >= next ? touches[i].page - page : 0;
    next = owners[i] + least;
    page = touches[i].page;
  }
  return pages + (next + 1 < touched->threads + least ? touched->pages - 1 - page : 0);
}

size_t mai_part_begin(const unsigned long *shares, unsigned thread) {
  size_t begin = 0;
  for (unsigned before = 0; before < thread; before++)
    begin += shares[before];
  return begin;
}

/* In which quarter of its thread's part a touched page is. */
static unsigned quarter_of(size_t page, const unsigned long *shares, unsigned owner) {
  size_t begin = mai_part_begin(shares, owner);
  size_t quarter = page < begin || !shares[owner] ? 0 : (page - begin) * 4 / shares[owner];
  return quarter < 4 ? (unsigned)quarter : 3;
}

/* Whether all of the parts were seen, and not only what threads have done of a long pass so far: of
   even touches each quarter has as many.  By Pearson's test, once in a hundred times they seem
   not to be. */
static bool are_parts_even(const struct mai_touched *touched, const struct mai_touch *touches,
                           const uint16_t *owners, const unsigned long *shares) {
  static const double MOST = 11.3; /* for three degrees of freedom */
  double counts[4] = {0}, all = 0, beyond = 0;
  for (size_t i = 0; i < touched->count; i++)
    if (touches[i].thread == owners[i]) {
      counts[quarter_of(touches[i].page, shares, owners[i])]++;
      all++;
    }
  for (unsigned quarter = 0; quarter < 4; quarter++)
    beyond += (counts[quarter] - all / 4) * (counts[quarter] - all / 4);
  return all > 0 && beyond / (all / 4) <= MOST;
}

/* Not where too much may be that of threads that were not seen, or any thread's. */
static bool are_parts_known(const struct mai_touched *touched, const struct mai_touch *touches,
                            const uint16_t *owners, const unsigned long *shares) {
  return pages_between(touched, touches, owners, 2) <= touched->pages / MOST_UNSEEN &&
         pages_between(touched, touches, owners, 1) <= touched->pages / MOST_BETWEEN &&
         are_parts_even(touched, touches, owners, shares);
}

/* Each bound is one of as many choices as there are touches. */
static long price_of_bounds(const struct mai_touched *touched) {
  return (long)(touched->threads - 1) * mai_log((double)touched->count) / 2;
}

static struct candidate unequal_parts(const struct mai_touched *touched, unsigned long *shares) {
  struct candidate candidate = {.kind = MAI_PATTERN_UNKNOWN};
  struct mai_touch *touches = minas_copy(touched->touches, touched->count * sizeof *touches);
  uint16_t *from = minas_alloc_list(touched->count * touched->threads, sizeof *from);
  uint16_t *owners = minas_alloc_list(touched->count, sizeof *owners);
  if (touches && from && owners) {
    mai_touches_sort(touches, touched->count);
    candidate.right = divide(touches, touched->count, touched->threads, from, owners);
    candidate.kind = MAI_PATTERN_SHARES;
    candidate.likelihood = mai_likelihood(candidate.right, touched->count, 1, touched->threads) -
                           price_of_bounds(touched);
    measure_shares(touched, touches, owners, shares);
    candidate.open = !are_parts_known(touched, touches, owners, shares);
  }
  minas_free(touches);
  minas_free(from);
  minas_free(owners);
  return candidate;
}

/*===-- Patterns of nodes, and of nobody -----------------------------------===*/

static unsigned threads_on(const struct mai_touched *touched, uint32_t node) {
  unsigned count = 0;
  for (unsigned thread = 0; thread < touched->threads; thread++)
    count += touched->nodes[thread] == node;
  return count;
}

static size_t touches_from(const struct mai_touched *touched, uint32_t node) {
  size_t count = 0;
  for (size_t i = 0; i < touched->count; i++)
    count += touched->nodes[touched->touches[i].thread] == node;
  return count;
}

static struct candidate on_node(const struct mai_touched *touched, uint32_t node) {
  size_t right = touches_from(touched, node);
  long likelihood =
      mai_likelihood(right, touched->count, threads_on(touched, node), touched->threads) -
      mai_log(touched->threads);
  return (struct candidate){
      .kind = MAI_PATTERN_ONE_NODE, .node = node, .likelihood = likelihood, .right = right};
}

static struct candidate best_node(const struct mai_touched *touched) {
  struct candidate best = on_node(touched, touched->nodes[0]);
  for (unsigned thread = 1; thread < touched->threads; thread++) {
    struct candidate candidate = on_node(touched, touched->nodes[thread]);
    if (candidate.likelihood > best.likelihood)
      best = candidate;
  }
  return best;
}

/* Each touch is any thread's. */
static struct candidate anybody(const struct mai_touched *touched) {
  return (struct candidate){.kind = MAI_PATTERN_EVERYONE,
                            .likelihood =
                                mai_likelihood_of_anybody(touched->count, touched->threads),
                            .right = touched->count};
}

/* Whether touches that nothing orders are spread over all nodes, as they are where everyone touches
   everything: none has half as many again as its threads would have, or a half less. */
static bool are_even(const struct mai_touched *touched) {
  for (unsigned thread = 0; thread < touched->threads; thread++) {
    uint32_t node = touched->nodes[thread];
    double part = (double)threads_on(touched, node) / touched->threads;
    double expected = part * (double)touched->count;
    double found = (double)touches_from(touched, node);
    if (found > 1.5 * expected || found < 0.5 * expected)
      return false;
  }
  return true;
}

/* Whether pages that follow each other are touched by the same thread more often than by chance:
   then there is an order that is none of ours. */
static bool have_neighbours(const struct mai_touched *touched) {
  struct mai_touch *touches = minas_copy(touched->touches, touched->count * sizeof *touches);
  size_t alike = 0;
  if (!touches)
    return true;
  mai_touches_sort(touches, touched->count);
  for (size_t i = 1; i < touched->count; i++)
    alike += touches[i].thread == touches[i - 1].thread;
  minas_free(touches);
  double expected = (double)touched->count / touched->threads;
  return (double)alike > 1.5 * expected + 6;
}

/*===-- Choosing -----------------------------------------------------------===*/

struct field {
  struct candidate best;
  long second; /* the likelihood of what is next to it */
};

static void enter(struct field *field, struct candidate candidate) {
  if (candidate.kind == MAI_PATTERN_UNKNOWN)
    return;
  if (candidate.likelihood > field->best.likelihood) {
    field->second = field->best.likelihood;
    field->best = candidate;
  } else if (candidate.likelihood > field->second) {
    field->second = candidate.likelihood;
  }
}

static void enter_simple(struct field *field, const struct mai_touched *touched,
                         enum mai_pattern_kind kind) {
  struct candidate candidate = {.kind = kind};
  weigh(&candidate, touched, 1);
  enter(field, candidate);
}

/* Equal parts are unequal ones, too: neither says anything against the other. */
static void enter_unequal(struct field *field, const struct mai_touched *touched,
                          unsigned long *shares) {
  struct candidate candidate = unequal_parts(touched, shares);
  if (field->best.kind != MAI_PATTERN_BLOCK)
    enter(field, candidate);
  else if (candidate.kind != MAI_PATTERN_UNKNOWN && candidate.likelihood > field->best.likelihood)
    field->best = candidate;
}

static void enter_slices(struct field *field, const struct mai_touched *touched,
                         struct mai_slices *slices) {
  mai_find_slices(touched, slices);
  if (slices->count > 0)
    enter(field, (struct candidate){.kind = MAI_PATTERN_SLICES,
                                    .likelihood = slices->likelihood,
                                    .right = slices->explained});
}

/* Whether a pattern of the whole array leaves so many touches unexplained. */
static bool fits_worse(const struct field *field, const struct mai_touched *touched, double than) {
  return field->best.kind == MAI_PATTERN_EVERYONE ||
         (double)field->best.right < than * (double)touched->count;
}

/* Unequal parts are tried where no equal ones fit well, and slices where nothing does: of what is
   disorder they explain more by chance. */
static struct field compare(const struct mai_touched *touched, unsigned long *shares,
                            struct mai_slices *slices) {
  struct field field = {.best.likelihood = -1000000000, .second = -1000000000};
  enter(&field, anybody(touched));
  enter(&field, best_node(touched));
  enter_simple(&field, touched, MAI_PATTERN_BLOCK);
  enter_simple(&field, touched, MAI_PATTERN_REVERSED);
  enter(&field, best_chunk(touched));
  if (touched->row_pages >= touched->threads && touched->row_pages < touched->pages)
    enter_simple(&field, touched, MAI_PATTERN_COLUMNS);
  if (fits_worse(&field, touched, CLEAR_FIT))
    enter_unequal(&field, touched, shares);
  if (fits_worse(&field, touched, GOOD_FIT))
    enter_slices(&field, touched, slices);
  return field;
}

/* How likely the likelier of two is that are so many thousandths apart: e to the power of minus
   that is 1, halved for each ln 2. */
static double chance(long lead) {
  double other = 1;
  if (lead > 20000)
    return 1;
  for (; lead >= 693; lead -= 693)
    other /= 2;
  other *= 1 - (double)lead / 1386;
  return 1 / (1 + other);
}

static double least_fit(const struct mai_touched *touched, enum mai_pattern_kind kind) {
  bool few = touched->count < (size_t)FEW * touched->threads;
  return few && kind == MAI_PATTERN_BLOCK_CYCLIC ? GOOD_FIT : LEAST_FIT;
}

static bool is_sure(const struct mai_touched *touched, const struct field *field) {
  const struct candidate *best = &field->best;
  if (best->likelihood - field->second < CLEAR)
    return false;
  if (best->kind == MAI_PATTERN_EVERYONE)
    return are_even(touched) && !have_neighbours(touched);
  return (double)best->right >= least_fit(touched, best->kind) * (double)touched->count;
}

static bool is_clear(const struct mai_touched *touched, const struct field *field) {
  const struct candidate *best = &field->best;
  return best->kind != MAI_PATTERN_EVERYONE && best->likelihood - field->second >= BEYOND_DOUBT &&
         (double)best->right >= CLEAR_FIT * (double)touched->count;
}

static void take_slices(struct mai_pattern *pattern, const struct mai_slices *slices) {
  pattern->slices = slices->count;
  memcpy(pattern->shares, slices->pages, sizeof slices->pages);
}

static void infer_one(const struct mai_touched *touched, struct mai_pattern *pattern) {
  struct mai_slices slices = {.count = 0};
  struct field field = compare(touched, pattern->shares, &slices);
  pattern->fit = (double)field.best.right / (double)touched->count;
  if (!is_sure(touched, &field))
    return;
  pattern->open = field.best.open;
  if (pattern->open) {
    pattern->kind = MAI_PATTERN_TOO_FEW;
    return;
  }
  pattern->confidence = chance(field.best.likelihood - field.second);
  pattern->clear = is_clear(touched, &field);
  pattern->kind = field.best.kind;
  pattern->chunk = field.best.chunk;
  pattern->node = field.best.node;
  if (pattern->kind == MAI_PATTERN_SLICES)
    take_slices(pattern, &slices);
}

/*===-- Regions ------------------------------------------------------------===*/

/* Regions, those with most touches first, and what each shows.  One that touches a slice of the
   array shows nothing. */
enum { MOST_REGIONS = 4 };

struct regions {
  unsigned count;
  uint32_t ids[MOST_REGIONS];
  bool go_over_all[MOST_REGIONS];
  struct mai_pattern patterns[MOST_REGIONS];
};

static bool has_region(const struct regions *regions, uint32_t region) {
  for (unsigned i = 0; i < regions->count; i++)
    if (regions->ids[i] == region)
      return true;
  return false;
}

/* The one with most touches that is not listed yet. @return whether it has enough */
static bool add_busiest(const struct mai_touched *touched, struct regions *regions) {
  size_t most = 0;
  uint32_t region = 0;
  for (size_t i = 0; i < touched->count; i++) {
    size_t count = 0;
    if (has_region(regions, touched->touches[i].region))
      continue;
    for (size_t other = 0; other < touched->count; other++)
      count += touched->touches[other].region == touched->touches[i].region;
    if (count > most) {
      most = count;
      region = touched->touches[i].region;
    }
  }
  if (most < LEAST_TOUCHES_A_REGION)
    return false;
  regions->ids[regions->count++] = region;
  return true;
}

static void infer_region(const struct mai_touched *touched, uint32_t region,
                         struct mai_pattern *pattern) {
  struct mai_touch *touches = minas_alloc_list(touched->count, sizeof *touches);
  struct mai_touched part = *touched;
  part.touches = touches;
  part.count = 0;
  for (size_t i = 0; touches && i < touched->count; i++)
    if (touched->touches[i].region == region)
      touches[part.count++] = touched->touches[i];
  if (touches)
    infer_one(&part, pattern);
  minas_free(touches);
}

/* Whether most other touches are of pages between those that a region touches.  Else these are of
   another slice, of which the region says nothing. */
static bool goes_over_all(const struct mai_touched *touched, uint32_t region) {
  size_t first = SIZE_MAX, last = 0, others = 0, between = 0;
  for (size_t i = 0; i < touched->count; i++) {
    const struct mai_touch *touch = &touched->touches[i];
    if (touch->region == region) {
      first = touch->page < first ? touch->page : first;
      last = touch->page > last ? touch->page : last;
    }
  }
  for (size_t i = 0; i < touched->count; i++) {
    const struct mai_touch *touch = &touched->touches[i];
    others += touch->region != region;
    between += touch->region != region && touch->page >= first && touch->page <= last;
  }
  return 2 * between >= others;
}

static void find_regions(const struct mai_touched *touched, struct regions *regions) {
  *regions = (struct regions){.count = 0};
  while (regions->count < MOST_REGIONS && add_busiest(touched, regions))
    ;
  for (unsigned i = 0; i < regions->count; i++) {
    regions->go_over_all[i] = goes_over_all(touched, regions->ids[i]);
    if (regions->go_over_all[i])
      infer_region(touched, regions->ids[i], &regions->patterns[i]);
  }
}

static bool has_regions(const struct mai_touched *touched) {
  for (size_t i = 1; i < touched->count; i++)
    if (touched->touches[i].region != touched->touches[0].region)
      return true;
  return false;
}

static bool may_be_mixed(enum mai_pattern_kind kind) {
  return kind == MAI_PATTERN_UNKNOWN || kind == MAI_PATTERN_EVERYONE;
}

static bool says_whose(enum mai_pattern_kind kind) {
  return !may_be_mixed(kind) && kind != MAI_PATTERN_TOO_FEW;
}

/* Whether the two regions that touch most are each sure of something else.  Then the pattern of the
   first of them is what most touches speak for. */
static bool regions_differ(const struct regions *regions, struct mai_pattern *pattern) {
  const struct mai_pattern *first = &regions->patterns[0], *second = &regions->patterns[1];
  if (regions->count < 2 || first->kind == second->kind || !says_whose(first->kind) ||
      !says_whose(second->kind))
    return false;
  *pattern = *first;
  pattern->differs = true;
  pattern->clear = false;
  if (second->confidence < first->confidence)
    pattern->confidence = second->confidence;
  return true;
}

/* The first of the regions that says whose pages are; else the first one. */
static const struct mai_pattern *first_that_says(const struct regions *regions) {
  for (unsigned i = 0; i < regions->count; i++)
    if (!may_be_mixed(regions->patterns[i].kind))
      return &regions->patterns[i];
  return &regions->patterns[0];
}

/* Patterns that are mixed look like none, or as if everyone touched everything.  Where a region
   that touches much has one of its own that is what is known, and what others do is not: where
   everyone touches everything, it does not matter where that is. */
static void infer_of_mixed(const struct mai_touched *touched, const struct regions *regions,
                           struct mai_pattern *pattern) {
  if (!may_be_mixed(pattern->kind) || !has_regions(touched) ||
      (regions->count && !regions->go_over_all[0]))
    return;
  const struct mai_pattern *own = first_that_says(regions);
  if (pattern->kind == MAI_PATTERN_UNKNOWN && own->kind == MAI_PATTERN_EVERYONE)
    return;
  *pattern = *own;
  pattern->differs = says_whose(own->kind);
  pattern->clear = false;
}

/*===-- Arrays that are made for more than there is ------------------------===*/

/* The last thread gets what is not in use. */
void mai_pattern_end_early(struct mai_pattern *pattern, size_t pages, size_t used,
                           unsigned threads) {
  if (pattern->kind != MAI_PATTERN_BLOCK || used == 0 || used >= pages)
    return;
  pattern->ends_early = true;
  for (unsigned thread = 0; thread < threads; thread++)
    pattern->shares[thread] = used * (thread + 1) / threads - used * thread / threads;
  pattern->shares[threads - 1] += pages - used;
}

/*===-- All of it ----------------------------------------------------------===*/

static bool can_be_understood(const struct mai_touched *touched) {
  return touched->threads > 1 && touched->threads <= MAI_MOST_TOUCHING &&
         touched->pages >= touched->threads;
}

void mai_infer(const struct mai_touched *touched, struct mai_pattern *pattern) {
  *pattern = (struct mai_pattern){.kind = MAI_PATTERN_UNKNOWN};
  if (!can_be_understood(touched))
    return;
  if (touched->count < MAI_LEAST_TOUCHES) {
    pattern->kind = MAI_PATTERN_TOO_FEW;
    return;
  }
  struct regions regions;
  find_regions(touched, &regions);
  infer_one(touched, pattern);
  if (pattern->kind == MAI_PATTERN_SLICES || !regions_differ(&regions, pattern))
    infer_of_mixed(touched, &regions, pattern);
  mai_pattern_end_early(pattern, touched->pages, touched->used, touched->threads);
}

const char *mai_pattern_name(const struct mai_pattern *pattern) {
  static const char *const names[] = {
      [MAI_PATTERN_UNKNOWN] = "unknown",           [MAI_PATTERN_BLOCK] = "block",
      [MAI_PATTERN_REVERSED] = "block reversed",   [MAI_PATTERN_COLUMNS] = "block by columns",
      [MAI_PATTERN_BLOCK_CYCLIC] = "block-cyclic", [MAI_PATTERN_SHARES] = "block in unequal parts",
      [MAI_PATTERN_ONE_NODE] = "one node",         [MAI_PATTERN_EVERYONE] = "everyone",
      [MAI_PATTERN_SLICES] = "block by slices",    [MAI_PATTERN_TOO_FEW] = "too little seen",
  };
  return pattern->differs ? "changes by region" : names[pattern->kind];
}
