// Particles, a structure of arrays, sorted by cells: threads move those of their cells, and see
// those of the next cell.
//
// verdict: none
#include <memory>

constexpr int Cells = 512, InCell = 64, N = Cells * InCell, Steps = 6;

int main() {
  const std::unique_ptr<double[]> x(new double[N]), v(new double[N]), force(new double[N]);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < N; i++) {
    x[i] = i % 97;
    v[i] = force[i] = 0;
  }
  for (int step = 0; step < Steps; step++) {
#pragma omp parallel for schedule(static)
    for (int cell = 0; cell < Cells; cell++) {
      const int next = (cell + 1) % Cells * InCell;
      for (int i = cell * InCell; i < (cell + 1) * InCell; i++)
        for (int j = 0; j < InCell; j += 8)
          force[i] += 1 / (1 + (x[i] - x[next + j]) * (x[i] - x[next + j]));
    }
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++) {
      v[i] += force[i];
      x[i] += v[i] * 1e-3;
      force[i] = 0;
    }
  }
  return x[1] < -1;
}
