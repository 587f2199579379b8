/* What one thread of the team does, and what any of them does: single, master, masked, critical sections; sections,
   tasks, loops of tasks.

   RUN: %{try} %{program}
   CHECK: MAPP010 single: left alone: used by one thread only
   CHECK: MAPP010 master: left alone: used by one thread only
   CHECK: MAPP010 masked: left alone: used by one thread only
   CHECK: MAPP010 copied: left alone: used by one thread only
   CHECK: MAPP010 serial: left alone: used by one thread only
   CHECK: MAPP001 section: block: used by tasks or sections in main()
   CHECK: MAPP001 other: block: used by tasks or sections in main()
   CHECK: MAPP001 alone: block: used by tasks or sections in main()
   CHECK: MAPP001 task: block: used by tasks or sections in main()
   CHECK: MAPP005 taskloop: cyclic on threads: taskloop distributes its elements in main()
   CHECK: MAPP005 by_master: cyclic on threads: taskloop distributes its elements in main()
   CHECK: MAPP001 dependent: block: used by tasks or sections in main()
   CHECK: MAPP001 undeferred: block: used by tasks or sections in main()
*/
#include <stdio.h>
#define N 4096
static double single[N], master[N], masked[N], copied[N], serial[N];
static double section[N], other[N], alone[N], task[N], taskloop[N], by_master[N], dependent[N], undeferred[N];

int main(void) {
  double sum = 0;
#pragma omp parallel
  {
#pragma omp single
    for (int i = 0; i < N; i++)
      single[i] = i;
#pragma omp master
    for (int i = 0; i < N; i++)
      master[i] = i;
#pragma omp masked
    for (int i = 0; i < N; i++)
      masked[i] = i;
    double mine;
#pragma omp single copyprivate(mine)
    mine = copied[0] = 3;
#pragma omp sections nowait
    {
#pragma omp section
      for (int i = 0; i < N; i++)
        section[i] = i;
#pragma omp section
      for (int i = 0; i < N; i++)
        other[i] = i + mine;
    }
#pragma omp single
    {
#pragma omp taskloop grainsize(64)
      for (int i = 0; i < N; i++)
        taskloop[i] = i;
      for (int i = 0; i < N; i += 512) {
#pragma omp task firstprivate(i)
        for (int j = i; j < i + 512; j++)
          task[j] = j;
#pragma omp task firstprivate(i) depend(out : dependent[i])
        for (int j = i; j < i + 512; j++)
          dependent[j] = j;
#pragma omp task if (0)
        for (int j = i; j < i + 512; j++)
          undeferred[j] = j;
      }
#pragma omp taskwait
    }
  }
#pragma omp parallel sections num_threads(2)
  {
    for (int i = 0; i < N; i++)
      alone[i] = i;
  }
#pragma omp parallel master taskloop simd
  for (int i = 0; i < N; i++)
    by_master[i] = i;
  for (int i = 0; i < N; i++)
    sum += single[i] + master[i] + masked[i] + copied[i] + serial[i] + section[i] + other[i] + alone[i] +
           task[i] + taskloop[i] + by_master[i] + dependent[i] + undeferred[i];
  printf("%g\n", sum);
  return 0;
}
