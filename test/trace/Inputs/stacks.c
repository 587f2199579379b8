/* Each thread works on memory of its own stack; main()'s array is on a stack as well, and is used by all. */
#include <stdio.h>

enum { N = 4096 };

static const double weights[4] = {1, 2, 3, 4};

__attribute__((noinline)) static void fill(double *to, int n) {
  for (int i = 0; i < n; i++)
    to[i] = i;
}

__attribute__((noinline)) static double add(const double *from, const double *weight, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += from[i] * weight[i % 4];
  return sum;
}

__attribute__((noinline)) static double work(void (*volatile filling)(double *, int)) {
  double scratch[N];
  filling(scratch, N);
  return add(scratch, weights, N);
}

int main(void) {
  double shared[N];
  fill(shared, N);
#pragma omp parallel for num_threads(4) schedule(static)
  for (int i = 0; i < N; i++)
    shared[i] += 1;
#pragma omp parallel num_threads(4)
  shared[0] += work(fill) == 0;
  printf("%g\n", add(shared, weights, N));
  return 0;
}
