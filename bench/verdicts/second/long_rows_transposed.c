/* Two loops divide a matrix along different dimensions, and a thread's part of a row is some pages.

   verdict: changing u
   cure: next_touch|loops
 */
enum { ROWS = 16, COLUMNS = 16384, ROUNDS = 3 };
static double u[ROWS][COLUMNS];

int main(void) {
  for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < ROWS; i++)
      for (int j = 1; j < COLUMNS; j++)
        u[i][j] += u[i][j - 1];
#pragma omp parallel for schedule(static)
    for (int j = 0; j < COLUMNS; j++)
      for (int i = 1; i < ROWS; i++)
        u[i][j] += u[i - 1][j];
  }
  return u[1][1] < 0;
}
