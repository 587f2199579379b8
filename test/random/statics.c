/*===-- statics.c - static arrays that MAi takes over -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <mai_static.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"

/* With what stands in front of an array and behind it, for which it must not matter. */
static char before[3000] = "before";
static double by_blocks[300][100];
MAI_STATIC(by_blocks, "block");
static double by_columns[40][2048];
MAI_STATIC_2D(by_columns, "block by columns");
static float of_three[8][16][1024];
MAI_STATIC_3D(of_three, "block by dimension 2");
static int with_contents[50000] = {[7] = 8, [49999] = 9};
MAI_STATIC(with_contents, "cyclic");
static struct {
  char head[100];
  long cells[20000];
  char tail[100];
} state;
MAI_STATIC_PART(state_cells, state.cells, "skew");
static unsigned char small[100];
MAI_STATIC(small, "prime 17");
static char after[3000] = "after";

static double *heap;
MAI_HEAP(heap, 300000, "block");
static double (*heap_2d)[500];
MAI_HEAP_2D(heap_2d, 100 * sizeof *heap_2d, "cyclic");

static void describe(struct array *array, enum array_kind kind, void *start, size_t bytes,
                     size_t size) {
  *array = (struct array){.kind = kind,
                          .known = true,
                          .start = start,
                          .bytes = bytes,
                          .size = size,
                          .dimensions = 1,
                          .extents = {bytes / size},
                          .memory = start,
                          .memory_bytes = bytes};
}

/* By the strides that the macros tell: one dimension, two, three. */
static void describe_2d(struct array *array, void *start, size_t bytes, size_t row, size_t size) {
  describe(array, STATIC, start, bytes, row);
  array->dimensions = 2;
  array->extents[1] = row / size;
}

static int contents_are_lost(void) {
  return strcmp(before, "before") != 0 || strcmp(after, "after") != 0 || with_contents[7] != 8 ||
         with_contents[49999] != 9;
}

void find_statics(struct array *statics) {
  if (contents_are_lost())
    abort();
  with_contents[7] = with_contents[49999] = 0;
  describe(&statics[0], STATIC, by_blocks, sizeof by_blocks, sizeof *by_blocks);
  describe_2d(&statics[1], by_columns, sizeof by_columns, sizeof *by_columns, sizeof(double));
  describe(&statics[2], STATIC, of_three, sizeof of_three, sizeof *of_three);
  statics[2].dimensions = 3;
  statics[2].extents[1] = 16;
  statics[2].extents[2] = 1024;
  describe(&statics[3], STATIC, with_contents, sizeof with_contents, sizeof *with_contents);
  describe(&statics[4], STATIC, state.cells, sizeof state.cells, sizeof *state.cells);
  describe(&statics[5], STATIC, small, sizeof small, sizeof *small);
  describe(&statics[6], STATIC, heap, 300000, sizeof *heap);
  statics[6].whole_pages = true;
  describe_2d(&statics[7], heap_2d, 100 * sizeof *heap_2d, sizeof *heap_2d, sizeof(double));
  statics[7].whole_pages = true;
}

/* Arrays that are placed already are left as they are. */
void call_statics(struct worker *worker) {
  struct mai_static_array entries[2] = {mai_static_by_blocks, mai_static_small};
  calling(worker, "mai_place_static of what is placed, of nothing");
  mai_place_static(entries, entries + 2);
  mai_place_static(entries, entries);
  mai_hand_over_static_arrays();
  if (strcmp(before, "before") != 0 || strcmp(after, "after") != 0 || state.head[5] ||
      state.tail[99])
    wrong(worker, "other contents around static arrays");
  for (size_t i = 0; worker->statics && i < STATICS; i++)
    check_some(worker, &worker->statics[i]);
}
