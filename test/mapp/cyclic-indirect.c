/* Indices that are data, also when they come from floating-point values, and loops of tasks:
   no block is right, so the pages are distributed.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#define N 1200

// CHECK-DAG: {{^\+}}MAI_STATIC(bins, "cyclic on threads"); /* mapp: indexed indirectly by keys in main() */
static int bins[N];
// CHECK-DAG: c:[[#]]: tasks: cyclic on threads: taskloop distributes its elements in main()
static double tasks[N];
// CHECK-DAG: c:[[#]]: section: block: used by tasks or sections in main()
static double section[N];
// CHECK-DAG: c:[[#]]: binned: cyclic on threads: indexed indirectly by position in main()
static int binned[N];
static int keys[700];
static double position[500];

int main(void) {
  for (int i = 0; i < 500; i++)
    position[i] = i % 7;
#pragma omp parallel for
  for (int i = 0; i < 700; i++)
#pragma omp atomic
    bins[keys[i]]++;
#pragma omp parallel for
  for (int i = 0; i < 500; i++) {
    double here = position[i] * 2.0 + 0.5;
    int bin = (int)here;
#pragma omp atomic
    binned[bin]++;
  }
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop
    for (int i = 0; i < N; i++)
      tasks[i] = i;
  }
#pragma omp parallel sections
  {
#pragma omp section
    for (int i = 0; i < N; i++)
      section[i] = i;
  }
  printf("%d %d %g %g\n", bins[0], binned[3], tasks[8], section[9]);
  return 0;
}
