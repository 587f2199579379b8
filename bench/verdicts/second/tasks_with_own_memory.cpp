/* Tasks sort pieces that each of them has made itself.

   verdict: none
 */
#include <algorithm>
#include <vector>

static double sorted(int seed) {
  std::vector<double> mine(8192);
  for (size_t i = 0; i < mine.size(); i++)
    mine[i] = double((i * 7919 + size_t(seed)) % 8191);
  std::sort(mine.begin(), mine.end());
  return mine[100];
}

int main() {
  double sum = 0;
#pragma omp parallel
#pragma omp single
  for (int task = 0; task < 64; task++)
#pragma omp task shared(sum)
  {
    const double mine = sorted(task);
#pragma omp atomic
    sum += mine;
  }
  return sum < 0;
}
