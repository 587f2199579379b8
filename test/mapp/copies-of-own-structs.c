/* What is in a copy of a struct is what is in the one that it was copied from: a thread that copies its own element of a table has
   the pointers and bounds of that.  A copy that something is done to is not one any more.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 200000, MOST = 64 };

struct work {
  int first, end;
  double *out, *moved;
};

// CHECK-DAG: {{^\+}}MAI_STATIC(in, "block");
static double in[N];

int main(void) {
  const int threads = omp_get_max_threads() < MOST ? omp_get_max_threads() : MOST;
  struct work *table = malloc(MOST * sizeof *table);
  for (int t = 0; t < threads; t++) {
    table[t].first = (int)((long)N * t / threads);
    table[t].end = (int)((long)N * (t + 1) / threads);
    // CHECK-DAG: {{^\+}}    table[t].out = MAI_PLACED_ROW(table[t].out, malloc(MAI_BYTES(N * sizeof(double))), (unsigned long)t, (unsigned long)threads, "block-cyclic 1"
    table[t].out = malloc(N * sizeof(double));
    // CHECK-DAG: moved: cyclic on threads: every thread goes over it
    table[t].moved = malloc(N * sizeof(double));
  }
  for (int i = 0; i < N; i++)
    in[i] = i;
  for (int step = 0; step < 20; step++) {
#pragma omp parallel num_threads(threads)
    {
      const struct work mine = table[omp_get_thread_num()];
      for (int i = mine.first; i < mine.end; i++)
        mine.out[i - mine.first] = in[i] += 1;
      struct work other = table[omp_get_thread_num()];
      other.moved = table[0].moved;
      for (int i = other.first; i < other.end; i++)
        other.moved[i] = i;
    }
  }
  printf("%g %g\n", in[77], table[0].out[5]);
  return 0;
}
