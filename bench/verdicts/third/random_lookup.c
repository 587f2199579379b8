/* All threads look up a large table at random, which they have filled together.

   verdict: replication table
   cure: replicate
 */
enum { SIZE = 1 << 18, N = 1 << 16, ROUNDS = 12 };
static float table[SIZE];
static double sums[N];

int main(void) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < SIZE; i++)
    table[i] = (float)i;
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++)
      sums[i] += table[((unsigned)(i * ROUNDS + round) * 2654435761U) >> 14];
  return sums[1] < 0;
}
