// Lists that are small in a small run lie in front of fields, in their constructor's order.
#include <cstdlib>
#include <vector>

struct Mesh {
  explicit Mesh(int n)
      : edge(4 * n), x(n * n), corner(16), y(n * n), inner(n * n), reversed(n * n) {}
  std::vector<int> edge;
  std::vector<double> x;
  std::vector<int> corner;
  std::vector<double> y, inner, reversed;
};

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 100;
  Mesh mesh(n);
  std::vector<int> ends(2 * n), other(n * n);
  for (int step = 0; step < 10; step++) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n * n; i++) {
      mesh.x[i] += mesh.y[i];
      mesh.y[i] += mesh.inner[i];
      other[i]++;
    }
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n * n; i++)
      mesh.reversed[n * n - 1 - i] += 1;
    for (int i = 0; i < 4 * n; i++)
      mesh.edge[i] += mesh.corner[i % 16] + ends[i / 2];
  }
  return mesh.x[0] > 1 || other[0] != 10;
}
