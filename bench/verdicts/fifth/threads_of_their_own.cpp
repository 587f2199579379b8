/* Threads that OpenMP knows nothing of, each of which fills and uses a part of one array.

   verdict: none
 */
#include <memory>
#include <thread>
#include <vector>

int main() {
  constexpr int N = 1 << 15, Threads = 8, Rounds = 10;
  const std::unique_ptr<double[]> all(new double[N * Threads]);
  std::vector<std::thread> team;
  for (int thread = 0; thread < Threads; thread++)
    team.emplace_back([&, thread] {
      double *mine = all.get() + thread * N;
      for (int i = 0; i < N; i++)
        mine[i] = i;
      for (int round = 0; round < Rounds; round++)
        for (int i = 1; i < N; i++)
          mine[i] += mine[i - 1];
    });
  for (std::thread &each : team)
    each.join();
  return all[1] < 0;
}
