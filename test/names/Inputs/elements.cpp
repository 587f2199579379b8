// A container of many containers, and one of two; twice, one behind the other.
#include <cstdio>
#include <vector>

struct Problem {
  std::vector<std::vector<double>> tally;
  std::vector<std::vector<double>> sides;
};

static const int N = 100000;

static __attribute__((noinline)) void make(std::vector<std::vector<double>> &lists, int count) {
  for (int i = 0; i < count; i++)
    lists.emplace_back(N, 1.0);
}

static __attribute__((noinline)) double solve() {
  Problem p;
  p.tally.reserve(8);
  make(p.tally, 8);
  p.sides.assign(2, std::vector<double>(N, 2.0));
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < N; i++)
    for (auto &list : p.tally)
      sum += list[i] + p.sides[i % 2][i];
  return sum;
}

int main(int argc, char **) {
  double sum = 0;
  for (int step = 0; step <= argc; step++)
    sum += solve();
  std::printf("sum %g\n", sum);
}
