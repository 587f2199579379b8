/* #line says where the text comes from; the compiler's messages, and nothing else, care.

   RUN: %{try} %{program}
   CHECK: MAPP001 before: block
   CHECK: MAPP001 after: block
   CHECK: MAPP001 marked: block
*/
#include <stdio.h>
#line 100 "model.y"
static double before[5000];
#line 7 "another.h"
static double after[5000];
# 3 "third.h"
static double marked[5000];
#line 1 "model.y"

int main(void) {
  double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 5000; i++)
    before[i] = after[i] = marked[i] = i;
  for (int i = 0; i < 5000; i++)
    sum += before[i] + after[i] + marked[i];
#line 50
  printf("%g %d %s\n", sum, __LINE__, __FILE__);
  return 0;
}
