/*===-- patterns.c - a Laplacian filter whose rows move among the threads *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * An image is filtered again and again, from one array into another and back.  The pattern says
 * which thread has which rows in which pass, and who fills the image; what is computed is always
 * the same.
 *
 *     patterns laplace|healthy|phases|drift|random|short [rows [passes|home]]
 *
 * With `home` there are as many passes as it takes until 95 % of the rows are on the nodes of the
 * threads that filter them.
 *
 * A row is 4 KiB.  The sum goes to standard output; to standard error where the rows are at the
 * end, and how many of the rows that threads wrote in all passes lay on another node than theirs:
 * these are counted in one pass of eight.
 */
#define _GNU_SOURCE
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { COLUMNS = 512, ROW_BYTES = COLUMNS * sizeof(double), PASSES_A_PHASE = 50, COUNTED = 8 };

typedef double row_t[COLUMNS];

static size_t rows = 512;
static size_t passes = 100;
static bool until_home;
static size_t threads;
static int node_of_thread[1024];

/*===-- Patterns: the thread of a row in a pass ----------------------------===*/

typedef size_t owner_t(size_t row, size_t pass);

static size_t block(size_t row, size_t pass) {
  (void)pass;
  return row * threads / rows;
}

static size_t phases(size_t row, size_t pass) {
  return pass / PASSES_A_PHASE % 2 ? row % threads : block(row, pass);
}

/* Where the rows of a thread begin: the first threads have more and more of them. */
static size_t first_row(size_t thread, size_t pass) {
  double even = (double)thread / (double)threads;
  double late = (double)pass / (double)passes;
  return (size_t)((double)rows * ((1 - late) * even * even + late * even * (2 - even)));
}

static size_t drift(size_t row, size_t pass) {
  size_t thread = 0;
  while (thread + 1 < threads && first_row(thread + 1, pass) <= row)
    thread++;
  return thread;
}

static size_t any(size_t row, size_t pass) {
  unsigned long hash = (row * 1000003 + pass) * 0x9e3779b97f4a7c15UL;
  return (hash >> 40) % threads;
}

static const struct pattern {
  const char *name;
  owner_t *owner;
  bool filled_by_all; /* each thread its own rows */
  size_t passes;      /* 0: as asked */
} patterns[] = {
    {"laplace", block, false, 0}, {"healthy", block, true, 0}, {"phases", phases, false, 0},
    {"drift", drift, false, 0},   {"random", any, false, 0},   {"short", block, false, 3},
};

static const struct pattern *find(const char *name) {
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
    if (strcmp(patterns[i].name, name) == 0)
      return &patterns[i];
  fprintf(stderr, "expected laplace, healthy, phases, drift, random or short, found %s\n", name);
  exit(2);
}

/*===-- The filter ---------------------------------------------------------===*/

static void fill_row(row_t *image, size_t row) {
  for (size_t column = 0; column < COLUMNS; column++)
    image[row][column] = (double)((row * 7 + column * 13) % 251);
}

static void fill(const struct pattern *pattern, row_t *image) {
#pragma omp parallel if (pattern->filled_by_all)
  for (size_t row = 0; row < rows; row++)
    if (!pattern->filled_by_all || pattern->owner(row, 0) == (size_t)omp_get_thread_num())
      fill_row(image, row);
}

static void filter_row(row_t *to, row_t *from, size_t row) {
  size_t above = row ? row - 1 : row, below = row + 1 < rows ? row + 1 : row;
  for (size_t column = 1; column + 1 < COLUMNS; column++)
    to[row][column] = from[row][column] +
                      0.1 * (from[above][column] + from[below][column] + from[row][column - 1] +
                             from[row][column + 1] - 4 * from[row][column]);
}

static void filter(const struct pattern *pattern, row_t *to, row_t *from, size_t pass) {
#pragma omp parallel
  for (size_t row = 0; row < rows; row++)
    if (pattern->owner(row, pass) == (size_t)omp_get_thread_num())
      filter_row(to, from, row);
}

/*===-- Where rows are -----------------------------------------------------===*/

static void find_threads(void) {
#pragma omp parallel
  {
    unsigned node = 0;
    syscall(SYS_getcpu, NULL, &node, NULL);
    node_of_thread[omp_get_thread_num()] = (int)node;
  }
}

/* How many rows are on the nodes of the threads that have them. */
static size_t count_at_home(const struct pattern *pattern, row_t *image, size_t pass) {
  size_t home = 0;
  for (size_t row = 0; row < rows; row++) {
    void *page = &image[row];
    int node = -1;
    syscall(SYS_move_pages, 0, 1UL, &page, NULL, &node, 0);
    home += node == node_of_thread[pattern->owner(row, pass)];
  }
  return home;
}

/* Whether there is to be another pass. */
static bool goes_on(const struct pattern *pattern, row_t *from, row_t *to, size_t pass) {
  if (!until_home)
    return pass + 1 < passes;
  if (pass % COUNTED)
    return true;
  size_t home = count_at_home(pattern, from, pass) + count_at_home(pattern, to, pass);
  return home * 20 < 2 * rows * 19;
}

static row_t *allocate(void) {
  void *image = NULL;
  if (posix_memalign(&image, ROW_BYTES, rows * sizeof(row_t)) != 0)
    exit(1);
  return image;
}

int main(int count, char **arguments) {
  const struct pattern *pattern = find(count > 1 ? arguments[1] : "laplace");
  rows = count > 2 ? strtoul(arguments[2], NULL, 10) : rows;
  until_home = count > 3 && strcmp(arguments[3], "home") == 0;
  passes = count > 3 && !until_home ? strtoul(arguments[3], NULL, 10) : passes;
  passes = pattern->passes ? pattern->passes : passes;
  threads = (size_t)omp_get_max_threads();
  row_t *from = allocate(), *to = allocate();
  fill(pattern, from);
  fill(pattern, to);
  find_threads();
  size_t remote = 0, counted = 0, pass = 0;
  do {
    filter(pattern, to, from, pass);
    if (pass % COUNTED == 0) {
      remote += rows - count_at_home(pattern, to, pass);
      counted += rows;
    }
    row_t *filtered = to;
    to = from;
    from = filtered;
  } while (goes_on(pattern, from, to, pass++));
  double sum = 0;
  for (size_t row = 0; row < rows; row++)
    for (size_t column = 0; column < COLUMNS; column++)
      sum += from[row][column] * (double)(column % 7);
  printf("%s: sum %.17g\n", pattern->name, sum);
  size_t home = count_at_home(pattern, from, pass - 1) + count_at_home(pattern, to, pass - 1);
  fprintf(stderr, "%s: %.3f of the rows at home at the end, %.3f written from other nodes\n",
          pattern->name, (double)home / (double)(2 * rows), (double)remote / (double)counted);
  return 0;
}
