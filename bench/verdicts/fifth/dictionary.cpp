/* The first thread fills a sorted vector, in which all threads search.

   verdict: contention words
   cure: cyclic|replicate
 */
#include <algorithm>
#include <vector>

int main() {
  constexpr int N = 1 << 17;
  std::vector<long> words(N);
  for (int i = 0; i < N; i++)
    words[static_cast<size_t>(i)] = 2L * i;
  long found = 0;
#pragma omp parallel for schedule(static) reduction(+ : found)
  for (int i = 0; i < N; i++) {
    const long wanted = static_cast<long>(static_cast<unsigned>(i) * 2654435761U >> 14);
    size_t low = 0, high = words.size();
    while (low < high) {
      const size_t middle = (low + high) / 2;
      if (words[middle] < wanted)
        low = middle + 1;
      else
        high = middle;
    }
    found += low < words.size() && words[low] == wanted;
  }
  return found < 0;
}
