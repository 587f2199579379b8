/*===-- filled.c - arrays that are placed once they are filled ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "filled.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/single_threaded.h>

#include "arrays.h"
#include "contents.h"
#include "lifetime.h"
#include "mai.h"
#include "mai/process/message.h"
#include "mai/threads/binding.h"
#include "mai/threads/new_threads.h"
#include "rows.h"
#include "runtime/folder.h"
#include "runtime/heap.h"
#include "runtime/lock.h"

/* There are none that make sense. */
static void forget_rows(mai_policy_t *policy) {
  if (!policy->along)
    return;
  minas_free((void *)(uintptr_t)policy->along);
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
  array->rows_found = true;
  mai_message("array '%s' is not divided: %s", array->name, strerrordesc_np(errno));
}

static bool has_rows(const struct mai_array *array, size_t bytes) {
  struct mai_rows_shares rows;
  if (mai_rows_share(array, bytes / array->shape.strides[0], &rows) != 0)
    return false;
  mai_rows_free(&rows);
  return true;
}

/* It waits all the same: what is there now may be a matrix before. Where nothing is there yet, the
   block may have room for more than will be in it, and belongs to who fills it. */
void mai_filled_plan_early(struct mai_array *array) {
  struct mai_placement even = array->placement;
  if (!mai_contents_awaited(array) || array->policy.flags & MAI_FILLED)
    return;
  array->rows_found = has_rows(array, array->shape.bytes);
  if (!array->rows_found)
    array->policy.flags |= MAI_FILLED;
  if (mai_array_plan(array) == 0)
    mai_placement_free(&even);
  else
    array->placement = even;
  array->rows_found = false;
}

/* One more try. */
static bool is_last(struct mai_array *array) {
  return ++array->tries >= mai_rows_tries(&array->policy);
}

/*===-- Cleared by one thread ------------------------------------------------===*/

static void count(const char *name, void *sum) {
  (void)name;
  ++*(unsigned *)sum;
}

/* The start of a team, and how many threads there are then; 0: they have not been counted. */
struct start {
  const struct mai_openmp *openmp;
  unsigned threads;
};

/* Besides the calling thread there are only those of its last team, which wait for the next: nobody
   could be writing to an array. */
static bool is_alone(struct start *at) {
  if (__libc_single_threaded)
    return true;
  if (!at->threads && minas_folder_visit("/proc/self/task", count, &at->threads) != 0)
    at->threads = UINT_MAX;
  return at->threads <= mai_new_threads_kept(at->openmp);
}

/* Handlers of signals may write as well. */
static bool give_back_undisturbed(const struct mai_array *array) {
  uint64_t signals = minas_signals_block();
  bool done = mai_contents_give_back(array);
  minas_signals_restore(signals);
  return done;
}

/* Once only, when the first team is about to use it beside which nobody could be writing.
   @return whether the array waits no longer */
static bool try_to_give_back(struct mai_array *array, struct start *at) {
  bool is_last_try = is_last(array);
  bool done = is_last_try || (is_alone(at) && give_back_undisturbed(array));
  if (done)
    array->policy.flags &= ~MAI_FILLED;
  return done;
}

/*===-- Divided ----------------------------------------------------------------===*/

/* @return whether the array waits no longer */
static bool try_to_divide(struct mai_array *array) {
  bool is_last_try = is_last(array);
  bool by_contents = array->policy.flags & MAI_FILLED;
  size_t bytes = by_contents ? mai_contents_bytes(array) : array->shape.bytes;
  array->rows_found = bytes && has_rows(array, bytes);
  if (array->rows_found) {
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

/*===-- Slices -----------------------------------------------------------------===*/

/* The shares of slices in what is filled, and one more for what is behind that; NULL where memory
   is lacking, or all is filled. */
static unsigned long *shares_with_rest(const mai_policy_t *policy, size_t filled, size_t bytes) {
  const unsigned long most = (unsigned long)1 << 31; /* of all together */
  unsigned long sum = 0;
  for (unsigned i = 0; i < policy->share_count; i++)
    sum += policy->shares[i];
  double all = (double)sum * (double)bytes / (double)filled;
  unsigned long scale = all < (double)most ? (unsigned long)((double)most / all) : 1;
  double rest = (all - (double)sum) * (double)scale;
  unsigned long *shares =
      filled < bytes ? minas_alloc_list(policy->share_count + (size_t)1, sizeof *shares) : NULL;
  if (!shares)
    return NULL;
  for (unsigned i = 0; i < policy->share_count; i++)
    shares[i] = policy->shares[i] * scale;
  shares[policy->share_count] = rest < (double)most ? (unsigned long)rest : most;
  return shares;
}

static void divide_slices(struct mai_array *array, size_t filled) {
  mai_policy_t policy = array->policy;
  unsigned long *shares = filled ? shares_with_rest(&policy, filled, array->shape.bytes) : NULL;
  if (shares) {
    policy.shares = shares;
    policy.share_count++;
  }
  divide(array, policy);
  minas_free(shares);
}

/* What the threads are the first to touch is not there when they start: two teams have to find the
   same.
   @return whether the array waits no longer */
static bool try_to_divide_slices(struct mai_array *array) {
  bool is_last_try = is_last(array);
  size_t before = array->filled;
  array->filled = mai_contents_bytes(array);
  if (!is_last_try && (!array->filled || array->filled != before))
    return false;
  divide_slices(array, array->filled);
  return true;
}

/* @return whether the array waits no longer */
static bool try_to_place(struct mai_array *array, struct start *at) {
  if (array->policy.kind == MAI_POLICY_LOCAL)
    return try_to_give_back(array, at);
  return mai_policy_has_unequal_slices(&array->policy) ? try_to_divide_slices(array)
                                                       : try_to_divide(array);
}

/* @return how many arrays wait on */
static unsigned place_filled(const struct mai_openmp *openmp) {
  struct start at = {openmp, 0};
  const void *behind = NULL;
  struct mai_array *array;
  unsigned left = 0;
  while ((array = mai_lifetime_hold_behind(behind, MAI_TO_CHANGE))) {
    behind = (const void *)array->shape.start;
    if (mai_contents_awaited(array) && !array->replicas && !try_to_place(array, &at))
      left++;
    mai_registry_release(array);
  }
  return left;
}

bool mai_filled_place(const struct mai_openmp *openmp) {
  unsigned before = mai_contents_waiting();
  if (!before)
    return false;
  if (openmp->get_level() > 0 || !mai_binding_is_first_thread())
    return true;
  unsigned left = place_filled(openmp);
  return mai_contents_came(before - left);
}
