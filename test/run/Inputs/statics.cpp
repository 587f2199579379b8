// Static variables whose constructors allocate, before main(): of the program, of a class, of a function.
#include <cstdio>
#include <vector>

static const std::size_t N = 400000; // doubles: more than 1 MiB

static std::vector<double> history(N);
static std::vector<double> previous(N, 1.0);

struct Table {
  static std::vector<double> values;
};
std::vector<double> Table::values(N);

__attribute__((noinline)) static std::vector<double> &ofFunction() {
  static std::vector<double> kept(N);
  return kept;
}

int main() {
  double sum = 0;
  ofFunction();
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < N; i++)
    sum += history[i] + previous[i] + Table::values[i];
  std::printf("sum %g\n", sum);
}
