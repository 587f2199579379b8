/* Work of unequal length is claimed; only its results are written to a common array, one each.

   verdict: none
 */
enum { N = 4096, WORK = 64 };
static double results[N * 4];

int main(void) {
#pragma omp parallel
  {
    double mine[WORK] = {0};
#pragma omp for schedule(dynamic, 16)
    for (int i = 0; i < N; i++) {
      for (int k = 0; k < WORK; k++)
        ((volatile double *)mine)[k] += i % (k + 1);
      results[i * 4] = mine[i % WORK];
    }
  }
  return results[5] < 0;
}
