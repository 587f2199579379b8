/* errno is the program's: 0 at its beginning, also where its static arrays are placed before, and what it was behind
   allocations and regions.
   RUN: %{gcc} %s -o %t
   RUN: %{build}/bin/mai-run -q %t | FileCheck %s
   RUN: %{build}/bin/mai-run -q -s 1 -p '*: cyclic' %t | FileCheck %s
   RUN: %{build}/bin/mai-run -q --dynamic %t | FileCheck %s
   RUN: env MAI_TASKS=near HWLOC_SYNTHETIC='node:2 pu:1' %{build}/bin/mai-run -q -s 1 -p '*: block' %t | FileCheck %s
   CHECK: errno: begins with 0, behind the region 7, in its threads 0 times another
*/
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static double grid[1 << 18];

int main(void) {
  int first = errno;
  int others = 0;
  errno = 7;
  double *block = malloc(sizeof grid);
#pragma omp parallel num_threads(3) reduction(+ : others)
  {
    errno = 7;
#pragma omp for
    for (int i = 0; i < 1 << 18; i++)
      block[i] = grid[i];
    others += errno != 7;
#pragma omp task
    grid[0] = block[0];
#pragma omp taskwait
    others += errno != 7;
  }
  int behind = errno;
  free(block);
  printf("errno: begins with %d, behind the region %d, in its threads %d times another\n", first,
         behind, others);
  return 0;
}
