/* A triangle: the last thread has most to do, on rows that it has filled itself.

   verdict: none
 */
enum { N = 400, ROUNDS = 6 };
static double u[N][N];

int main(void) {
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++)
      for (int j = 0; j <= i; j++)
        u[i][j] += i + j;
  return u[9][3] < 0;
}
