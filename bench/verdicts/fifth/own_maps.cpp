/* Each thread fills a hash table of strings, looks up in it and forgets it, again and again.

   verdict: none
 */
#include <string>
#include <unordered_map>

int main() {
  long found = 0;
#pragma omp parallel num_threads(8) reduction(+ : found)
  for (int round = 0; round < 4; round++) {
    std::unordered_map<std::string, int> words;
    for (int i = 0; i < 2000; i++)
      words["a word of some length " + std::to_string(i)] = i;
    for (int i = 0; i < 6000; i++)
      found += static_cast<long>(words.count("a word of some length " + std::to_string(i)));
  }
  return found < 0;
}
