// A class with vectors of different use, which one thread fills: begun with by its constructor on one line, by another function
// on one line; what a function returns for several; a list in a loop; temporaries of each step; fields in one block of memory.
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

class Fields {
public:
  explicit Fields(size_t n) : N(n), Values(new double[4 * n]()) {}
  ~Fields() { delete[] Values; }
  double &at(int field, size_t i) const { return Values[static_cast<size_t>(field) * N + i]; }

private:
  size_t N;
  double *Values;
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
  const Fields fields(n);
  double sum = 0;
  for (int step = 0; step < 8; ++step) {
    std::vector<double> temporary(n);
    std::unique_ptr<double[]> scratch(new double[16 * n]);
#pragma omp parallel for reduction(+ : sum) schedule(static)
    for (size_t i = 0; i < n; ++i) {
      grid.pressure[i] += grid.velocity[i] + x[i];
      grid.density[n - 1 - i] += y[i] + p[i];
      work.flux[i] += work.source[i] + q[i];
      list[0][i] += list[1][i];
      list[2][n - 1 - i] += 1;
      for (int each = 1; each < 4; ++each)
        fields.at(each, i) += fields.at(each - 1, i);
      temporary[i] = grid.pressure[i];
      scratch[16 * i] = temporary[i];
      sum += scratch[16 * i];
    }
  }
  std::printf("%g\n",
              sum + grid.density[1] + work.flux[1] + list[0][1] + list[2][1] + fields.at(3, 1));
}
