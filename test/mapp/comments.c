/* The new line goes behind a comment that the declaration's line ends with, and in front of one
   that goes on.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>

// CHECK: {{^}} static int one[9000]; // Ends; here.
// CHECK-NEXT: {{^}}+MAI_STATIC(one, "block");
static int one[9000]; // Ends; here.
// CHECK: {{^}}+static int two[9000]; MAI_STATIC(two, "block");{{.*}} /* Goes on;
static int two[9000]; /* Goes on;
                         ends here. */
// CHECK: {{^}} static int three[9000 /* ; */]; /* Ends. */ // Here.
// CHECK-NEXT: {{^}}+MAI_STATIC(three, "block");
static int three[9000 /* ; */]; /* Ends. */ // Here.

int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 9000; i++)
    one[i] = two[i] = three[i] = i;
  printf("%d\n", one[3] + two[4] + three[5]);
  return 0;
}
