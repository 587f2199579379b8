/* Two loops take the even and the odd rows in turn; both give the same rows to the same thread.

   verdict: none
 */
enum { ROWS = 512, N = 128, ROUNDS = 6 };
static double u[ROWS][N];

static void colour(int first) {
#pragma omp parallel for schedule(static)
  for (int i = first; i < ROWS; i += 2)
    for (int j = 0; j < N; j++)
      u[i][j] += j;
}

int main(void) {
  for (int round = 0; round < ROUNDS; round++) {
    colour(0);
    colour(1);
  }
  return u[1][1] < 0;
}
