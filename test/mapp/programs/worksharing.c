/* Each way to divide a loop among threads, by the array that it fills.

   RUN: %{try} %{program}
   CHECK: MAPP001 parallel_for: block
   CHECK: MAPP001 inside: block
   CHECK: MAPP001 nowait: block
   CHECK: MAPP001 simd: block
   CHECK: MAPP001 only_if: block for 4 threads
   CHECK: MAPP001 collapsed: block
   CHECK: MAPP001 ordered: block
   CHECK: MAPP005 chunk1: cyclic on threads: schedule(static, 1) distributes its elements in main()
   CHECK: MAPP005 chunk: cyclic on threads: schedule(static, 16) distributes its elements in main()
   CHECK: MAPP003 large_chunk: block-cyclic 1024: schedule(static, 1024) distributes its elements in main()
   CHECK: MAPP005 dynamic: cyclic on threads: schedule(dynamic) distributes its elements in main()
   CHECK: MAPP005 guided: cyclic on threads: schedule(guided) distributes its elements in main()
   CHECK: MAPP005 automatic: cyclic on threads: schedule(auto) distributes its elements in main()
   CHECK: MAPP005 at_run_time: cyclic on threads: schedule(runtime) distributes its elements in main()
   CHECK: MAPP001 monotonic: block
   CHECK: MAPP001 concurrent: block
   CHECK: MAPP001 loop: block
   CHECK: MAPP001 parallel_loop: block
   CHECK: MAPP001 lastprivate: block
   CHECK: MAPP001 reduction: block
   CHECK: MAPP010 not_parallel: left alone: used by one thread only
*/
#include <stdio.h>
#define N 8192
static double parallel_for[N], inside[N], nowait[N], simd[N], only_if[N], collapsed[N / 64][64];
static double ordered[N], chunk1[N], chunk[N], large_chunk[N], dynamic[N], guided[N], automatic[N];
static double at_run_time[N], monotonic[N], concurrent[N], loop[N], parallel_loop[N];
static double lastprivate[N], reduction[N], not_parallel[N];

int main(void) {
  double sum = 0, last = 0;
  int n = N, t = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    parallel_for[i] = i;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; i++)
      inside[i] = i;
#pragma omp for nowait schedule(static)
    for (int i = 0; i < n; i++)
      nowait[i] = i;
#pragma omp for simd
    for (int i = 0; i < n; i++)
      simd[i] = i;
#pragma omp for ordered
    for (int i = 0; i < n; i++) {
#pragma omp ordered
      ordered[i] = i;
    }
#pragma omp for collapse(2)
    for (int i = 0; i < N / 64; i++)
      for (int j = 0; j < 64; j++)
        collapsed[i][j] = i;
#pragma omp for schedule(static, 1)
    for (int i = 0; i < n; i++)
      chunk1[i] = i;
#pragma omp for schedule(static, 16)
    for (int i = 0; i < n; i++)
      chunk[i] = i;
#pragma omp for schedule(static, 1024)
    for (int i = 0; i < N; i++)
      large_chunk[i] = i;
#pragma omp for schedule(monotonic : dynamic, 8)
    for (int i = 0; i < n; i++)
      dynamic[i] = i;
#pragma omp for schedule(guided)
    for (int i = 0; i < n; i++)
      guided[i] = i;
#pragma omp for schedule(auto)
    for (int i = 0; i < n; i++)
      automatic[i] = i;
#pragma omp for schedule(runtime)
    for (int i = 0; i < n; i++)
      at_run_time[i] = i;
#pragma omp for schedule(monotonic : static)
    for (int i = 0; i < n; i++)
      monotonic[i] = i;
#pragma omp for order(concurrent)
    for (int i = 0; i < n; i++)
      concurrent[i] = i;
#pragma omp loop bind(parallel)
    for (int i = 0; i < n; i++)
      loop[i] = i;
#pragma omp for lastprivate(t)
    for (t = 0; t < N; t++)
      lastprivate[t] = t;
#pragma omp for reduction(+ : sum) reduction(max : last)
    for (int i = 0; i < n; i++) {
      sum += reduction[i] = i;
      last = reduction[i] > last ? reduction[i] : last;
    }
  }
#pragma omp parallel loop
  for (int i = 0; i < n; i++)
    parallel_loop[i] = i;
#pragma omp parallel for if (n > 100) num_threads(4)
  for (int i = 0; i < n; i++)
    only_if[i] = i;
#pragma omp simd
  for (int i = 0; i < n; i++)
    not_parallel[i] = i;
  for (int i = 0; i < n; i++)
    sum += parallel_for[i] + inside[i] + nowait[i] + simd[i] + ordered[i] + collapsed[i / 64][i % 64] +
           chunk1[i] + chunk[i] + large_chunk[i] + dynamic[i] + guided[i] + automatic[i] +
           at_run_time[i] + monotonic[i] + concurrent[i] + loop[i] + parallel_loop[i] + only_if[i] +
           lastprivate[i] + not_parallel[i];
  printf("%g %g %d\n", sum, last, t);
  return 0;
}
