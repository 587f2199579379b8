/* An array that a header defines for each unit is spoken of once, under the name that the header
   has from where the user is.

   RUN: rm -rf %t && mkdir -p %t
   RUN: cp %s %t/one.c && cp %s %t/two.c && cp %S/Inputs/table.h %t
   RUN: cd %t && mapp-rewrite one.c two.c 2>&1 | FileCheck %s --implicit-check-not=table
*/

// CHECK: {{^}}table.h:2: table: left alone: declared in table.h, which is included;
#include "table.h"

static void fill(void) {
#pragma omp parallel for
  for (int i = 0; i < 9000; i++)
    table[i] = i;
}

void (*const entry)(void) = fill;
