/* A macro that is a statement allocates rows in a loop that does not say which: the statement behind it places the next row, and is known
   as such by a second run.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>
#define N 9000
#define SET(p)                                                                                     \
  do {                                                                                             \
    (p) = malloc(N * sizeof *(p));                                                                 \
    if (!(p))                                                                                      \
      abort();                                                                                     \
  } while (0)

int main(void) {
  double *list[8];
  int next = 0;
  for (int k = 0; k < 8; k++) {
    // CHECK: {{^\+}}    SET(list[next]); MAI_PLACE_NEXT_ROW_POINTER(list[next], {{.*}}sizeof(double), "block" /* mapp: elements that list delimits
    SET(list[next]);
    next++;
  }
  for (int s = 0; s < 9; s++) {
#pragma omp parallel for
    for (int k = 0; k < 8; k++)
      for (int j = 0; j < N; j++)
        list[k][j] = j + s;
  }
  printf("%g\n", list[7][5]);
  return 0;
}
