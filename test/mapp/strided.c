/* Strides that leave out pages: of pages distributed in turn those left would lie on a few nodes, so they are
   distributed by skew or by a prime, whichever these strides do not follow.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: mapp-rewrite --explain records %s | FileCheck %s --check-prefix=EXPLAIN
   RUN: %{run-rewritten} %t %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>

enum { Page = 4096, Records = 300 };

// CHECK-DAG: {{^}}+MAI_STATIC(records, "prime 17 on threads");
// CHECK-DAG: c:[[#]]: records: prime 17 on threads: schedule(dynamic) distributes its rows in main(), with strides that would keep pages in turn to few nodes
static char records[Records][16 * Page];
// CHECK-DAG: {{^}}+MAI_STATIC(four, "skew on threads");
static char four[Records][4 * Page];
// CHECK-DAG: {{^}}+MAI_STATIC(odd, "cyclic on threads");
static char odd[Records][5 * Page];
// CHECK-DAG: {{^}}+MAI_STATIC(whole, "cyclic on threads");
static char whole[Records][16 * Page];

// EXPLAIN: estimated for 4 nodes with NUMA factor 2.0
// EXPLAIN: {{^}} * prime 17 on threads {{.*}} 1.{{[0-9]$}}
// EXPLAIN: {{^}} cyclic on threads {{.*}} 4.0{{$}}
// EXPLAIN: {{^}} skew on threads {{.*}} 4.0{{$}}

int main(void) {
  long sum = 0;
#pragma omp parallel for schedule(monotonic : dynamic)
  for (int i = 0; i < Records; i++) {
    for (int k = 0; k < 100; k++)
      records[i][k] = four[i][k] = odd[i][k] = (char)(i + k);
    for (int k = 0; k < 16 * Page; k++)
      whole[i][k] = (char)(i - k);
  }
  for (int i = 0; i < Records; i++)
    sum += records[i][i % 100] + four[i][3] - odd[i][i % 90] + whole[i][i];
  printf("%ld\n", sum);
  return 0;
}
