/*===-- existing.c - random calls that place the program's memory *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include <errno.h>
#include <mai.h>
#include <mai_static.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "calls.h"
#include "machine.h"
#include "policies.h"

static void *map(struct worker *worker, size_t bytes, int protection, int flags) {
  void *memory = mmap(NULL, bytes, protection, flags | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    wrong(worker, "mmap of %zu bytes", bytes);
  return memory;
}

/* A mapping with memory of others at both ends of what is to be placed. */
static void map_array(struct worker *worker, struct array *array) {
  array->memory_bytes = (draw_bytes(worker) + 3 * machine.page) / machine.page * machine.page;
  array->memory = map(worker, array->memory_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE);
  array->kind = MAPPED;
  array->start = array->memory;
  write_some(worker, array);
}

/* What of the mapping is to be placed: not by whole pages. */
static void choose_part(struct worker *worker, struct array *array) {
  size_t first = 8 * draw(worker, array->memory_bytes / 16);
  array->size = 1 + draw(worker, one_in(worker, 2) ? 8 : 9000);
  array->extents[0] = 1 + draw(worker, (array->memory_bytes - first) / array->size + 1);
  if (first + array->extents[0] * array->size > array->memory_bytes) {
    array->size = 1;
    array->extents[0] = array->memory_bytes - first;
  }
  array->start = array->memory + first;
  array->dimensions = 1;
  array->bytes = array->size * array->extents[0];
}

static void place(struct worker *worker, struct array *array) {
  struct policy policy;
  struct array before = *array;
  choose_part(worker, array);
  draw_policy(worker, extents_of(array), true, &policy);
  calling(worker, "mai_place(%p, %zu, %zu, '%s', %s)", (void *)array->start, array->extents[0],
          array->size, policy.text, array->name);
  int result = mai_place(array->start, array->extents[0], array->size, policy.text,
                         *array->name ? array->name : NULL);
  if (result != 0 && policy.strict) {
    expect_errno(worker, ENOMEM, 0);
    memcpy(array, &before, offsetof(struct array, memory));
    return;
  }
  expect_done(worker, result, 0);
  array->known = true;
  check_pages(worker, array);
}

/* As an overlap with what was placed before makes MAi know that no longer, so does its part. */
void call_place(struct worker *worker) {
  struct array *array = one_in(worker, 2) ? any_array(worker, 1 << MAPPED) : NULL;
  if (!array) {
    array = make_room(worker);
    map_array(worker, array);
    if (one_in(worker, 2))
      snprintf(array->name, sizeof array->name, "m%u.%lu", worker->number, worker->call);
  } else if (array->known) {
    calling(worker, "mai_forget(%p)", (void *)array->start);
    expect_done(worker, mai_forget(array->start), 0);
    array->known = false;
  }
  place(worker, array);
  check_some(worker, array);
}

static void expect_refused(struct worker *worker, int result, int error) {
  if (result != -1)
    wrong(worker, "it is taken");
  expect_errno(worker, error, 0);
}

/* Memory that must not be placed.  On a machine with one node only it is not looked at. */
static void place_foreign(struct worker *worker) {
  static const struct {
    int protection, flags;
  } kinds[] = {{PROT_READ, MAP_PRIVATE},
               {PROT_READ | PROT_WRITE, MAP_SHARED},
               {PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE},
               {PROT_NONE, MAP_PRIVATE}};
  const char *policy = "cyclic";
  size_t bytes = (4 + draw(worker, 20)) * machine.page;
  size_t kind = draw(worker, 5);
  void *memory = map(worker, bytes, kinds[kind % 4].protection, kinds[kind % 4].flags);
  if (kind == 4)
    munmap((char *)memory + machine.page, machine.page);
  calling(worker, "mai_place of memory of kind %zu", kind);
  int result = mai_place(memory, bytes, 1, policy, NULL);
  if (machine.node_count > 1)
    expect_refused(worker, result, EACCES);
  else if (expect_done(worker, result, EACCES, 0))
    expect_done(worker, mai_forget(memory), 0);
  munmap(memory, bytes);
}

static void place_with_wrong_policy(struct worker *worker) {
  struct array *array = any_array(worker, 1 << MAPPED);
  struct policy policy;
  if (!array || !array->known)
    return;
  int error = draw_bad_policy(worker, extents_of(array), &policy);
  calling(worker, "mai_place(%p), '%s'", (void *)array->start, policy.text);
  expect_refused(worker, mai_place(array->start, array->extents[0], array->size, policy.text, NULL),
                 error);
  check_pages(worker, array);
}

static void place_an_array(struct worker *worker) {
  struct array *array = any_array(worker, 1 << ALLOCATED);
  const char *policy = "skew";
  if (!array)
    return;
  size_t offset = draw(worker, array->bytes);
  calling(worker, "mai_place(%p + %zu), which is mai_alloc's", (void *)array->start, offset);
  expect_refused(worker, mai_place(array->start + offset, array->bytes - offset, 1, policy, NULL),
                 EINVAL);
}

static void place_nothing(struct worker *worker) {
  const char *policy = "skew";
  char memory[64];
  calling(worker, "mai_place of nothing, mai_forget of what is not there");
  expect_refused(worker, mai_place(NULL, 10, 10, policy, NULL), EINVAL);
  expect_refused(worker, mai_place(memory, 0, 10, policy, NULL), EINVAL);
  expect_refused(worker, mai_place(memory, 10, 10, NULL, NULL), EINVAL);
  expect_refused(worker, mai_place(memory, SIZE_MAX / 2, 3, policy, NULL), EOVERFLOW);
  expect_refused(worker, mai_place(memory, SIZE_MAX - 5, 1, policy, NULL), EOVERFLOW);
  expect_refused(worker, mai_forget(memory), EINVAL);
  expect_refused(worker, mai_forget(NULL), EINVAL);
}

void call_place_wrongly(struct worker *worker) {
  static void (*const calls[])(struct worker *) = {place_foreign, place_with_wrong_policy,
                                                   place_an_array, place_nothing};
  calls[draw(worker, 4)](worker);
}

void call_forget(struct worker *worker) {
  struct array *array = any_array(worker, 1 << MAPPED);
  if (!array)
    return;
  calling(worker, "mai_forget(%p)", (void *)array->start);
  if (array->known)
    expect_done(worker, mai_forget(array->start), 0);
  else
    expect_refused(worker, mai_forget(array->start), EINVAL);
  array->known = false;
}

/*===-- Blocks ------------------------------------------------------------===*/

static void *allocate_block(struct worker *worker, size_t bytes, size_t *unit) {
  void *block = NULL;
  size_t columns = 1 + bytes / *unit / 10;
  size_t rows = bytes / *unit / columns;
  switch (draw(worker, 6)) {
  case 0:
    calling(worker, "MAI_PLACED(malloc(%zu)), units of %zu", bytes, *unit);
    return MAI_PLACED(block, malloc(MAI_BYTES(bytes)), *unit, "block");
  case 1:
    calling(worker, "MAI_PLACED_NEW(calloc(%zu, 1)), units of %zu", bytes, *unit);
    return MAI_PLACED_NEW(block, calloc(MAI_UNITS(bytes, 1), MAI_BYTES(1)), *unit, "cyclic");
  case 2:
    calling(worker, "MAI_PLACED_2D(malloc(%zu)), %zu rows of %zu", bytes, rows, columns * *unit);
    return MAI_PLACED_2D(block, malloc(MAI_BYTES(bytes)), columns * *unit, *unit,
                         "block by columns");
  case 3:
    calling(worker, "MAI_PLACED_AT(posix_memalign(%zu)), units of %zu", bytes, *unit);
    if (MAI_PLACED_AT(block, posix_memalign(&block, 64, MAI_BYTES(bytes)), *unit,
                      "block-cyclic 3") != 0)
      return NULL;
    return block;
  case 4:
    calling(worker, "MAI_PLACED_SIZED(malloc(%zu)), units of %zu", bytes, *unit);
    return MAI_PLACED_SIZED(block, malloc(bytes), bytes, *unit, "block shares 1,2,3");
  default:
    calling(worker, "MAI_PLACED(aligned_alloc(%zu)), units of %zu", bytes, *unit);
    return MAI_PLACED(block, aligned_alloc(16, MAI_BYTES((bytes + 15) / 16 * 16)), *unit, "block",
                      1, 5);
  }
}

static void write_all(struct worker *worker, struct array *array) {
  for (size_t cell = 0; cell < count_cells(array); cell++)
    write_cell(array, cell, 1 + (uint32_t)draw(worker, UINT32_MAX - 1));
}

void call_place_block(struct worker *worker) {
  struct array *array = make_room(worker);
  size_t unit = 8 + draw(worker, one_in(worker, 2) ? 8 : 5000);
  size_t bytes = draw_bytes(worker) + unit;
  char *block = allocate_block(worker, bytes, &unit);
  if (!block || errno == 0)
    wrong(worker, "no memory, or errno is 0");
  array->kind = BLOCK;
  array->start = array->memory = block;
  array->bytes = array->memory_bytes = bytes;
  array->size = 1;
  array->dimensions = 1;
  array->extents[0] = bytes;
  write_all(worker, array);
}

void call_realloc_block(struct worker *worker) {
  struct array *array = any_array(worker, 1 << BLOCK);
  if (!array)
    return;
  size_t before = array->bytes;
  size_t bytes = draw_bytes(worker);
  calling(worker, "realloc(%p, %zu) of %zu", (void *)array->start, bytes, before);
  char *moved = realloc(array->start, bytes);
  if (!moved)
    wrong(worker, "no memory");
  array->start = array->memory = moved;
  resize_contents(array, bytes);
  array->extents[0] = bytes;
  size_t kept = before < bytes ? before : bytes;
  for (size_t cell = kept / CELL; cell < count_cells(array); cell++)
    if (before < bytes)
      write_cell(array, cell, (uint32_t)cell + 7);
  check_array(worker, array);
}

void call_place_rows(struct worker *worker) {
  enum { MOST_ROWS = 16 };
  struct array rows[MOST_ROWS] = {0};
  size_t count = 1 + draw(worker, MOST_ROWS);
  size_t bytes = 5000 + draw(worker, 60000);
  for (size_t i = 0; i < count; i++) {
    calling(worker, "MAI_PLACED_ROW(malloc(%zu)), row %zu of %zu", bytes, i, count);
    rows[i].memory = MAI_PLACED_ROW(rows, malloc(MAI_BYTES(bytes)), i, count, "block");
    rows[i].memory_bytes = bytes;
    if (!rows[i].memory)
      wrong(worker, "no memory");
    write_all(worker, &rows[i]);
  }
  for (size_t i = 0; i < count; i++) {
    check_array(worker, &rows[i]);
    free(rows[i].memory);
  }
}

/*===-- The end --------------------------------------------------------------===*/

void release_own(struct worker *worker, struct array *array) {
  if (one_in(worker, 2))
    check_array(worker, array);
  if (array->kind == MAPPED && array->known) {
    calling(worker, "mai_forget(%p), munmap", (void *)array->start);
    expect_done(worker, mai_forget(array->start), 0);
  }
  if (array->kind == MAPPED) {
    munmap(array->memory, array->memory_bytes);
  } else {
    calling(worker, "free(%p)", (void *)array->start);
    free(array->start);
  }
  array->kind = NO_ARRAY;
}
