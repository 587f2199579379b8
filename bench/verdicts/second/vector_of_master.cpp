/* The first thread constructs a vector, which touches all of it.

   verdict: placement values
   cure: block|#pragma
 */
#include <vector>

int main() {
  std::vector<double> values(1 << 16);
  for (int round = 0; round < 8; round++)
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 1 << 16; i++)
      values[i] += i;
  return values[1] < 0;
}
