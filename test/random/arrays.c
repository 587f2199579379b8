/*===-- arrays.c - the arrays of a worker -----------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <string.h>

#include "calls.h"

struct array *any_array(struct worker *worker, unsigned kinds) {
  size_t all = ARRAYS + (worker->statics ? STATICS : 0);
  size_t first = draw(worker, all);
  for (size_t i = 0; i < all; i++) {
    size_t index = (first + i) % all;
    struct array *array =
        index < ARRAYS ? &worker->arrays[index] : &worker->statics[index - ARRAYS];
    if (array->kind != NO_ARRAY && kinds & 1U << array->kind)
      return array;
  }
  return NULL;
}

struct array *make_room(struct worker *worker) {
  struct array *array = &worker->arrays[draw(worker, ARRAYS)];
  release_memory(worker, array);
  memset(array, 0, sizeof *array);
  return array;
}

size_t draw_bytes(struct worker *worker) {
  static const size_t most[] = {64,     4096,   65536,   65536,
                                300000, 300000, 1 << 20, MOST_BYTES - 70000};
  return 1 + draw(worker, most[draw(worker, one_in(worker, 6) ? 8 : 6)]);
}

static void check_cell(struct worker *worker, const struct array *array, size_t cell) {
  if (cell_is_right(array, array->memory, cell))
    return;
  calling(worker, "check cell %zu of %zu, %u bytes of tag %u", cell, count_cells(array),
          array->filled[cell], array->tags[cell]);
  wrong(worker, "other contents in an array of kind %u at %p of %zu bytes", array->kind,
        (void *)array->start, array->bytes);
}

void check_array(struct worker *worker, const struct array *array) {
  for (size_t cell = 0; cell < count_cells(array); cell++)
    check_cell(worker, array, cell);
}

void check_some(struct worker *worker, const struct array *array) {
  check_cell(worker, array, 0);
  check_cell(worker, array, count_cells(array) - 1);
  for (int i = 0; i < 4; i++)
    check_cell(worker, array, draw(worker, count_cells(array)));
}

void write_some(struct worker *worker, struct array *array) {
  size_t cells = count_cells(array);
  size_t first = one_in(worker, 2) ? 0 : draw(worker, cells);
  size_t count = one_in(worker, 2) ? cells - first : draw(worker, cells - first + 1);
  if (array->has_copies)
    return;
  for (size_t cell = first; cell < first + count; cell++)
    write_cell(array, cell, 1 + (uint32_t)draw(worker, UINT32_MAX - 1));
}

void do_write(struct worker *worker) {
  struct array *array = any_array(worker, ANY_KIND);
  if (!array)
    return;
  calling(worker, "write to %p", (void *)array->start);
  write_some(worker, array);
}

void do_check(struct worker *worker) {
  struct array *array = any_array(worker, ANY_KIND);
  if (!array)
    return;
  calling(worker, "check %p", (void *)array->start);
  (one_in(worker, 3) ? check_array : check_some)(worker, array);
}
