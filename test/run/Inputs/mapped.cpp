// A pool that maps its memory, and a stack of scratch that allocates its own, from one constructor: both in line there, so
// that their places have the same functions.
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

constexpr std::size_t Count = 1 << 17;

struct Pool {
  explicit Pool(std::size_t bytes)
      : base(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)),
        size(bytes) {}
  ~Pool() { munmap(base, size); }
  void *base;
  std::size_t size;
};

struct Scratch {
  explicit Scratch(std::size_t count) : data(new double[count]) {}
  ~Scratch() { delete[] data; }
  double *data;
};

struct Solver {
  Solver() : pool(Count * sizeof(double)), scratch(Count), x(static_cast<double *>(pool.base)) {}
  Pool pool;
  Scratch scratch;
  double *x;
};

int main() {
  Solver solver;
  for (std::size_t i = 0; i < Count; i++)
    solver.x[i] = solver.scratch.data[i] = 1;
  double sum = 0;
  for (int step = 0; step < 20; step++) {
#pragma omp parallel for reduction(+ : sum)
    for (std::size_t i = 0; i < Count; i++)
      sum += solver.x[i] + solver.scratch.data[i];
  }
  void *reserved = mmap(nullptr, std::size_t(1) << 40, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  const bool right = sum == 40.0 * Count && reserved != MAP_FAILED;
  std::puts(right ? "right" : "wrong");
  return right ? 0 : 1;
}
