/* The first thread makes an array, which writes zeroes to all of it.

   verdict: placement cells
   cure: block|#pragma
 */
#include <memory>

int main() {
  constexpr int N = 1 << 17;
  auto cells = std::make_unique<double[]>(N);
  for (int round = 0; round < 6; round++)
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++)
      cells[i] = cells[i] * 0.5 + i;
  return cells[5] < 0;
}
