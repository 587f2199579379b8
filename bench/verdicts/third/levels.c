/* A fine grid and coarse ones below it, all filled by the threads that use them.

   verdict: none
 */
enum { N = 1 << 16, LEVELS = 6, ROUNDS = 8 };
static double grids[LEVELS][N];

static void smooth(int level) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < N >> level; i++)
    grids[level][i] += 0.5;
}

int main(void) {
  for (int round = 0; round < ROUNDS; round++)
    for (int level = 0; level < LEVELS; level++)
      smooth(level);
  return grids[1][1] < 0;
}
