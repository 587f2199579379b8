/* Each thread builds trees of small nodes, uses them and throws them away.

   verdict: none
 */
#include <map>

int main() {
  double sum = 0;
#pragma omp parallel for schedule(static, 1) reduction(+ : sum)
  for (int tree = 0; tree < 64; tree++) {
    std::map<int, double> mine;
    for (int i = 0; i < 500; i++)
      mine[i * 7919 % 1009] += i;
    for (const auto &[key, value] : mine)
      sum += key * value;
  }
  return sum < 0;
}
