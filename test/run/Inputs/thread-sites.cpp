// Threads that allocate by themselves, in lambda expressions which optimisation puts in line where the C++ library calls them.
#include <cstddef>
#include <thread>
#include <vector>

struct Grid {
  void step() {
    std::thread thread([this] { std::vector<double>(300000).swap(density); });
    thread.join();
  }
  std::vector<double> density;
};

int main() {
  Grid grid;
  grid.step();
  std::vector<double> sums;
  std::thread thread([&sums] { std::vector<double>(200000).swap(sums); });
  thread.join();
}
