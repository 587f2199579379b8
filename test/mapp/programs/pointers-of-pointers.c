/* Tables of pointers to rows: static, automatic, allocated, filled here and there, of two levels.

   RUN: %{try} %{program}
   CHECK: MAPP001 by_static: block: rows that rows delimits follow index i of the parallel loop in main()
   CHECK: MAPP001 by_local: block: rows that local delimits follow index i of the parallel loop in main()
   CHECK: MAPP001 by_malloc: block: rows that allocated delimits follow index i of the parallel loop in main()
   CHECK: MAPP001 by_function: block: rows that filled delimits follow index i of the parallel loop in main()
   CHECK: MAPP001 cube: block
   CHECK: MAPP001 by_member: block: rows that rows delimits follow index i of the parallel loop in main()
   CHECK: MAPP121 both: left alone: threads write it first: elements follow index i of the parallel loop in main()
   CHECK: MAPP001 by_parameter: block: rows that u delimits follow index i of the parallel loop in sweep()
   CHECK: MAPP001 by_calloc: block: elements that u delimits follow index i of the parallel loop in sweep()
   CHECK: MAPP001 by_result: block: elements that u delimits follow index i of the parallel loop in sweep()
   CHECK: 9 arrays smaller than 4096 bytes left alone
*/
#include <stdio.h>
#include <stdlib.h>
#define N 64
static double by_static[N][N], by_local[N][N], by_malloc[N][N], by_function[N][N], cube[16][16][16];
static double by_member[N][N], both[N * N], by_parameter[N][N], by_calloc[N * N], by_result[N * N];
static double *rows[N], **filled, **planes[16], **given;
static struct {
  double **rows;
} grid;

static void point(double **to, double *from, int n) {
  for (int i = 0; i < n; i++)
    to[i] = from + i * n;
}

static double **table(double *data) {
  double **t = malloc(N * sizeof *t);
  point(t, data, N);
  return t;
}

static void sweep(double **u, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      u[i][j] = i - j;
}

int main(void) {
  double sum = 0, *local[N], **allocated = malloc(N * sizeof *allocated), **other;
  for (int i = 0; i < N; i++) {
    rows[i] = &by_static[i][0];
    local[i] = by_local[i];
    allocated[i] = by_malloc[i];
  }
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      rows[i][j] = local[i][j] = allocated[i][j] = i;
  filled = malloc(N * sizeof *filled);
  point(filled, &by_function[0][0], N);
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      filled[i][j] = i;
  for (int i = 0; i < 16; i++) {
    planes[i] = malloc(16 * sizeof *planes[i]);
    for (int j = 0; j < 16; j++)
      planes[i][j] = cube[i][j];
  }
#pragma omp parallel for
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 16; j++)
      for (int k = 0; k < 16; k++)
        planes[i][j][k] = i;
  grid.rows = malloc(N * sizeof *grid.rows);
  for (int i = 0; i < N; i++)
    grid.rows[i] = by_member[i];
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      grid.rows[i][j] = i;
  double *two[2] = {both, both + N * N / 2};
#pragma omp parallel for
  for (int i = 0; i < N * N / 2; i++)
    two[0][i] = two[1][i] = i;
  given = calloc(N, sizeof *given);
  for (int i = 0; i < N; i++)
    given[i] = by_parameter[i];
  sweep(given, N);
  other = calloc(N, sizeof *other);
  point(other, by_calloc, N);
  sweep(other, N);
  double **result = table(by_result);
  sweep(result, N);
  for (int i = 0; i < N; i++)
    sum += by_static[i][i] + by_local[i][i] + by_malloc[i][i] + by_function[i][i] + by_member[i][i] +
           both[i] + cube[i % 16][1][2] + by_parameter[i][i] + by_calloc[i] + by_result[i];
  printf("%g\n", sum);
  return 0;
}
