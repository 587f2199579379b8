/* All threads read one short row at a time, with a barrier behind each: wherever pages are they meet there, so that the
   rows which they divide decide.

   RUN: mapp-rewrite -q %s | FileCheck %s
   RUN: %{run-rewritten} %t %s
 */
#include <stdio.h>

enum { N = 160 };
// CHECK: +MAI_STATIC(distance, "block"
static int distance[N][N];

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      distance[i][j] = (i * 7919 + j * 104729) % 1000;
  for (int k = 0; k < N; k++)
#pragma omp parallel for
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        if (distance[i][k] + distance[k][j] < distance[i][j])
          distance[i][j] = distance[i][k] + distance[k][j];
  printf("%d\n", distance[3][N - 3]);
  return 0;
}
