/* One loop divides the array by rows, the other one by columns; wherever it is, one of them is
   remote.

   verdict: changing u
   cure: next_touch|loops
 */
enum { N = 512, ROUNDS = 5 };
static double u[N][N];

int main(void) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      u[i][j] = i + j;
  for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++)
      for (int j = 1; j < N; j++)
        u[i][j] += u[i][j - 1];
#pragma omp parallel for schedule(static)
    for (int j = 0; j < N; j++)
      for (int i = 1; i < N; i++)
        u[i][j] += u[i - 1][j];
  }
  return u[1][1] < 0;
}
