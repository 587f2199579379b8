/* An array whose declaration has alternatives is placed in the one that is compiled; where a part
   of a declaration is conditional, it is left alone.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: mapp-rewrite %s -- -DLARGE 2>&1 | FileCheck %s --check-prefix=LARGE
   RUN: %{run-rewritten} %t %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>

#ifdef LARGE
// LARGE: {{^}} static double chosen[90000];
// LARGE-NEXT: {{^}}+MAI_STATIC(chosen, "block");
static double chosen[90000];
enum { End = 90000 };
#else
// CHECK: {{^}} static double chosen[9000];
// CHECK-NEXT: {{^}}+MAI_STATIC(chosen, "block");
static double chosen[9000];
enum { End = 9000 };
#endif

// CHECK: c:[[#]]: split: left alone: the end of its declaration is hidden by a macro or a directive
static double split[9000]
#ifdef LARGE
    = {1}
#endif
;

int main(void) {
#pragma omp parallel for
  for (int i = 0; i < End; i++)
    chosen[i] = i;
#pragma omp parallel for
  for (int i = 0; i < 9000; i++)
    split[i] = i;
  printf("%.0f %.0f\n", chosen[8999], split[1]);
  return 0;
}
