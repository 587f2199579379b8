/* Rows go to the threads in turn, and the first thread has filled them.

   verdict: placement u
   cure: block-cyclic|#pragma|columns
 */
enum { ROWS = 128, N = 1024, ROUNDS = 8 };
static double u[ROWS][N] __attribute__((aligned(4096)));

int main(void) {
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < N; j++)
      u[i][j] = i + j;
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < ROWS; i++)
      for (int j = 0; j < N; j++)
        u[i][j] += 1;
  return u[1][1] < 0;
}
