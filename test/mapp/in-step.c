/* Threads that sweep over all rows meet at one node's, if these are blocks: the more so where a barrier keeps them in
   step than where they spread out.

   RUN: mapp-rewrite --explain step %s | FileCheck %s --check-prefix=STEP
   RUN: mapp-rewrite --explain drift %s | FileCheck %s --check-prefix=DRIFT
   RUN: mapp-rewrite --explain queue %s | FileCheck %s --check-prefix=QUEUE
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>

enum { N = 160 };
static double step[N][N], drift[N][N], queue[N][N];

// STEP: cyclic on threads: index i of the parallel loop in main() drives dimension 2
// STEP: {{^}} block {{.*}} 4.0{{$}}
// DRIFT: cyclic on threads: index i of the parallel loop in main() drives dimension 2
// DRIFT: {{^}} block {{.*}} 2.1{{$}}
// QUEUE: cyclic on threads: schedule(dynamic) distributes its rows in main()
// QUEUE: {{^}} block {{.*}} 4.0{{$}}

int main(void) {
  for (int k = 0; k < N; k++)
#pragma omp parallel for
    for (int i = 0; i < N; i++)
      step[k][i] = k - i;
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++)
      drift[k][i] = k + i;
#pragma omp parallel for schedule(monotonic : dynamic)
  for (int k = 0; k < N; k++)
    for (int i = 0; i < N; i++)
      queue[k][i] = k * i;
  printf("%.0f %.0f %.0f\n", step[3][8], drift[4][9], queue[5][7]);
  return 0;
}
