/* Which of its neighbours a row looks to may be told by a table, or computed from the index of a short loop: it is the same for all
   threads, whose rows stay in order, also around the edge, or where a function with several returns keeps them within. What is looked up by the parallel index itself may lie anywhere.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

enum { N = 512, Ways = 5 };

static const int down[Ways] = {0, 1, -1, 0, 0}, right[Ways] = {0, 0, 0, 1, -1};

// CHECK-DAG: c:[[#@LINE+1]]: field: block: rows follow index y of the parallel loop in step()
static double field[N][N];
// CHECK-DAG: c:[[#@LINE+1]]: folded: block, 1, (N) - 2: rows follow index y of the parallel loop in step()
static double folded[N][N];
// CHECK-DAG: c:[[#@LINE+1]]: solid: block: elements follow index y of the parallel loop in step()
static unsigned char solid[N * N];
// CHECK-DAG: c:[[#@LINE+1]]: within: block: rows follow index y of the parallel loop in step()
static double within[N][N];
// CHECK-DAG: c:[[#@LINE+1]]: found: cyclic on threads: indexed indirectly in step(); read only after it is filled (
static double found[N][N];
// CHECK-DAG: c:[[#@LINE+1]]: box: block, 0, (N) - 2: rows follow index y of the parallel loop in step()
static double box[N][N];
// CHECK-DAG: c:[[#@LINE+1]]: looked_up: cyclic on threads: indexed indirectly by row in step(); read only after it is filled (
static double looked_up[N][N];
static int row[N];

/* By numbers near the largest that there are. */
// CHECK-DAG: c:[[#@LINE+1]]: distant:
static double distant[N * N];

static int clamp(int at, int least, int most) {
  if (at < least)
    return least;
  if (at > most) {
    return most;
  }
  return at;
}

/* It may be anywhere. */
static int root(int at) {
  if (row[at] == 0)
    return at;
  return row[at] + at;
}

static void step(const double *diagonals, const int *offset, int count, double *sum, int n) {
#pragma omp parallel for
  for (int y = 0; y < N; y++)
    for (int x = 1; x < N - 1; x++)
      for (int k = 0; k < Ways; k++) {
        const int at = (y + down[k] + N) % N, column = x + right[k];
        folded[y][x] += field[at][column] * solid[at * N + column] +
                        looked_up[y + row[y]][(x + k) % N] +
                        within[clamp(y + down[k], 0, N - 1)][column] + found[root(y)][(x + k) % N] +
                        distant[(y / N + 9223372036854775807) % 9223372036854775000];
      }
#pragma omp parallel for
  for (int y = 1; y < N - 1; y++)
    for (int x = 1; x < N - 1; x++)
      for (int k = 0; k < 9; k++)
        folded[y][x] += box[y + k / 3 - 1][x + k % 3 - 1];
#pragma omp parallel for
  for (int i = n / 4; i < n - n / 4; i++)
    for (int k = 0; k < count; k++)
      sum[i] += diagonals[i + offset[k]];
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 20000, count = 3;
  int *offset = malloc((size_t)count * sizeof *offset);
  // CHECK-DAG: c:[[#@LINE+1]]: diagonals: block: elements follow index i of the parallel loop in step()
  double *diagonals = malloc((size_t)n * sizeof *diagonals);
  // CHECK-DAG: c:[[#@LINE+1]]: sum: block: elements follow index i of the parallel loop in step()
  double *sum = calloc((size_t)n, sizeof *sum);
  for (int i = 0; i < n; i++)
    diagonals[i] = i % 9;
  for (int k = 0; k < count; k++)
    offset[k] = k - 1;
  for (int y = 0; y < N; y++)
    for (int x = 0; x < N; x++) {
      field[y][x] = box[y][x] = looked_up[y][x] = within[y][x] = found[y][x] = y % 5 + x % 3;
      solid[y * N + x] = x % 4 == 0;
      row[y] = y % 2 ? -1 : 0;
    }
  for (int t = 0; t < 3; t++)
    step(diagonals, offset, count, sum, n);
  printf("%g %g\n", folded[3][4], sum[n / 2]);
  return 0;
}
