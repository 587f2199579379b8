/*===-- slices.c - arrays that lie one behind the other ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "slices.h"

#include "runtime/heap.h"
#include "touches.h"

enum {
  /* Where there is more disorder nothing is found. */
  MOST_BEGINS = 64,
  /* For each thread, in a slice that they divide. */
  LEAST_TOUCHES = 2,
  /* Where a slice ends is known up to the pages between two touches: so many of each part, or one
     page, may be a neighbour's. */
  SLACK = 8,
};

/* The part of the touches that have to be in slices that threads divide, and of these the part that
   this has to explain: in disorder some slices are found, too. */
static const double LEAST_DIVIDED = 0.75, LEAST_FIT = 0.85;

struct fit {
  long likelihood;
  size_t explained;
  bool divided; /* among the threads; else it is anybody's */
};

struct search {
  const struct mai_touched *touched;
  const struct mai_touch *touches; /* in the order of their pages */
  size_t pages;                    /* in use */
  size_t begins[MOST_BEGINS + 1];  /* touches with which a slice may begin; the last is none */
  size_t count;                    /* of begins */
  long best[MOST_BEGINS + 1];      /* of the touches before each */
  size_t from[MOST_BEGINS + 1];    /* where the last slice of those begins */
};

/* A slice begins where the order of the threads does. @return whether there are not too many */
static bool find_begins(struct search *search) {
  size_t touches = search->touched->count;
  search->count = 0;
  for (size_t i = 0; i < touches; i++) {
    if (i > 0 && search->touches[i].thread >= search->touches[i - 1].thread)
      continue;
    if (search->count == MOST_BEGINS)
      return false;
    search->begins[search->count++] = i;
  }
  search->begins[search->count] = touches;
  return true;
}

/* Between the touches of two slices: half of the pages there belong to each at most. */
static size_t bound_before(const struct search *search, size_t begin) {
  size_t touch = search->begins[begin];
  if (touch == 0)
    return 0;
  if (touch == search->touched->count)
    return search->pages;
  return (search->touches[touch - 1].page + search->touches[touch].page + 1) / 2;
}

struct range {
  size_t first;
  size_t end;
};

/* As far as a touch may be beyond the others, and no further: what follows may be a slice that was
   not seen. */
static struct range range_of(const struct search *search, size_t begin, size_t end) {
  size_t first = search->touches[search->begins[begin]].page;
  size_t last = search->touches[search->begins[end] - 1].page;
  size_t beyond = 2 * (last - first) / (search->begins[end] - search->begins[begin]) + 1;
  size_t least = bound_before(search, begin), most = bound_before(search, end);
  return (struct range){first > least + beyond ? first - beyond : least,
                        last + beyond < most ? last + beyond : most};
}

static bool is_near_part(const struct search *search, const struct mai_touch *touch, size_t first,
                         size_t pages) {
  unsigned threads = search->touched->threads;
  size_t slack = pages / threads / SLACK + 1;
  size_t page = touch->page - first;
  size_t low = page > slack ? page - slack : 0;
  size_t high = page + slack < pages ? page + slack : pages - 1;
  return mai_owner_in_parts(low, pages, threads) <= touch->thread &&
         mai_owner_in_parts(high, pages, threads) >= touch->thread;
}

static size_t count_explained(const struct search *search, size_t begin, size_t end,
                              const struct range *range) {
  size_t right = 0;
  for (size_t i = search->begins[begin]; i < search->begins[end]; i++)
    right += is_near_part(search, &search->touches[i], range->first, range->end - range->first);
  return right;
}

/* What explains the touches of a slice best. */
static struct fit fit_of(const struct search *search, size_t begin, size_t end) {
  unsigned threads = search->touched->threads;
  size_t count = search->begins[end] - search->begins[begin];
  const struct fit anybody = {mai_likelihood_of_anybody(count, threads), count, false};
  const struct range range = range_of(search, begin, end);
  if (count < (size_t)LEAST_TOUCHES * threads || range.end < range.first + threads)
    return anybody;
  size_t right = count_explained(search, begin, end, &range);
  const struct fit divided = {mai_likelihood(right, count, 1, threads), right, true};
  return divided.likelihood > anybody.likelihood ? divided : anybody;
}

static void divide(struct search *search) {
  long price = mai_log((double)search->touched->count);
  search->best[0] = 0;
  for (size_t end = 1; end <= search->count; end++)
    for (size_t begin = 0; begin < end; begin++) {
      long likelihood = search->best[begin] + fit_of(search, begin, end).likelihood - price;
      if (begin == 0 || likelihood > search->best[end]) {
        search->best[end] = likelihood;
        search->from[end] = begin;
      }
    }
}

static void add_slice(struct mai_slices *slices, size_t pages) {
  if (pages > 0)
    slices->pages[slices->count++] = pages;
}

/* From the last to the first, and what was not seen between them.  What is not in use is at the
   end, so that the others have their proportions. @return whether they are what it has come to */
static bool take_slices(const struct search *search, struct mai_slices *slices) {
  size_t divided = 0, right = 0, end = search->count, next = search->touched->pages;
  for (; end > 0 && slices->count + 3 < MAI_MOST_SLICES; end = search->from[end]) {
    size_t begin = search->from[end];
    const struct fit fit = fit_of(search, begin, end);
    const struct range range = range_of(search, begin, end);
    add_slice(slices, next - range.end);
    add_slice(slices, range.end - range.first);
    next = range.first;
    slices->explained += fit.explained;
    divided += fit.divided ? search->begins[end] - search->begins[begin] : 0;
    right += fit.divided ? fit.explained : 0;
  }
  add_slice(slices, next);
  return end == 0 && slices->count > 1 &&
         (double)divided >= LEAST_DIVIDED * (double)search->touched->count &&
         (double)right >= LEAST_FIT * (double)divided;
}

static void reverse(struct mai_slices *slices) {
  for (unsigned i = 0; i < slices->count / 2; i++) {
    unsigned long *other = &slices->pages[slices->count - 1 - i], pages = slices->pages[i];
    slices->pages[i] = *other;
    *other = pages;
  }
}

static void search_slices(struct search *search, struct mai_slices *slices) {
  if (!find_begins(search))
    return;
  divide(search);
  if (!take_slices(search, slices)) {
    slices->count = 0;
    return;
  }
  slices->likelihood = search->best[search->count];
  reverse(slices);
}

void mai_find_slices(const struct mai_touched *touched, struct mai_slices *slices) {
  struct mai_touch *touches = minas_copy(touched->touches, touched->count * sizeof *touches);
  *slices = (struct mai_slices){.count = 0};
  if (!touches)
    return;
  mai_touches_sort(touches, touched->count);
  struct search search = {
      .touched = touched, .touches = touches, .pages = mai_pages_in_use(touched)};
  if (touched->count > 0 && touches[touched->count - 1].page < search.pages)
    search_slices(&search, slices);
  minas_free(touches);
}
