/* Atomic updates of floating-point numbers, which no processor has: each is a load, and a comparison that
 * succeeds. */
enum { N = 1000 };

_Alignas(64) double added[N], captured[N];
_Alignas(64) float singles[N];

int main(void) {
  double sum = 0;
#pragma omp parallel for num_threads(1) reduction(+ : sum)
  for (int i = 0; i < N; i++) {
    double before;
#pragma omp atomic
    added[i] += 1.5;
#pragma omp atomic capture
    {
      before = captured[i];
      captured[i] *= 2;
    }
#pragma omp atomic
    singles[i] += 1;
    sum += before;
  }
  return sum != 0 || added[N - 1] != 1.5;
}
