#include <cstdio>
#include <vector>

/* Each of 90 species has its cells one after the other, which threads divide; what they read of neighbours is anywhere. */
int main() {
  const int species = 90, cells = 240;
  std::vector<double> density(species * cells, 1.0), before(species * cells, 1.0);
  for (int step = 0; step < 4; step++) {
#pragma omp parallel for
    for (int cell = 0; cell < cells; cell++)
      for (int of = 0; of < species; of++) {
        density[of * cells + cell] += 0.5 * before[of * cells + cell];
        density[of * cells + cell] -= 0.1 * before[of * cells + cell * 37 % cells];
      }
#pragma omp parallel for
    for (int cell = 0; cell < cells; cell++)
      for (int of = 0; of < species; of++)
        before[of * cells + cell] = density[of * cells + cell];
  }
  std::printf("%g\n", density[0]);
}
