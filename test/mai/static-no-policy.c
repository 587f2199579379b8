/* What is no policy is a message with the place in the source, and leaves a static array and a block as they are; a
   pointer of MAI_HEAP gets memory all the same.

   RUN: %{gcc} %s -o %t %{mai}
   RUN: env MAI_VERBOSE=1 MAI_REPORT=1 %t 2>&1 | FileCheck %s
*/
#include <mai_static.h>
#include <stdlib.h>

enum { N = 9000 };

static double *heap;
// CHECK-DAG: static-no-policy.c:[[#@LINE+1]]: policy: column 1: expected a policy
MAI_HEAP(heap, sizeof(double[N]), "diagonal");
// CHECK-DAG: mai: {{.*}}static-no-policy.c:[[#@LINE+2]]: policy: column 10: expected pages, rows, {{.*}}, found 'colums'
static double kept[N] = {5};
MAI_STATIC(kept, "block by colums");

int main(void) {
  // CHECK: static-no-policy.c:[[#@LINE+2]]: policy: column 7: expected by, on, {{.*}}, found 'off'
  double *block =
      MAI_PLACED(block, malloc(MAI_BYTES(sizeof(double[N]))), sizeof *block, "local off");
  // CHECK: kept {{.*}} first-touch
  heap[N - 1] = block[0] = kept[0];
  free(block);
  return kept[0] != 5;
}
