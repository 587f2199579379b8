/* Functions of another file say which thread it is, and where its share begins and ends, also both at once, as a struct or by
   pointers. One that changes something is no such
   function: what it returns may be anything.

   RUN: rm -rf %t && mkdir %t && cp %s %S/Inputs/shares.* %t && cd %t
   RUN: mapp-rewrite --out-dir=placed thread-answers.c shares.c 2>&1 | FileCheck %s
   RUN: not mapp-rewrite --check shares.c thread-answers.c 2>&1 | FileCheck %s
   RUN: %{gcc} thread-answers.c shares.c -o original
   RUN: cd placed && %{gcc} thread-answers.c shares.c -o gcc %{mai} && %{clang} thread-answers.c shares.c -o clang %{mai}
   RUN: env OMP_NUM_THREADS=3 ../original > expected
   RUN: env OMP_NUM_THREADS=3 ./gcc | diff - expected && env OMP_NUM_THREADS=3 ./clang | diff - expected
*/
#include "shares.h"
#include <stdio.h>

enum { N = 400000 };

// CHECK-DAG: c:[[#@LINE+1]]: shared: block: elements follow index i of the parallel loop in main()
static double shared[N];
// CHECK-DAG: c:[[#@LINE+1]]: own: local: each thread has a part of its own, by its number
static double own[64][4096];
// CHECK-DAG: c:[[#@LINE+1]]: anywhere: cyclic on threads: every thread goes over it in main()
static double anywhere[N];
// CHECK-DAG: c:[[#@LINE+1]]: by_struct: block: elements follow index i of the parallel loop in main()
static double by_struct[N];
// CHECK-DAG: c:[[#@LINE+1]]: by_pointers: block: elements follow index i of the parallel loop in main()
static double by_pointers[N];
// CHECK-DAG: c:[[#@LINE+1]]: by_all: cyclic on threads: every thread goes over it in main()
static double by_all[N];

int main(void) {
  double sum = 0;
  for (int i = 0; i < N; i++)
    shared[i] = anywhere[i] = by_struct[i] = by_pointers[i] = by_all[i] = 1;
#pragma omp parallel reduction(+ : sum)
  for (int k = 0; k < 40; k++) {
    for (int i = my_first(N); i < my_end(N); i++)
      shared[i] += k;
    const struct part part = my_part(N - 2);
    for (long i = 1 + part.first; i < 1 + part.end; i++)
      by_struct[i] += k;
    int first, end;
    my_bounds(N, &first, &end);
    for (int i = first; i < end; i++)
      by_pointers[i] += k;
    all_bounds(N, &first, &end);
    for (int i = first; i < end; i++)
      sum += by_all[i];
    for (int j = 0; j < 4096; j++)
      own[my_number() % 64][j] += k;
    for (int i = my_random(N / 2); i < N / 2 + my_random(N / 2); i++)
      sum += anywhere[i];
  }
  printf("%g %g %g %g %g\n", shared[17], own[0][5], by_struct[9], by_pointers[9], sum);
  return 0;
}
