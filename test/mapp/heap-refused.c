/* Where a pointer would mean something else, the array stays one.

   RUN: mapp-rewrite --mode=heap %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>

// CHECK: {{^}}+static int *restrict placed;
// CHECK-NEXT: {{^}}+MAI_HEAP(placed, sizeof(int[9000]), "block");
// CHECK-NOT: {{^\+}}
// CHECK: c:[[#]]: placed: block: elements follow
static int placed[9000];
// CHECK-NEXT: c:[[#]]: sized: left alone: its size is taken with sizeof
static int sized[9000];
// CHECK-NEXT: c:[[#]]: addressed: left alone: its address is taken with &
static int addressed[9000];
// CHECK-NEXT: c:[[#]]: copied: left alone: it stands in an OpenMP clause other than shared
static int copied[9000];
// CHECK-NEXT: c:[[#]]: initialised: left alone: it has an initialiser
static int initialised[9000] = {1};
// CHECK-NEXT: c:[[#]]: pointed: left alone: its address is in the static initialiser of pointer [MAPP057]
static int pointed[9000];
static int *const pointer = pointed;
// CHECK-NEXT: c:[[#]]: external: left alone: other files may declare it: it is not static
int external[9000];

int main(void) {
  int (*whole)[9000] = &addressed;
  long sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 9000; i++) {
    placed[i] = sized[i] = addressed[i] = i;
    copied[i] = initialised[i] = pointed[i] = external[i] = i;
  }
#pragma omp parallel for firstprivate(copied) reduction(+ : sum)
  for (int i = 0; i < 9000; i++)
    sum += placed[i] + copied[i] + initialised[i] + external[i] + pointer[i] + (*whole)[i];
  printf("%zu %ld\n", sizeof sized, sum);
  return 0;
}
