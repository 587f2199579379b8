/* All spellings of a counting loop are the same loop: index types, relations, increments, where the
   index is declared, bounds by macros, enumerators and constants, several variables.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stddef.h>
#include <stdio.h>
#define ROWS 100
#define LAST (ROWS - 1)
#define FOR(index, bound) for (int index = 0; index < (bound); ++index)
#define PARALLEL_FOR(index, bound) _Pragma("omp parallel for schedule(static)") FOR(index, bound)
enum { COLUMNS = 1000 };
static const int rows = ROWS;

// CHECK-COUNT-9: {{^\+}}MAI_STATIC({{[a-i]}}, "block");
static double a[ROWS][COLUMNS], b[ROWS][COLUMNS], c[ROWS][COLUMNS], d[ROWS][COLUMNS],
    e[ROWS][COLUMNS], f[ROWS][COLUMNS], g[ROWS][COLUMNS], h[ROWS][COLUMNS], i[ROWS][COLUMNS];

static void set(double *row) {
  for (int j = 0; j < COLUMNS; j++)
    row[j] += j;
}

int main(void) {
  int k;
  size_t m;
  PARALLEL_FOR(n, ROWS) set(a[n]);
#pragma omp parallel for
  for (k = 0; k <= LAST; k += 1)
    set(b[k]);
#pragma omp parallel for
  for (m = 0; m != ROWS; m = m + 1)
    set(c[m]);
#pragma omp parallel for
  for (k = 0; rows > k; k = 1 + k)
    set(d[k]);
#pragma omp parallel for
  for (long l = ROWS - 1; l >= 0; l--)
    set(e[LAST - l]);
#pragma omp parallel for
  for (double *row = &f[0][0]; row < &f[0][0] + ROWS * COLUMNS; row++)
    *row = 1;
#pragma omp parallel for collapse(2)
  for (int n = 0; n < ROWS; n++)
    for (int l = 0; l < COLUMNS; l++)
      g[n][l] = n + l;
#pragma omp parallel
  {
#pragma omp for nowait
    for (unsigned n = 0; n < sizeof h / sizeof h[0]; n++)
      set(h[n]);
#pragma omp for simd
    for (k = 0; k < ROWS / 2; k++)
      for (int l = 2 * k; l < 2 * k + 2; l++)
        i[l][0] = l;
  }
  printf("%g %g %g %g %g %g %g %g %g\n", a[1][1], b[1][1], c[1][1], d[1][1], e[1][1], f[1][1],
         g[1][1], h[1][1], i[9][0]);
  return 0;
}
