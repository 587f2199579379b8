/* Indices lead each thread about its own part only.

   verdict: none
 */
enum { N = 1 << 16, ROUNDS = 6 };
static double from[N], to[N];
static int index_of[N];

int main(void) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < N; i++) {
    from[i] = i;
    to[i] = 0;
    index_of[i] = i / (N / 8) * (N / 8) + (int)((unsigned)i * 40503U % (N / 8));
  }
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static) num_threads(8)
    for (int i = 0; i < N; i++)
      to[i] += from[index_of[i]];
  return to[1] < 0;
}
