/* A small table that serial code fills and that the threads only read, anywhere: copies on each node would
   serve it best, which no declaration can ask for. It is distributed, and the report says what copies would save.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: mapp-rewrite --explain table %s | FileCheck %s --check-prefix=EXPLAIN
   RUN: mapp-rewrite --explain later %s | FileCheck %s --check-prefix=LATER
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>

// CHECK: c:[[#]]: table: cyclic on threads: indexed indirectly by key in main(); read only after it is filled (
static double table[140000];
// CHECK: c:[[#]]: later: cyclic on threads: indexed indirectly by key in main() (
static double later[140000];
static int key[290000];

// EXPLAIN: {{^}} replicate 0 B 0 B
// EXPLAIN-NEXT: for: read only after it is filled
// EXPLAIN-NEXT: excluded: by hand only, see docs/policies.md
// EXPLAIN-NEXT: {{^}} * cyclic on threads {{[0-9.]+}}
// LATER: candidates
// LATER-NOT: replicate

int main(void) {
  double sum = 0;
  for (int i = 0; i < 140000; i++)
    table[i] = later[i] = i;
  for (int i = 0; i < 290000; i++)
    key[i] = i * 13 % 140000;
  for (int step = 0; step < 2; step++) {
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 290000; i++)
      sum += table[key[i]] - later[key[i]];
    for (int i = 0; i < 1400; i++)
      later[i] += step + 1;
  }
  printf("%.0f\n", sum);
  return 0;
}
