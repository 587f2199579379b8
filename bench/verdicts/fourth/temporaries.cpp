/* Each iteration has a vector of its own, in memory that the heap has had from other threads
   before.

   verdict: none
 */
#include <vector>

static double sums[256];

int main() {
  for (int round = 0; round < 3; round++)
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 256; i++) {
      std::vector<double> own(2000 + i);
      for (double &value : own)
        value += i;
      for (double value : own)
        sums[i] += value;
    }
  return sums[3] < 0;
}
