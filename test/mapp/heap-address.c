/* What MAi is told of a pointer is not its address: then stores by way of other pointers cannot change it, and
   loops need not read it again.

   RUN: mapp-rewrite --mode=heap --quiet -o %t.c %s
   RUN: gcc -O2 -S -I%{include} %t.c -o - | FileCheck %s
   RUN: %{clang-program} -O2 -S -I%{include} %t.c -o - | FileCheck %s
   RUN: %{run-rewritten} %t.run --mode=heap %s

   CHECK-NOT: .quad{{[[:space:]]}}text{{$}}
   CHECK: .quad{{[[:space:]]}}mai_heap_text
   CHECK-NOT: .quad{{[[:space:]]}}text{{$}}
*/
#include <stdio.h>

static char text[9000];

int main(void) {
  long sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 9000; i++)
    text[i] = (char)(i % 100);
  for (int i = 0; i < 9000; i++)
    sum += text[i];
  printf("%ld\n", sum);
  return 0;
}
