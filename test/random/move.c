/*===-- move.c - random calls that place arrays anew ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <errno.h>
#include <mai.h>
#include <string.h>

#include "calls.h"
#include "machine.h"
#include "policies.h"

static unsigned any_node(struct worker *worker) {
  return machine.nodes[draw(worker, machine.node_count)];
}

/* An array that MAi knows, which blocks are not sure to be. */
static struct array *any_known(struct worker *worker) {
  struct array *array = any_array(worker, 1 << ALLOCATED | 1 << MAPPED | 1 << STATIC);
  return array && array->known ? array : NULL;
}

static size_t sum(const struct mai_moves *moves) {
  return moves->moved + moves->right + moves->untouched + moves->full + moves->shared +
         moves->busy + moves->failed;
}

/* On a machine with one node nothing is looked at. */
static void check_moves(struct worker *worker, const struct array *array,
                        const struct mai_moves *moves) {
  struct mai_pages pages;
  calling(worker, "mai_verify(%p)", (void *)array->start);
  expect_done(worker, mai_verify(array->start, &pages, NULL, 0), 0);
  if (sum(moves) > (machine.node_count > 1 ? pages.total : 0))
    wrong(worker, "%zu moves of %zu pages", sum(moves), pages.total);
}

static void replace(struct worker *worker, struct array *array, const struct policy *policy) {
  struct mai_moves moves;
  bool counted = one_in(worker, 2);
  calling(worker, "mai_replace(%p, '%s')", (void *)array->start,
          policy ? policy->text : "its own policy");
  int result = mai_replace(array->start, policy ? policy->text : NULL, counted ? &moves : NULL);
  if (array->has_copies) {
    if (result != -1)
      wrong(worker, "it has copies");
    expect_errno(worker, EINVAL, 0);
  } else if (expect_done(worker, result, ENOMEM, 0)) {
    if (policy)
      array->may_copy = array->kind == ALLOCATED && policy->replicates;
    if (counted)
      check_moves(worker, array, &moves);
  }
}

void call_replace(struct worker *worker) {
  struct array *array = any_known(worker);
  struct policy policy;
  if (!array)
    return;
  draw_policy(worker, extents_of(array), false, &policy);
  replace(worker, array, one_in(worker, 4) ? NULL : &policy);
  (one_in(worker, 3) ? check_array : check_some)(worker, array);
}

void call_replace_all(struct worker *worker) {
  struct mai_moves moves;
  calling(worker, "mai_replace_all");
  expect_done(worker, mai_replace_all(one_in(worker, 2) ? &moves : NULL), ENOMEM, 0);
  for (struct array *array = worker->arrays; array < worker->arrays + ARRAYS; array++)
    if (array->kind != NO_ARRAY)
      check_some(worker, array);
}

/*===-- Parts --------------------------------------------------------------===*/

static int migrate_range(struct worker *worker, struct array *array, unsigned node,
                         struct mai_moves *moves) {
  size_t offset = draw(worker, array->bytes + 1);
  size_t bytes = draw(worker, array->bytes - offset + 1);
  calling(worker, "mai_migrate_range(%p, %zu, %zu, %u)", (void *)array->start, offset, bytes, node);
  return mai_migrate_range(array->start, offset, bytes, node, moves);
}

static int migrate_rows(struct worker *worker, struct array *array, unsigned node,
                        struct mai_moves *moves) {
  size_t first = draw(worker, array->extents[0] + 1);
  size_t count = draw(worker, array->extents[0] - first + 1);
  calling(worker, "mai_migrate_rows(%p, %zu, %zu, %u)", (void *)array->start, first, count, node);
  return mai_migrate_rows(array->start, first, count, node, moves);
}

static int migrate_columns(struct worker *worker, struct array *array, unsigned node,
                           struct mai_moves *moves) {
  size_t columns = array->dimensions > 1 ? array->extents[1] : 1;
  size_t first = draw(worker, columns + 1);
  size_t count = draw(worker, columns - first + 1);
  calling(worker, "mai_migrate_columns(%p, %zu, %zu, %u)", (void *)array->start, first, count,
          node);
  int result = mai_migrate_columns(array->start, first, count, node, moves);
  if (array->dimensions > 1)
    return result;
  if (result != -1)
    wrong(worker, "it has no columns");
  expect_errno(worker, EINVAL, 0);
  return 0;
}

static int migrate_all(struct worker *worker, struct array *array, unsigned node,
                       struct mai_moves *moves) {
  calling(worker, "mai_migrate(%p, %u)", (void *)array->start, node);
  return mai_migrate(array->start, node, moves);
}

void call_migrate(struct worker *worker) {
  static int (*const calls[])(struct worker *, struct array *, unsigned, struct mai_moves *) = {
      migrate_range, migrate_rows, migrate_columns, migrate_all};
  struct array *array = any_known(worker);
  struct mai_moves moves = {0};
  if (!array)
    return;
  size_t which = draw(worker, 4);
  int result = calls[which](worker, array, any_node(worker), &moves);
  if (array->has_copies && result != 0)
    expect_errno(worker, EINVAL, 0);
  else if (array->has_copies && array->dimensions > 1)
    wrong(worker, "it has copies");
  else if (!array->has_copies &&
           expect_done(worker, errno == EINVAL && which == 2 && array->dimensions == 1 ? 0 : result,
                       ENOMEM, 0))
    check_moves(worker, array, &moves);
  check_some(worker, array);
}

void call_next_touch(struct worker *worker) {
  struct array *array = any_known(worker);
  if (!array)
    return;
  size_t offset = one_in(worker, 2) ? 0 : draw(worker, array->bytes + 20);
  size_t bytes = one_in(worker, 2) ? 0 : draw(worker, array->bytes + 20);
  bool inside = offset <= array->bytes && bytes <= array->bytes - offset;
  calling(worker, "mai_next_touch(%p, %zu, %zu) of %zu", (void *)array->start, offset, bytes,
          array->bytes);
  int result = mai_next_touch(array->start, offset, bytes);
  if ((result == 0) != (inside && !array->has_copies))
    wrong(worker, "returned %d", result);
  expect_done(worker, result, EINVAL, 0);
  if (one_in(worker, 2))
    (one_in(worker, 2) ? check_array : check_some)(worker, array);
}

/*===-- Copies -------------------------------------------------------------===*/

static void check_copy(struct worker *worker, const struct array *array) {
  calling(worker, "mai_replica(%p)", (void *)array->start);
  const char *copy = mai_replica(array->start);
  expect_success(worker, copy);
  if (!array->has_copies && copy != array->start)
    wrong(worker, "there are no copies");
  for (size_t cell = 0; cell < count_cells(array); cell++)
    if (!cell_is_right(array, copy, cell))
      wrong(worker, "cell %zu of the copy differs", cell);
}

static void expect_result(struct worker *worker, int result, bool good) {
  if ((result == 0) != good)
    wrong(worker, "returned %d", result);
  expect_done(worker, result, EINVAL, 0);
}

void call_replicas(struct worker *worker) {
  struct array *array = any_array(worker, 1 << ALLOCATED);
  if (!array)
    return;
  struct policy replicate = {.text = "replicate", .replicates = true};
  if (!array->may_copy && one_in(worker, 2))
    replace(worker, array, &replicate);
  if (one_in(worker, 3)) {
    calling(worker, "mai_drop_replicas(%p)", (void *)array->start);
    expect_result(worker, mai_drop_replicas(array->start), array->may_copy);
    array->has_copies = false;
  } else {
    calling(worker, "mai_replicate(%p)", (void *)array->start);
    bool good = array->may_copy && !array->has_copies;
    expect_result(worker, mai_replicate(array->start), good);
    array->has_copies = array->may_copy;
  }
  check_copy(worker, array);
}

/*===-- Wrong arguments ----------------------------------------------------===*/

static void expect_error(struct worker *worker, int result, int error) {
  if (result != -1)
    wrong(worker, "returned %d", result);
  expect_errno(worker, error, 0);
}

static void move_what_is_none(struct worker *worker) {
  char own[8];
  struct array *array = any_array(worker, ANY_KIND);
  void *none = array && one_in(worker, 2) ? array->start + 1 : one_in(worker, 2) ? own : NULL;
  const char *policy = "cyclic";
  calling(worker, "placing %p anew, which is no array", none);
  expect_error(worker, mai_replace(none, policy, NULL), EINVAL);
  expect_error(worker, mai_scatter(none, NULL), EINVAL);
  expect_error(worker, mai_migrate(none, any_node(worker), NULL), EINVAL);
  expect_error(worker, mai_migrate_range(none, 0, 1, any_node(worker), NULL), EINVAL);
  expect_error(worker, mai_migrate_rows(none, 0, 1, any_node(worker), NULL), EINVAL);
  expect_error(worker, mai_next_touch(none, 0, 0), EINVAL);
  expect_error(worker, mai_replicate(none), EINVAL);
  expect_error(worker, mai_drop_replicas(none), EINVAL);
  if (mai_replica(none))
    wrong(worker, "a copy of what is none");
  expect_errno(worker, EINVAL, 0);
}

static void move_wrongly(struct worker *worker, struct array *array) {
  struct mai_moves moves;
  unsigned nowhere = 900 + (unsigned)draw(worker, 5000);
  size_t rows = array->extents[0];
  calling(worker, "moving %p where it cannot go", (void *)array->start);
  expect_error(worker, mai_migrate(array->start, nowhere, &moves), ENODEV);
  expect_error(worker, mai_migrate_rows(array->start, 0, rows, nowhere, NULL), ENODEV);
  expect_error(worker, mai_migrate_rows(array->start, 1, rows, any_node(worker), NULL), EINVAL);
  expect_error(worker, mai_migrate_rows(array->start, SIZE_MAX, 2, any_node(worker), NULL), EINVAL);
  expect_error(worker, mai_migrate_range(array->start, 0, array->bytes + 1, any_node(worker), NULL),
               EINVAL);
  expect_error(worker, mai_migrate_columns(array->start, 0, SIZE_MAX, any_node(worker), NULL),
               EINVAL);
}

static void replace_wrongly(struct worker *worker, struct array *array) {
  struct policy policy;
  int error = draw_bad_policy(worker, extents_of(array), &policy);
  calling(worker, "mai_replace(%p), '%s'", (void *)array->start, policy.text);
  expect_error(worker, mai_replace(array->start, policy.text, NULL), error);
}

void call_move_wrongly(struct worker *worker) {
  struct array *array = any_known(worker);
  if (!array || array->has_copies || one_in(worker, 3))
    move_what_is_none(worker);
  else
    (one_in(worker, 2) ? move_wrongly : replace_wrongly)(worker, array);
  if (array)
    check_some(worker, array);
}

/*===-- The array that handlers read ---------------------------------------===*/

void call_on_quiet_array(struct worker *worker) {
  struct array *quiet = &worker->quiet;
  struct mai_moves moves;
  switch (draw(worker, 3)) {
  case 0:
    migrate_rows(worker, quiet, any_node(worker), &moves);
    break;
  case 1:
    check_pages(worker, quiet);
    break;
  default:
    calling(worker, "mai_next_touch of the quiet array");
    expect_done(worker, mai_next_touch(quiet->start, 0, 0), 0);
  }
  check_some(worker, quiet);
}
