/* The loop that fills gives rows in chunks to the threads, the loops that use them divide them
   once.

   verdict: placement u
   cure: block|#pragma
 */
enum { ROWS = 512, N = 256, ROUNDS = 6 };
static double u[ROWS][N] __attribute__((aligned(4096)));

int main(void) {
#pragma omp parallel for schedule(static, 4)
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < N; j++)
      u[i][j] = i;
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static)
    for (int i = 0; i < ROWS; i++)
      for (int j = 0; j < N; j++)
        u[i][j] += j;
  return u[1][1] < 0;
}
