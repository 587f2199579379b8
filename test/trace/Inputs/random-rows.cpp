// A matrix in compressed rows, some of which, as chance has it, are long: of the large run's parts none begins where an even one would.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

static uint32_t drawn(uint32_t i) {
  i = (i ^ 61) ^ (i >> 16);
  i *= 9;
  i ^= i >> 4;
  i *= 0x27d4eb2d;
  return i ^ (i >> 15);
}

int main(int argc, char **argv) {
  const long rows = argc > 1 ? atol(argv[1]) : 2048;
  std::vector<long> row(rows + 1);
  for (long i = 0; i < rows; i++)
    row[i + 1] = row[i] + 4 + (drawn(uint32_t(i)) % 100 < 5 ? 400 : 0);
  std::vector<double> value(row[rows], 0.5), y(rows);
  for (int step = 0; step < 4; step++)
#pragma omp parallel for
    for (long i = 0; i < rows; i++)
      for (long k = row[i]; k < row[i + 1]; k++)
        y[i] += value[k] * step;
  printf("%g\n", y[7]);
  for (int part = 0; part < 4; part++)
    printf("node %d: %ld pages\n", part, (row[rows * (part + 1) / 4] - row[rows * part / 4]) / 512);
}
