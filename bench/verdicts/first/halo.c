/* A stencil whose threads have filled their own rows; only the rows at the borders are their
   neighbours'.

   verdict: none
 */
enum { N = 256, ROUNDS = 10 };
static double a[N][N], b[N][N];

static void step(double to[N][N], double from[N][N]) {
#pragma omp parallel for schedule(static)
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
}

int main(void) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = b[i][j] = i * j;
  for (int round = 0; round < ROUNDS; round++) {
    step(b, a);
    step(a, b);
  }
  return a[7][7] < 0;
}
