/* What a loop adds to one element goes to memory each time where the array may be one of those that the
   loop reads, which weighs against what one thread does; not where compilers know that it is none.

   RUN: mapp-rewrite --explain=apart %s 2>&1 | FileCheck %s --check-prefix=APART
   RUN: mapp-rewrite --explain=alike %s 2>&1 | FileCheck %s --check-prefix=ALIKE
   APART-NOT: 90000000 steps
   ALIKE: read and write: {{.*}}; 90000000 steps
 */
#include <stdio.h>
#include <stdlib.h>

#define N 300

static void product(int n, double (*restrict c)[n], double (*a)[n]) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i][j] *= 0.5;
      for (int k = 0; k < 1000; k++)
        c[i][j] += a[k % n][j];
    }
}

static void aliased(int n, double (*c)[n], double (*a)[n]) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i][j] *= 0.5;
      for (int k = 0; k < 1000; k++)
        c[i][j] += a[k % n][j];
    }
}

int main(void) {
  double(*apart)[N] = calloc(N, sizeof *apart), (*alike)[N] = calloc(N, sizeof *alike);
  double(*a)[N] = calloc(N, sizeof *a);
  product(N, apart, a);
  aliased(N, alike, a);
  printf("%g %g\n", apart[1][1], alike[2][2]);
  return 0;
}
