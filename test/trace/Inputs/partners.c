/* Threads 0 and 2, and 1 and 3, work on the same lines, in one region after the other. */
enum { THREADS = 4, N = 1 << 14, ROUNDS = 20 };

_Alignas(4096) static double pairs[2][N];

int main(void) {
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static, 1) num_threads(THREADS)
    for (int thread = 0; thread < THREADS; thread++)
      for (int i = thread / 2; i < N; i += 2)
        pairs[thread % 2][i] += 1;
  return pairs[1][1] != ROUNDS;
}
