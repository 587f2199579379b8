/* What a macro declares is handed over behind the macro, with or without a `;` of its own.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>

#define REAL double
#define NAME field_a
#define WITHOUT(type, name, n) static type name[n]
#define WITH(type, name, n) static type name[n];
#define JOIN(a, b) a##b

// CHECK: {{^}} static REAL NAME[6000];
// CHECK-NEXT: {{^}}+MAI_STATIC(field_a, "block");
static REAL NAME[6000];
// CHECK: {{^}} WITHOUT(double, plain, 6000);
// CHECK-NEXT: {{^}}+MAI_STATIC(plain, "block");
WITHOUT(double, plain, 6000);
// CHECK: {{^}} WITH(double, whole, 6000)
// CHECK-NEXT: {{^}}+MAI_STATIC(whole, "block");
WITH(double, whole, 6000)
// CHECK: {{^}} static REAL JOIN(x, y)[6000];
// CHECK-NEXT: {{^}}+MAI_STATIC(xy, "block");
static REAL JOIN(x, y)[6000];

int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 6000; i++)
    field_a[i] = plain[i] = whole[i] = xy[i] = i;
  printf("%.0f\n", field_a[1] + plain[2] + whole[3] + xy[4]);
  return 0;
}
