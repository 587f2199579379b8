/* Threads take numbers from a queue that a lock protects, and work long on memory of their own for
   each.

   verdict: none
 */
#include <mutex>
#include <vector>

int main() {
  std::mutex lock;
  int next = 0;
  double sum = 0;
#pragma omp parallel
  {
    std::vector<double> mine(20000);
    for (;;) {
      int got;
      {
        const std::lock_guard held(lock);
        got = next++;
      }
      if (got >= 100)
        break;
      for (double &value : mine)
        value += got;
    }
    const std::lock_guard held(lock);
    sum += mine[7];
  }
  return sum < 0;
}
