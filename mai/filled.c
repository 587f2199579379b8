/*===-- filled.c - arrays that are divided once they are filled --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * What is in an array tells how far it is filled; which pages have been touched does not, as a huge
 * page reaches beyond.  Pages that nobody has touched are not looked into: that would bring them
 * in.
 */
#include "filled.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/single_threaded.h>

#include "arrays.h"
#include "kernel.h"
#include "mai.h"
#include "message.h"
#include "place.h"
#include "rows.h"
#include "settled.h"

enum { MOST_TRIES = 16, BATCH = 1024 };

/* How many arrays wait; freed ones may be counted still. */
static atomic_uint waiting;

bool mai_filled_waits(const struct mai_array *array) {
  return array->policy.flags & MAI_FILLED || (array->policy.along && !array->settled);
}

void mai_filled_later(void) {
  atomic_fetch_add(&waiting, 1);
  mai_settled_change();
}

/* The end of what is not zero in [start, end); `start` where all is. */
static uintptr_t end_of_contents(uintptr_t start, uintptr_t end) {
  const char *bytes = (const char *)start;
  size_t count = end - start;
  if (bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0)
    return start;
  while (bytes[count - 1] == 0)
    count--;
  return start + count;
}

size_t mai_filled_bytes(const struct mai_array *array) {
  int nodes[BATCH];
  size_t size = array->pages.page;
  uintptr_t first = array->shape.start;
  uintptr_t end = first + array->shape.bytes;
  uintptr_t base = first / size * size;
  size_t pages = (end - base + size - 1) / size;
  while (pages > 0) {
    size_t batch = (pages - 1) % BATCH + 1;
    if (mai_kernel_where(base + (pages - batch) * size, size, batch, nodes) != 0)
      return array->shape.bytes;
    for (; batch > 0; batch--, pages--) {
      uintptr_t page = base + (pages - 1) * size;
      uintptr_t from = page > first ? page : first;
      uintptr_t to = page + size < end ? page + size : end;
      uintptr_t last = nodes[batch - 1] == MAI_PAGE_UNTOUCHED ? from : end_of_contents(from, to);
      if (last > from)
        return last - first;
    }
  }
  return 0;
}

/* There are none that make sense. */
static void forget_rows(mai_policy_t *policy) {
  if (!policy->along)
    return;
  free((void *)(uintptr_t)policy->along);
  policy->along = NULL;
  policy->first = policy->count = policy->value = 0;
}

/* Evenly, as far as it is filled. */
static mai_policy_t even(const struct mai_array *array, size_t bytes) {
  mai_policy_t policy = array->policy;
  size_t rows = mai_shape_extent(&array->shape, 0);
  size_t filled = (bytes + array->shape.strides[0] - 1) / array->shape.strides[0];
  if (policy.count == 0 && filled >= rows / 2 && filled < rows && filled > policy.first)
    policy.count = filled - policy.first;
  return policy;
}

static void divide(struct mai_array *array, mai_policy_t policy) {
  struct mai_moves moves = {0};
  policy.flags &= ~MAI_FILLED;
  if (mai_array_place_anew(array, &policy, !__libc_single_threaded, &moves) == 0)
    return;
  array->error = errno;
  array->policy.flags &= ~MAI_FILLED; /* no other try */
  array->settled = true;
  mai_message("array '%s' is not divided: %s", array->name, strerror(errno));
}

static bool has_rows(const struct mai_array *array, size_t bytes) {
  struct mai_rows_shares rows;
  if (mai_rows_share(array, bytes / array->shape.strides[0], &rows) != 0)
    return false;
  mai_rows_free(&rows);
  return true;
}

/* It waits all the same: what is there now may be a matrix before. */
void mai_filled_foresee(struct mai_array *array) {
  struct mai_placement even = array->placement;
  if (!array->policy.along || array->policy.flags & MAI_FILLED ||
      !has_rows(array, array->shape.bytes))
    return;
  array->settled = true;
  if (mai_array_plan(array) == 0)
    mai_placement_free(&even);
  else
    array->placement = even;
  array->settled = false;
}

/* @return whether the array waits no longer */
static bool settle(struct mai_array *array) {
  bool is_last_try = ++array->tries >= MOST_TRIES;
  bool by_contents = array->policy.flags & MAI_FILLED;
  size_t bytes = by_contents ? mai_filled_bytes(array) : array->shape.bytes;
  array->settled = bytes && has_rows(array, bytes);
  if (array->settled) {
    divide(array, array->policy);
    return true;
  }
  if (!is_last_try && (!bytes || array->policy.along))
    return false;
  forget_rows(&array->policy);
  if (by_contents)
    divide(array, even(array, bytes));
  return true;
}

/* While the registry is locked. @return how many arrays wait on */
static unsigned divide_filled(void) {
  unsigned left = 0;
  for (size_t i = 0; mai_registry_at(i); i++) {
    struct mai_array *array = mai_registry_at(i);
    if (mai_filled_waits(array) && !array->replicas && !settle(array))
      left++;
  }
  return left;
}

bool mai_filled_divide(const struct mai_openmp *openmp) {
  unsigned before = atomic_load_explicit(&waiting, memory_order_relaxed);
  if (!before)
    return false;
  /* The run-time is asked for the size of teams while the registry is locked, too. */
  if (openmp->get_level() > 0 || !mai_place_is_first_thread() || !mai_registry_try_lock())
    return true;
  unsigned left = divide_filled();
  mai_registry_unlock();
  return atomic_fetch_sub(&waiting, before - left) > before - left;
}
