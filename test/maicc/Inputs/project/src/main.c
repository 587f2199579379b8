/* Defines the arrays; others' loops use them. */
#include <stdio.h>

#include "grid.h"

double u[N][N], v[N][N];
static int table[4096]; /* its entry follows */

static double sum(void) {
  double s = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      s += u[i][j];
  return s;
}

int main(void) {
  fill();
  for (int i = 0; i < 10; i++)
    step();
#pragma omp parallel for
  for (int i = 0; i < 4096; i++)
    table[i] = i;
  printf("%s:%d: sum %.3f, table %d\n", __FILE__, __LINE__, sum(), table[7]);
  printf("header %s\n", header_name());
  return 0;
}
