#include <cstdio>
#include <cstdlib>

/* What a small run does not tell of: its first block is smaller than any that is known there. */
struct Field {
  double *weight, *from, *to;
  explicit Field(long n)
      : weight(new double[n / 64]()), from(new double[n]()), to(new double[n]()) {}
};

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 0;
  Field field(n);
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    for (int round = 0; round < 4; round++)
      field.to[i] += field.from[i] * round + (i % 64 == 0 ? field.weight[i / 64] : 0);
  double sum = 0;
  for (long i = 0; i < n; i += 64)
    sum += field.to[i];
  std::printf("%g\n", sum);
}
