/* A program that has nothing to place comes out byte for byte.

   RUN: %{try} %{program}
   RUN: mapp-rewrite -q -o %t.c %s && cmp %t.c %s
   RUN: rm -rf %t.tree && cd %S && mapp-rewrite -q --out-dir %t.tree nothing-static.c && cmp %t.tree/nothing-static.c %s
   RUN: mapp-rewrite --check -q %s && mapp-rewrite %s | count 0
   RUN: mapp-rewrite --mode=heap -q -o %t.c %s && cmp %t.c %s
   CHECK: 2 arrays smaller than 4096 bytes left alone
*/
#include <stdio.h>
#include <stdlib.h>
static double small[10];

static void fill(int n, double a[n]) {
#pragma omp parallel for	
  for (int i = 0; i < n; i++)   
    a[i] = i + small[i % 10];
}

int main(void) {
  double automatic[500], *allocated = malloc(sizeof automatic);
  static int calls;
  fill(500, automatic);
  fill(500, allocated);
  calls++;
  printf("%g %g %d\n", automatic[7], allocated[8], calls);
  free(allocated);
  return 0;
}
