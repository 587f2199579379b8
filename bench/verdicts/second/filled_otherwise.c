/* Rows are filled in turn by all threads, but used in blocks.

   verdict: placement u
   cure: block|#pragma
 */
enum { ROWS = 256, N = 512, ROUNDS = 8 };
static double u[ROWS][N] __attribute__((aligned(4096)));

int main(void) {
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < N; j++)
      u[i][j] = i + j;
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static)
    for (int i = 0; i < ROWS; i++)
      for (int j = 0; j < N; j++)
        u[i][j] *= 1.5;
  return u[1][1] < 0;
}
