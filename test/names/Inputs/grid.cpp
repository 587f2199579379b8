// A library of a program's: a class whose vectors its own parallel regions use, and a static one. With PROGRAM the program, which
// has arrays of its own.
#include <cstddef>
#include <cstdio>
#include <vector>

struct Grid {
  explicit Grid(size_t count);
  double sum();
  std::vector<double> pressure, density;
};

#ifdef PROGRAM
int main() {
  Grid grid(200000);
  std::vector<double> weights(grid.density.size(), 2.0);
#pragma omp parallel for
  for (size_t i = 0; i < weights.size(); i++)
    grid.density[i] += weights[i];
  printf("sum %g\n", grid.sum());
}
#else
static std::vector<double> history;

Grid::Grid(size_t count) : pressure(count, 1.0), density(count, 1.0) { history.resize(count); }

double Grid::sum() {
  double result = 0;
#pragma omp parallel for reduction(+ : result)
  for (size_t i = 0; i < pressure.size(); i++) {
    history[i] = pressure[i] * density[i];
    result += history[i];
  }
  return result;
}
#endif
