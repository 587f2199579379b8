/* Each thread computes its rows of a product, for which it goes through all of b, which the first
   thread has filled.

   verdict: contention b
   cure: cyclic|replicate
 */
enum { N = 160 };
static double a[N][N], b[N][N], c[N][N];

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      b[i][j] = i - j;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = i + j;
      c[i][j] = 0;
    }
#pragma omp parallel for schedule(static)
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++)
      for (int j = 0; j < N; j++)
        c[i][j] += a[i][k] * b[k][j];
  return c[1][1] > 1e9;
}
