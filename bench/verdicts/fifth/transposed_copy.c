/* Threads write a matrix by columns, from rows of another: each page of it is for all.

   verdict: scattered b
   cure: order|sort|loops
 */
enum { N = 512, ROUNDS = 5 };
static double a[N][N], b[N][N];

int main(void) {
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        b[j][i] += a[i][j];
  return b[1][1] < 0;
}
