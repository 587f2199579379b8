/* Arrays in the lists of other directives: flush, depend, map, target update, simd's aligned and nontemporal,
   affinity.

   RUN: %{try} %{program} -Wno-openmp-mapping -Wno-unknown-warning-option
   PLACE: MAPP002 flag: block, 0, 64
   PLACE: MAPP001 flushed: block
   PLACE: MAPP001 whole: block: used by tasks or sections in main()
   HEAP: MAPP065 flag: left alone: it stands in an OpenMP clause other than shared
   HEAP: MAPP065 flushed: left alone: it stands in an OpenMP clause other than shared
   HEAP: MAPP065 whole: left alone: it stands in an OpenMP clause other than shared
   CHECK: MAPP001 element: block: used by tasks or sections in main()
   CHECK: MAPP001 part: block: used by tasks or sections in main()
   CHECK: MAPP010 mapped: left alone: used by one thread only
   CHECK: MAPP010 implicit: left alone: used by one thread only
   PLACE: MAPP001 updated: block
   HEAP: MAPP064 updated: left alone: a target construct maps or copies it
   CHECK: MAPP001 aligned: block
   CHECK: MAPP010 declared: left alone: used by one thread only
*/
#include <stdio.h>
#define N 4096
static volatile int flag[N];
static double flushed[64][64], whole[N], element[N], part[N], mapped[N], implicit[N], updated[N], aligned[N];
#pragma omp declare target
double declared[N];
#pragma omp end declare target

int main(void) {
  double sum = 0;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < 64; i++) {
      for (int j = 0; j < 64; j++)
        flushed[i][j] = i;
      flag[i] = 1;
#pragma omp flush(flag, flushed)
    }
#pragma omp single
    {
#pragma omp task depend(out : whole)
      for (int i = 0; i < N; i++)
        whole[i] = i;
#pragma omp task depend(in : whole) depend(inout : element[0])
      for (int i = 0; i < N; i++)
        element[i] = whole[i];
#pragma omp task depend(in : element[0]) depend(out : part[0 : N])
      for (int i = 0; i < N; i++)
        part[i] = element[i];
    }
  }
#pragma omp target map(tofrom : mapped)
  for (int i = 0; i < N; i++) {
    mapped[i] = i;
    declared[i] = implicit[i] = i;
  }
#pragma omp target update from(declared)
#pragma omp target data map(updated[0 : N])
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
      updated[i] = i;
#pragma omp target update from(updated)
  }
#pragma omp parallel for simd aligned(aligned : 8)
  for (int i = 0; i < N; i++)
    aligned[i] = i;
  for (int i = 0; i < 64; i++)
    sum += flushed[i][i] + flag[i] + part[i] + mapped[i] + declared[i] + implicit[i] + updated[i] + aligned[i];
  printf("%g\n", sum);
  return 0;
}
