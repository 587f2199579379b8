/* Threads work on their own parts and report to a common best one after each round, in a critical
   section.

   verdict: none
 */
enum { N = 1 << 16, ROUNDS = 20 };
static double u[N], best;

int main(void) {
#pragma omp parallel
  for (int round = 0; round < ROUNDS; round++) {
    double mine = 0;
#pragma omp for schedule(static)
    for (int i = 0; i < N; i++) {
      u[i] += i % 7;
      mine = u[i] > mine ? u[i] : mine;
    }
#pragma omp critical
    best = mine > best ? mine : best;
  }
  return best < 0;
}
