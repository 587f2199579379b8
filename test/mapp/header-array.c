/* An array that a header defines is handed over behind the directive that includes it; the header is
   not edited. Each unit has its own of a static one, which is spoken of once, under the name that the
   header has from where the user is.

   RUN: rm -rf %t && mkdir -p %t
   RUN: cp %s %t/one.c && cp %s %t/two.c && cp %S/Inputs/table.h %t
   RUN: cd %t && mapp-rewrite one.c two.c 2>&1 | FileCheck %s
   RUN: cd %t && mapp-rewrite -i -q one.c two.c && cmp table.h %S/Inputs/table.h
   RUN: cd %t && mapp-rewrite one.c two.c | count 0
   RUN: cd %t && %{gcc} -c one.c -I%{include} && %{clang} -c two.c -I%{include}
*/

// CHECK: {{^}}+#include <mai_static.h>
// CHECK-NEXT: {{^}} #include "table.h" // its own line stays
// CHECK-NEXT: {{^}}+MAI_STATIC(table, "block");
// CHECK: {{^}}table.h:2: table: block: elements follow index i
// CHECK-NOT: table.h:2
#include "table.h" // its own line stays

static void fill(void) {
#pragma omp parallel for
  for (int i = 0; i < 9000; i++)
    table[i] = i;
}

static void (*const entry)(void) __attribute__((used)) = fill;
