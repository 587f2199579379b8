// Temporaries for each of some materials, in front of a field: small in a small run.
#include <cstdlib>
#include <vector>

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 2048;
  constexpr int Materials = 8;
  for (int step = 0; step < 4; step++) {
    for (int material = 0; material < Materials; material++) {
      std::vector<double> energy(n / Materials, 1);
      for (int round = 0; round < 20; round++)
#pragma omp parallel for schedule(static)
        for (int i = 0; i < n / Materials; i++)
          energy[i] += round;
    }
    std::vector<double> field(n, 1);
    for (int round = 0; round < 4; round++)
#pragma omp parallel for schedule(static)
      for (int i = 0; i < n; i++)
        field[n - 1 - i] += 1;
  }
}
