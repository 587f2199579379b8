/* In a loop that counts down the first thread has the last elements: blocks would lie the wrong way
   round.  Where the subscript counts down, too, they are right.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>

// CHECK-DAG: c:[[#]]: mirrored: cyclic on threads: elements follow index i of the parallel loop in main(), backwards
// CHECK-DAG: c:[[#]]: straight: block: elements follow index i of the parallel loop in main() (
static double mirrored[9000], straight[9000];

int main(void) {
  double sum = 0;
#pragma omp parallel for
  for (int i = 8999; i >= 0; i--)
    mirrored[i] = straight[8999 - i] = i;
  for (int i = 0; i < 9000; i++)
    sum += i * (mirrored[i] - straight[i]);
  printf("%.0f\n", sum);
  return 0;
}
