/* Threads compute in arrays that OpenMP gives to each of them, and write results to their parts of
   an array.

   verdict: none
 */
enum { N = 4096, RESULTS = 1 << 15, ROUNDS = 40 };
static double scratch[N];
#pragma omp threadprivate(scratch)
static double results[RESULTS];

int main(void) {
#pragma omp parallel num_threads(8)
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 1; i < N; i++)
      scratch[i] += scratch[i - 1] + round;
#pragma omp parallel for schedule(static) num_threads(8)
  for (int i = 0; i < RESULTS; i++)
    results[i] += scratch[i % N];
  return results[1] < 0;
}
