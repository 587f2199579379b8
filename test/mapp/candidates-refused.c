/* What refuses an array excludes all of its candidates but one: to leave it alone.
   RUN: mapp-rewrite --explain u %s | FileCheck %s
*/
#include <stdlib.h>

double u[4000] __attribute__((weak));

// CHECK: left alone: {{.*}} [MAPP025]
// CHECK: {{^}} block 6 B 6 B 1.0
// CHECK-NEXT: for: elements follow index i of the parallel loop in main()
// CHECK-NEXT: excluded: weak: another definition may replace it
// CHECK-NEXT: {{^}} * left alone 6 B 6 B 1.0
// CHECK-NEXT: for: threads write it first: elements follow index i of the parallel loop in main()
// CHECK-NEXT: {{^}} cyclic
// CHECK-NEXT: for:
// CHECK-NEXT: excluded: weak: another definition may replace it

int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 4000; i++)
    u[i] = i;
  return u[7] > 8;
}
