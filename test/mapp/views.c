/* One array seen as another: as a variable-length array through void *, as a flat vector, from one
   element before its start, through tables of row pointers, members of structs and aliases.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#define N 120

struct matrix {
  int n;
  double *data, **row;
};

// CHECK: c:[[#]]: cube: block: elements follow index i of the parallel loop in fill_cube()
static double cube[N * N * N];
// CHECK: c:[[#]]: square: block: rows follow index i of the parallel loop in fill_flat()
static double square[N][N];
// CHECK: c:[[#]]: fortran: block: elements follow index i of the parallel loop in fill_from_one()
static double fortran[N * N];
// CHECK: c:[[#]]: storage: block: elements that row delimits follow index i of the parallel loop in fill_rows()
static double storage[N * N];
// CHECK: c:[[#]]: even: block: elements follow index i of the parallel loop in fill_flat()
static double even[N * N];
static double *rows[N];
static double *const alias = even;

static void fill_cube(void *memory, int n) {
  double(*view)[n][n] = (double(*)[n][n])memory;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        view[i][j][k] = i + j + k;
}

static void fill_flat(double *memory) {
#pragma omp parallel for
  for (int i = 0; i < N * N; i++)
    memory[i] = i;
}

static void fill_rows(const struct matrix *m) {
#pragma omp parallel for
  for (int i = 0; i < m->n; i++)
    for (int j = 0; j < m->n; j++)
      m->row[i][j] = m->data[i * m->n + j] + i;
}

__attribute__((noinline)) static void fill_from_one(double *x, long first) {
  x -= first;
#pragma omp parallel for
  for (int i = 1; i <= N * N; i++)
    x[i] = i;
}

int main(int argc, char **argv) {
  (void)argv;
  struct matrix m = {N, storage, rows};
  for (int i = 0; i < N; i++)
    m.row[i] = &storage[i * N];
  fill_cube(cube, N);
  fill_flat(&square[0][0]);
  fill_flat(alias);
  fill_rows(&m);
  fill_from_one(fortran, argc);
  printf("%g %g %g %g %g\n", cube[N + 2], square[3][4], fortran[5], storage[6 * N], even[7]);
  return 0;
}
