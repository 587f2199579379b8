/* One loop divides an array among all threads, the other among half of them.

   verdict: changing u
   cure: division|static|num_threads|before
 */
enum { N = 1 << 16, ROUNDS = 6 };
static double u[N];

int main(void) {
  for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++)
      u[i] += i;
#pragma omp parallel for schedule(static) num_threads(4)
    for (int i = 0; i < N; i++)
      u[i] *= 0.5;
  }
  return u[1] < 0;
}
