// Grids of other sizes, each with five fields one behind the other in one block.
#include <cstdio>
#include <vector>

struct Grid {
  explicit Grid(int n) : n(n), fields(5 * n * n, 1.0) {}
  int n;
  std::vector<double> fields;
};

static void relax(Grid &grid) {
  const int n = grid.n;
  double *f = grid.fields.data();
#pragma omp parallel for
  for (int y = 0; y < n; y++)
    for (int q = 0; q < 5; q++)
      for (int x = 0; x < n; x++)
        f[(q * n + y) * n + x] = 0.5 * f[(q * n + y) * n + x] + 0.1 * q;
}

int main() {
  std::vector<Grid> grids;
  for (int n : {48, 56, 64, 72})
    grids.emplace_back(n);
  for (int step = 0; step < 8; step++)
    for (Grid &grid : grids)
      relax(grid);
  printf("%g\n", grids[1].fields[3000]);
}
