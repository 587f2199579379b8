/* All threads look up a table of 16 KiB, which stays in their caches.

   verdict: none
 */
enum { N = 1 << 16, SIZE = 2048, ROUNDS = 10 };
static double table[SIZE], u[N];

int main(void) {
  for (int i = 0; i < SIZE; i++)
    table[i] = i;
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++)
      u[i] += table[(unsigned)i * 2654435761U % SIZE];
  return u[3] < 0;
}
