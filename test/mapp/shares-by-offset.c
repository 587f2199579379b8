/* A share of an array that begins where the thread's number says, and is counted from its own start, is one of a block: `mine = a +
   first; for (i = 0; i < count; i++) mine[i]`.  A buffer of constant size for each thread is none.

   RUN: mapp-rewrite %s 2>&1 | grep -v CHECK | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <omp.h>
#include <stdio.h>

enum { N = 120000, M = 200, BUFFER = 10000, MOST = 64 };

// CHECK-DAG: {{^\+}}MAI_STATIC(by_index, "block");
static double by_index[N];
// CHECK-DAG: {{^\+}}MAI_STATIC(by_pointer, "block");
static double by_pointer[N];
// CHECK-DAG: {{^\+}}MAI_STATIC(by_argument, "block");
static double by_argument[N];
// CHECK-DAG: {{^\+}}MAI_STATIC(uneven, "block");
static double uneven[N];
// CHECK-DAG: {{^\+}}MAI_STATIC(in_rows, "block");
static double in_rows[N * 2];
// CHECK-DAG: buffers: local: each thread has a part of its own, by its number
static double buffers[MOST * BUFFER];

static void add(double *to, int count) {
  for (int i = 0; i < count; i++)
    to[i] += 1;
}

int main(void) {
  const int n = N, rows = N * 2 / M;
  for (int i = 0; i < N; i++)
    by_index[i] = by_pointer[i] = by_argument[i] = uneven[i] = in_rows[i] = i % 5;
  for (int step = 0; step < 20; step++) {
#pragma omp parallel
    {
      const int me = omp_get_thread_num(), threads = omp_get_num_threads();
      const int share = n / threads, first = share * me;
      for (int i = 0; i < share; i++)
        by_index[first + i] += 1;
      double *mine = by_pointer + first;
      for (int i = 0; i < share; i++)
        mine[i] += by_index[first + i];
      add(by_argument + first, share);
      const int begin = (int)((long)n * me / threads), end = (int)((long)n * (me + 1) / threads);
      add(&uneven[begin], end - begin);
      const int some = rows / threads;
      double *part = &in_rows[some * me * M];
      for (int r = 0; r < some; r++)
        for (int j = 0; j < M; j++)
          part[r * M + j] += j;
      if (me < MOST)
        add(buffers + me * BUFFER, BUFFER);
    }
  }
  printf("%g %g %g %g\n", by_index[7], by_pointer[9], uneven[N - 1], in_rows[M]);
  return 0;
}
