/* What the compiler tells of an array's size it could not tell of a pointer.

   RUN: mapp-rewrite --mode=heap %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>

// CHECK-DAG: c:[[#]]: whole: left alone: the compiler is asked for its size
static char whole[9000];
// CHECK-DAG: c:[[#]]: part: left alone: the compiler is asked for its size
static char part[9000];
// CHECK-DAG: {{^\+ *}}MAI_HEAP(other, sizeof(char[9000]), "block");
static char other[9000];

int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 9000; i++)
    whole[i] = part[i] = other[i] = 1;
  printf("%zu %zu %d\n", __builtin_object_size(whole, 0), __builtin_object_size(&part[8], 0),
         other[3]);
  return 0;
}
