/* A loop that is the whole of a branch, without braces, counts as one with braces: its variable is its own.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <omp.h>
#include <stdio.h>

enum { N = 20000 };

// CHECK-DAG: c:[[#@LINE+1]]: then: block: elements follow index i of the parallel loop in add()
static double then[N];
// CHECK-DAG: c:[[#@LINE+1]]: otherwise: block: elements follow index i of the parallel loop in add()
static double otherwise[N];

static void add(int to_first) {
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), team = omp_get_num_threads();
    const int first = me * N / team, end = (me + 1) * N / team;
    if (to_first)
      for (int i = first; i < end; i++)
        then[i] += i;
    else
      for (int i = first; i < end; i++)
        otherwise[i] += i;
  }
}

int main(void) {
  for (int step = 0; step < 10; step++)
    add(step % 2);
  printf("%g %g\n", then[3], otherwise[4]);
}
