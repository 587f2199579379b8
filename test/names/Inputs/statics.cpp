// Static arrays of a namespace, of a class, and of the file.
#include <cstdio>

namespace model {
double table[400000];
}

struct Grid {
  static double shared[400000];
};
double Grid::shared[400000];

static double local[400000];

int main() {
#pragma omp parallel for
  for (int i = 0; i < 400000; i++)
    local[i] = model::table[i] + Grid::shared[i];
  std::printf("%g\n", local[7]);
}
