/* Blocks of malloc() and its like are placed where they are allocated, by what the loops of all
   functions do with them; rows and ranges are told in the program's own words, and every size is
   evaluated once.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
   RUN: %{run-rewritten} %t --mode=heap %s
   RUN: mapp-rewrite --no-heap-blocks %s 2>&1 | FileCheck %s --check-prefix=NONE --allow-empty
*/
// NONE-NOT: MAI_
#include <stdio.h>
#include <stdlib.h>

static double *from, *to;
static int asked;

static size_t size_of(int n, int m) {
  asked++;
  return (size_t)n * (size_t)m * sizeof(double);
}

static void step(double *out, const double *in, int n, int m) {
#pragma omp parallel for
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      out[i * m + j] = in[(i - 1) * m + j] + in[(i + 1) * m + j] + in[i * m + j - 1];
}

int main(int argc, char **argv) {
  (void)argv;
  int n = 200 + argc, m = 599 + argc;
  // CHECK: {{^\+}}  from = MAI_PLACED_NEW(from, malloc(MAI_BYTES((size_t)n * (size_t)m * sizeof(double))), 8 * (unsigned long)m, "block", 1, (unsigned long)n - 2 /* mapp: elements follow index i of the parallel loop in step() */);
  from = malloc((size_t)n * (size_t)m * sizeof(double));
  // CHECK: {{^\+}}  to = (double *)MAI_PLACED_NEW(to, calloc(MAI_COUNT((size_t)(n * m)), MAI_BYTES(sizeof *to)), 8 * (unsigned long)m, "block", 1,
  to = (double *)calloc((size_t)(n * m), sizeof *to);
  // CHECK: {{^\+}}  double *once = MAI_PLACED_NEW(once, malloc(MAI_BYTES(size_of(n, m))), sizeof(double), "block
  double *once = malloc(size_of(n, m));
  // CHECK: {{^\+}}  if (MAI_PLACED_AT(aligned, posix_memalign(&aligned, 4096, MAI_BYTES((size_t)(n * m) * 8)), {{8 \* \(unsigned long\)m|sizeof\(double\)}}, "block" {{.*}}) != 0)
  void *aligned;
  if (posix_memalign(&aligned, 4096, (size_t)(n * m) * 8) != 0)
    return 1;
  // CHECK: {{^\+}}  double (*view)[m] = MAI_PLACED_NEW(view, aligned_alloc(64, MAI_BYTES(sizeof(double[n][m]))), {{8 \* \(unsigned long\)m|sizeof \*view}}, "block
  double (*view)[m] = aligned_alloc(64, sizeof(double[n][m]));
  if (!from || !to || !once || !view)
    return 1;
  double *flat = aligned;
#pragma omp parallel for
  for (int i = 0; i < n * m; i++)
    from[i] = to[i] = once[i] = flat[i] = i % 7;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      view[i][j] = flat[i * m + j];
  for (int t = 0; t < 3; t++) {
    step(to, from, n, m);
    step(from, to, n, m);
  }
  // CHECK: {{^\+}}  once = MAI_PLACED(once, realloc(once, MAI_BYTES(2 * size_of(n, m))),
  once = realloc(once, 2 * size_of(n, m));
  if (!once)
    return 1;
#pragma omp parallel for
  for (int i = 0; i < 2 * n * m; i++)
    once[i] = i % 5;
#pragma omp parallel for
  for (int i = 0; i < n * m; i++)
    flat[i] += view[i / m][i % m];
  printf("%g %g %g %d\n", from[m + 1], to[n * m - m - 2], once[2 * n * m - 1], asked);
  free(from);
  free(to);
  free(once);
  free(aligned);
  free(view);
  return 0;
}
