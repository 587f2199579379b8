/* Pointers and counters that each iteration of a loop moves on by as much, be it in `*to++ = *from++`, are followed as the loop's
   own variable is.  What only some iterations move is not.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 400 };

// CHECK-DAG: {{^\+}}MAI_STATIC(rows, "block");
static double rows[N * N];
// CHECK-DAG: {{^\+}}MAI_STATIC(image, "block");
static double image[N * N];
// CHECK-DAG: {{^\+}}MAI_STATIC(to_end, "block");
static double to_end[N * N];
// CHECK-DAG: {{^\+}}MAI_STATIC(backwards, "block");
static double backwards[N * N];
// CHECK-DAG: {{^\+}}MAI_STATIC(shares, "block");
static double shares[N * N];
// CHECK-DAG: packed: {{left alone|cyclic}}
static double packed[N * N];

static void fill(double *to, int count) {
  double *end = to + count;
  while (to < end)
    *to++ += 1;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : N;
  for (int i = 0; i < N * N; i++)
    rows[i] = image[i] = to_end[i] = backwards[i] = shares[i] = packed[i] = i % 9;
  for (int step = 0; step < 20; step++) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
      double *to = rows + i * n, *from = &image[i * n];
      for (int j = 0; j < n; j++)
        *to++ += *from++;
      for (double *p = &to_end[i * n], *end = p + n; p < end; p++)
        *p += i;
      int k = i * N;
      for (int j = N - 1; j >= 0; j--)
        backwards[k++] += j;
      int next = i;
      for (int j = 0; j < N; j++) {
        if (j % 3 == 0)
          continue;
        packed[next * N / 2] += 1;
        next++;
      }
    }
#pragma omp parallel
    {
      const int share = N * N / omp_get_num_threads();
      fill(shares + omp_get_thread_num() * share, share);
    }
  }
  printf("%g %g %g\n", rows[N], to_end[5], backwards[N * N - 1]);
  return 0;
}
