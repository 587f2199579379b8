// A class with vectors of different use, which one thread fills: begun with by its constructor on one line, and by another
// function on one line; what a function returns for several; a list in a loop; temporaries of each step.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

struct Grid {
  std::vector<double> pressure, velocity, density;
  explicit Grid(size_t n) : pressure(n), velocity(n), density(n) {}
};

struct Work {
  std::vector<double> flux, source;
  // clang-format off: both on one line
  void allocate(size_t n) { flux.resize(n); this->source.resize(n); }
  // clang-format on
};

static std::vector<double> field(size_t n) { return std::vector<double>(n, 1.0); }

int main(int argc, char **argv) {
  const size_t n = argc > 1 ? strtoul(argv[1], nullptr, 10) : 1 << 14;
  Grid grid(n);
  Work work;
  work.allocate(n);
  std::vector<double> x = field(n), y = field(n);
  std::unique_ptr<double[]> p(new double[n]()), q = std::make_unique<double[]>(n);
  std::vector<std::vector<double>> list;
  list.reserve(3);
  for (int i = 0; i < 3; ++i)
    list.emplace_back(n);
  double sum = 0;
  for (int step = 0; step < 8; ++step) {
    std::vector<double> temporary(n);
#pragma omp parallel for reduction(+ : sum) schedule(static)
    for (size_t i = 0; i < n; ++i) {
      grid.pressure[i] += grid.velocity[i] + x[i];
      grid.density[n - 1 - i] += y[i] + p[i];
      work.flux[i] += work.source[i] + q[i];
      list[0][i] += list[1][i];
      list[2][n - 1 - i] += 1;
      temporary[i] = grid.pressure[i];
      sum += temporary[i];
    }
  }
  std::printf("%g\n", sum + grid.density[1] + work.flux[1] + list[0][1] + list[2][1]);
}
