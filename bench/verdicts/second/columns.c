/* The loop over columns is divided: each thread uses its part of every long row, and the first
   thread has filled all.

   verdict: placement u
   cure: columns|block-cyclic|#pragma
 */
enum { ROWS = 16, COLUMNS = 8192, ROUNDS = 6 };
static double u[ROWS][COLUMNS] __attribute__((aligned(4096)));

int main(void) {
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      u[i][j] = i + j;
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static)
    for (int j = 0; j < COLUMNS; j++)
      for (int i = 1; i < ROWS; i++)
        u[i][j] += u[i - 1][j];
  return u[1][1] < 0;
}
