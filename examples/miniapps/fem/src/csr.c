/*===-- csr.c - matrices in compressed rows ------------------------------===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "fem.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_IN_ROW = 27 };

static int by_number(const void *left, const void *right) {
  const int l = *(const int *)left, r = *(const int *)right;
  return (l > r) - (l < r);
}

/* The nodes that share an element with this one, ascending; returns how many. */
static int find_neighbours(const mesh *of, int node, int neighbours[MOST_IN_ROW]) {
  int all[CORNERS * CORNERS], count = 0, kept = 0;
  for (int at = of->around[node]; at < of->around[node + 1]; at++)
    for (int corner = 0; corner < CORNERS; corner++)
      all[count++] = of->corner[of->element_at[at]][corner];
  qsort(all, (size_t)count, sizeof all[0], by_number);
  for (int i = 0; i < count; i++)
    if (kept == 0 || neighbours[kept - 1] != all[i])
      neighbours[kept++] = all[i];
  return kept;
}

/* A matrix with an entry for each pair of nodes that share an element; values are not set. */
matrix make_pattern(const mesh *of) {
  matrix pattern = {.rows = of->nodes, .begin = NEW(int, of->nodes + 1)};
  pattern.begin[0] = 0;
#pragma omp parallel for schedule(static)
  for (int row = 0; row < of->nodes; row++) {
    int neighbours[MOST_IN_ROW];
    pattern.begin[row + 1] = find_neighbours(of, row, neighbours);
  }
  for (int row = 0; row < of->nodes; row++)
    pattern.begin[row + 1] += pattern.begin[row];
  pattern.column = NEW(int, pattern.begin[of->nodes]);
  pattern.value = NEW(double, pattern.begin[of->nodes]);
#pragma omp parallel for schedule(static)
  for (int row = 0; row < of->nodes; row++) {
    int neighbours[MOST_IN_ROW];
    const int count = find_neighbours(of, row, neighbours);
    for (int i = 0; i < count; i++)
      pattern.column[pattern.begin[row] + i] = neighbours[i];
  }
  return pattern;
}

/* Where an entry is; NULL when the pattern has none there. */
double *entry(const matrix *of, int row, int column) {
  int low = of->begin[row], high = of->begin[row + 1];
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (of->column[middle] < column)
      low = middle + 1;
    else
      high = middle;
  }
  return low < of->begin[row + 1] && of->column[low] == column ? &of->value[low] : NULL;
}

/* y = A x */
void multiply(const matrix *by, const double *restrict x, double *restrict y) {
  const int *restrict begin = by->begin, *restrict column = by->column;
  const double *restrict value = by->value;
#pragma omp parallel for schedule(static)
  for (int row = 0; row < by->rows; row++) {
    double sum = 0;
    for (int i = begin[row]; i < begin[row + 1]; i++)
      sum += value[i] * x[column[i]];
    y[row] = sum;
  }
}

double greatest_asymmetry(const matrix *of) {
  double most = 0;
#pragma omp parallel for reduction(max : most) schedule(static)
  for (int row = 0; row < of->rows; row++)
    for (int i = of->begin[row]; i < of->begin[row + 1]; i++)
      most = fmax(most, fabs(of->value[i] - *entry(of, of->column[i], row)));
  return most;
}

void free_matrix(matrix *of) {
  free(of->begin);
  free(of->column);
  free(of->value);
}
