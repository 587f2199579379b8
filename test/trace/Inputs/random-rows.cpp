// A matrix in compressed rows, some of which, as chance has it, are long: of the large run's parts none begins where an even one would.
// Rows are begun by the numbers of their first elements or, with ADDRESSES, by the addresses of these.
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

static long length(long i) { return 4 + (drawn(uint32_t(i)) % 100 < 5 ? 400 : 0); }

#ifdef ADDRESSES
using Begin = double *;
static double *at(const std::vector<double> &, Begin begin) { return begin; }
#else
using Begin = long;
static double *at(std::vector<double> &value, Begin begin) { return value.data() + begin; }
#endif

int main(int argc, char **argv) {
  const long rows = argc > 1 ? atol(argv[1]) : 2048;
  long all = 0;
  for (long i = 0; i < rows; i++)
    all += length(i);
  std::vector<double> value(all, 0.5), y(rows);
  std::vector<Begin> row(rows + 1);
#ifdef ADDRESSES
  row[0] = value.data();
#endif
  for (long i = 0; i < rows; i++)
    row[i + 1] = row[i] + length(i);
  for (int step = 0; step < 4; step++)
#pragma omp parallel for
    for (long i = 0; i < rows; i++)
      for (const double *k = at(value, row[i]); k < at(value, row[i + 1]); k++)
        y[i] += *k * step;
  printf("%g\n", y[7]);
  for (int part = 0; part < 4; part++)
    printf("node %d: %ld pages\n", part,
           long(row[rows * (part + 1) / 4] - row[rows * part / 4]) / 512);
}
