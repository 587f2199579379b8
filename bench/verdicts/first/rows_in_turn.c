/* The first thread allocates and fills rows that go to the threads in turn.

   verdict: placement rows
   cure: mapp-rewrite|block-cyclic|#pragma
 */
#include <stdlib.h>

enum { ROWS = 64, N = 1024, ROUNDS = 10 };
static double *rows[ROWS];

int main(void) {
#ifdef CURED
#pragma omp parallel for schedule(static, 1)
#endif
  for (int i = 0; i < ROWS; i++) {
    rows[i] = malloc(N * sizeof *rows[i]);
    for (int j = 0; j < N; j++)
      rows[i][j] = j;
  }
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < ROWS; i++)
      for (int j = 0; j < N; j++)
        rows[i][j] += i;
  return rows[1][1] < 0;
}
