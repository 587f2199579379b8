// A class whose vectors are used differently, containers of containers, a pointer that owns an array, an arena behind an
// allocator of its own, and temporaries of each step: everything comes from operator new, called in headers.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#define KEPT __attribute__((noinline))

static const std::size_t N = 400000; // doubles: more than 1 MiB

// A wrapper of malloc() that everybody calls.
static KEPT void *checked_alloc(std::size_t bytes) {
  void *memory = std::malloc(bytes);
  if (!memory)
    std::abort();
  return memory;
}

template <class T> struct ArenaAllocator {
  using value_type = T;
  ArenaAllocator() = default;
  template <class U> ArenaAllocator(const ArenaAllocator<U> &) {}
  KEPT T *allocate(std::size_t count) { return static_cast<T *>(checked_alloc(count * sizeof(T))); }
  void deallocate(T *memory, std::size_t) { std::free(memory); }
  bool operator==(const ArenaAllocator &) const { return true; }
  bool operator!=(const ArenaAllocator &) const { return false; }
};

class Grid {
public:
  std::vector<double> pressure, density, energy;
  std::vector<std::vector<double>> rows;
  std::vector<double, ArenaAllocator<double>> nodes;
  std::unique_ptr<double[]> owned;

  KEPT void allocate() {
    pressure.resize(N);
    density.resize(N);
    energy.assign(N, 1.0);
  }
  KEPT void allocateRows(int count) {
    for (int i = 0; i < count; i++)
      rows.emplace_back(N);
  }
  KEPT void fillArena() { nodes.resize(N); }
  KEPT void own() { owned.reset(new double[N]()); }
  KEPT double step() {
    std::vector<double> temporary(N);
    temporary[N / 2] = density[N / 3] + energy[N / 2];
    return temporary[N / 2];
  }
};

static KEPT double *field(std::size_t count) {
  return static_cast<double *>(std::calloc(count, sizeof(double)));
}

int main() {
  Grid grid;
  grid.allocate();
  grid.allocateRows(3);
  grid.fillArena();
  grid.own();
  double *u = field(N);
  double *v = field(N);
  double sum = u[1] + v[2] + grid.owned[3] + grid.nodes[4] + grid.rows[2][5];
  for (int i = 0; i < 10; i++)
    sum += grid.step();
  std::free(u);
  std::free(v);
  std::printf("sum %g\n", sum);
}
