/* Cells around a particle are where its place says, whatever function computes that, of floating-point numbers or of a struct, and however it
   keeps them within the grid: that depends on data, and is another for each thread. A function into which is looked may change its variables under conditions.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  float x, y;
} point;

enum { Width = 80, Height = 60, Cells = Width * Height, Many = 400000 };

static int cell_of(point p) {
  int x = (int)(p.x * Width), y = (int)(p.y * Height);
  if (x < 0)
    x = 0;
  if (y < 0)
    y = 0;
  if (y >= Height)
    y = Height - 1;
  return y * Width + x;
}

static int column_of(double x) { return (int)(x * Width); }

static int row_of(double y) {
  int row = 0;
  if (y > 0)
    row = (int)(y * Height);
  return row;
}

// CHECK-DAG: c:[[#@LINE+1]]: columns: cyclic on threads: indexed indirectly by x in count(); read only
static int columns[Many];
// CHECK-DAG: c:[[#@LINE+1]]: rows: cyclic on threads: indexed indirectly by y in count(); read only
static int rows[Many];

static double x[Many], y[Many];

static double count(void) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < Many; i++)
    sum += columns[column_of(x[i])] + rows[row_of(y[i])];
  return sum;
}

static double near(const point *at, const int *start, const int *order, int n) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++) {
    const int cell = cell_of(at[i]), x = cell % Width, y = cell / Width;
    for (int v = y > 0 ? y - 1 : 0; v <= y + 1 && v < Height; v++)
      for (int u = x > 0 ? x - 1 : 0; u <= x + 1 && u < Width; u++)
        for (int k = start[v * Width + u]; k < start[v * Width + u + 1]; k++)
          sum += at[order[k]].x;
  }
  return sum;
}

/* Each with those behind it in a cell. */
static int pairs(const point *at, const int *start, const int *kind, int n) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++) {
    const int cell = cell_of(at[i]);
    for (int k = start[cell]; k < start[cell + 1]; k++)
      for (int j = k + 1; j < start[cell + 1]; j++)
        sum += kind[j];
  }
  return sum;
}

static void sort(const point *at, point *sorted, const int *order, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    sorted[i] = at[order[i]];
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 3000;
  // CHECK-DAG: c:[[#@LINE+1]]: at: block{{.*}}: elements follow index i of the parallel loop in pairs()
  point *at = malloc((size_t)n * sizeof *at);
  point *sorted = malloc((size_t)n * sizeof *sorted);
  // CHECK-DAG: c:[[#@LINE+1]]: start: cyclic on threads: indexed indirectly by at in near()
  int *start = calloc(Cells + 1, sizeof *start);
  // CHECK-DAG: c:[[#@LINE+1]]: order: block{{.*}}: elements follow index i of the parallel loop in sort(); also indexed indirectly by start in near()
  int *order = malloc((size_t)n * sizeof *order);
  // CHECK-DAG: c:[[#@LINE+1]]: kind: cyclic on threads: indexed indirectly by start in pairs()
  int *kind = calloc((size_t)n, sizeof *kind);
  for (int i = 0; i < n; i++) {
    at[i].x = (float)(i % 97) / 97;
    at[i].y = (float)(i % 89) / 89;
    start[cell_of(at[i]) + 1]++;
    kind[i] = i % 3;
  }
  for (int i = 0; i < Many; i++) {
    x[i] = y[i] = (i % 1000) / 1000.0;
    columns[i] = rows[i] = i;
  }
  for (int c = 0; c < Cells; c++)
    start[c + 1] += start[c];
  for (int i = n - 1; i >= 0; i--)
    order[--start[cell_of(at[i]) + 1]] = i;
  for (int c = 0; c < Cells; c++)
    start[c] = start[c + 1];
  start[Cells] = n;
  sort(at, sorted, order, n);
  double sum = 0;
  for (int step = 0; step < 9; step++)
    sum += count();
  printf("%d %g %g %g\n", pairs(at, start, kind, n), near(at, start, order, n), sum,
         sorted[n / 2].y);
  return 0;
}
