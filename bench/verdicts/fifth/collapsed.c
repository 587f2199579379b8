/* Two loops are collapsed, so that threads' parts end within rows; they have filled the planes in
   the same way.

   verdict: none
 */
enum { PLANES = 6, ROWS = 100, N = 512, ROUNDS = 8 };
static double u[PLANES][ROWS][N];

int main(void) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int k = 0; k < PLANES; k++)
    for (int i = 0; i < ROWS; i++)
      for (int j = 0; j < N; j++)
        u[k][i][j] = i + j;
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for collapse(2) schedule(static)
    for (int k = 0; k < PLANES; k++)
      for (int i = 0; i < ROWS; i++)
        for (int j = 1; j < N; j++)
          u[k][i][j] += u[k][i][j - 1];
  return u[1][1][1] < 0;
}
