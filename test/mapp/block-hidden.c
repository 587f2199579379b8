/* Allocations that a macro hides are taken as a whole; where the size cannot be told then, or the
   call stands in a header, they are left alone.

   RUN: mapp-rewrite %s -- -I%S/Inputs 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s %S/Inputs/allocate.h
*/
#include "allocate.h"
#include <stdio.h>
#include <stdlib.h>
#define NEW(type, count) ((type *)malloc((count) * sizeof(type)))

struct particle {
  double x, y, z;
  int kind;
};

static int calls;
static size_t counted(size_t n) {
  calls++;
  return n;
}

int main(int argc, char **argv) {
  (void)argv;
  size_t n = 20000 * (size_t)argc;
  // CHECK: {{^\+}}  struct particle *all = MAI_PLACED_SIZED(all, NEW(struct particle, n), {{.*}}n{{.*}}, sizeof(struct particle), "block
  struct particle *all = NEW(struct particle, n);
  // CHECK-DAG: c:[[#@LINE+1]]: hidden: left alone: its size cannot be told: {{.*}} [MAPP041]
  double *hidden = NEW(double, counted(n));
  // CHECK-DAG: allocate.h:{{.*}}: block: left alone: allocated in {{.*}}allocate.h, which is included [MAPP040]
  double *elsewhere = allocate_two(n, n);
#pragma omp parallel for
  for (size_t i = 0; i < n; i++) {
    all[i].x = hidden[i] = elsewhere[i] = (double)i;
    all[i].kind = (int)(i % 3);
  }
  printf("%g %d %g %g %d\n", all[n - 1].x, all[n - 1].kind, hidden[1], elsewhere[2], calls);
  free(all);
  free(hidden);
  free(elsewhere);
  return 0;
}
