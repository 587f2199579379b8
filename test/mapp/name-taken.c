/* An array with which the new text would not compile is left alone for that reason; the others are
   placed, however many they are.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: mapp-rewrite --mode=heap %s 2>&1 | FileCheck %s --check-prefix=HEAP
   RUN: %{run-rewritten} %t %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>

static int a[9000], b[9000], c[9000], d[9000], e[9000];
static int mai_static_c, mai_static_e;

// CHECK: {{^}}+MAI_STATIC(a, "block");
// CHECK-NEXT: {{^}}+MAI_STATIC(b, "block");
// CHECK-NEXT: {{^}}+MAI_STATIC(d, "block");
// CHECK-NEXT: {{^}} static int mai_static_c
// CHECK: c:[[#]]: b: block: elements follow
// CHECK-NEXT: c:[[#]]: c: left alone: the rewritten text would not compile: redefinition of 'mai_static_c'
// CHECK-NEXT: c:[[#]]: d: block: elements follow
// CHECK-NEXT: c:[[#]]: e: left alone: the rewritten text would not compile: redefinition of 'mai_static_e'

// HEAP: {{^}}+static int *restrict a, *restrict b, c[9000], *restrict d, e[9000];

int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 9000; i++)
    a[i] = b[i] = c[i] = d[i] = e[i] = i;
  for (int i = 0; i < 9000; i++) {
    mai_static_c += a[i] + b[i] + c[i];
    mai_static_e += d[i] + e[i];
  }
  printf("%d %d\n", mai_static_c, mai_static_e);
  return 0;
}
