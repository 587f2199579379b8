#include <cstdio>
#include <vector>

/* Each thread reads what another one's part would be: half of the array further on. */
int main() {
  const int n = 3072;
  std::vector<double> from(n, 1.0), to(n, 0.0);
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int round = 0; round < 100; round++)
      to[i] += from[(i + n / 2 + round) % n];
  std::printf("%g\n", to[0]);
}
