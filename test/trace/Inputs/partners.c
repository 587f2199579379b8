/* Threads 0 and 2, and 1 and 3, work on the same lines, in one region: what is bound at its beginning is bound late. */
enum { THREADS = 4, N = 1 << 14, ROUNDS = 20 };

_Alignas(4096) static double pairs[2][N];

int main(void) {
#pragma omp parallel num_threads(THREADS)
  for (int round = 0; round < ROUNDS; round++)
#pragma omp for schedule(static, 1)
    for (int thread = 0; thread < THREADS; thread++)
      for (int i = thread / 2; i < N; i += 2)
        pairs[thread % 2][i] += 1;
  return pairs[1][1] != ROUNDS;
}
