// Several arrays that one line of the source allocates.
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr size_t N = 1024;

static double *make(size_t count) {
  void *memory = malloc(count * sizeof(double));
  return static_cast<double *>(memory);
}

__attribute__((noinline)) static double *call(size_t count) {
  void *called = malloc(count * sizeof(double));
  __asm__ volatile("" : "+r"(called)); // no jump to malloc()
  return static_cast<double *>(called);
}

// Owns what it allocates.
template <typename Value> struct Raw {
  explicit Raw(size_t count) : Held(new Value[count]) {}
  Raw(size_t count, Value value) : Raw(count) {
    for (size_t i = 0; i < count; ++i)
      static_cast<volatile Value &>(Held[i]) = value;
  }
  Raw(const Raw &) = delete;
  ~Raw() { delete[] Held; }
  Value &operator[](size_t i) { return Held[i]; }
  Value *Held;
};

using Plain = Raw<double>;

// Allocate what is their caller's.
__attribute__((noinline)) static void allocate(double **array, size_t count) {
  *array = static_cast<double *>(malloc(count * sizeof(double)));
}

template <class Key, class Value> struct Sizes {
  Key First;
  Value Second;
};

__attribute__((noinline)) static void allocate(const Sizes<size_t, int> &sizes, double **array) {
  *array = static_cast<double *>(malloc(sizes.First * sizeof(double)));
}

struct Mesh {
  double *Field;
};

__attribute__((noinline)) static void prepare(Mesh *mesh, size_t count) {
  mesh->Field = static_cast<double *>(malloc(count * sizeof(double)));
}

struct Grid {
  double *Values = nullptr;
  __attribute__((noinline)) void reserve(size_t count) {
    Values = static_cast<double *>(malloc(count * sizeof(double)));
  }
};

// Has arrays of its own while it works.
struct Sorter {
  size_t Done = 0;
  __attribute__((noinline)) void run(size_t count);
};

template <typename Array> static void fill(Array &array, int times) {
  for (int time = 0; time < times; ++time)
    for (size_t i = 0; i < N; ++i)
      static_cast<volatile double &>(array[i]) = double(i);
}

static void use(Raw<double> &&values) { fill(values, 10); }

void Sorter::run(size_t count) {
  double *keys = nullptr, *ranks = nullptr, **both[] = {&keys, &ranks};
  allocate(&keys, count);
  allocate(Sizes<size_t, int>{count, 0}, &ranks);
  for (double **each : both)
    fill(*each, each == &keys ? 15 : 16);
  Done += count;
}

int main() {
  std::vector<double> first(N), second(N);
  double *third = make(N), *fourth = make(N);
  double *fifth = call(N);
  double *sixth = call(N);
  Raw<double> seventh(N);
  Raw<double> eighth(N, 1.0);
  Raw<double> ninth(N, 1.0);
  fill(first, 1);
  fill(second, 2);
  fill(third, 3);
  fill(fourth, 4);
  fill(fifth, 5);
  fill(sixth, 6);
  fill(seventh, 7);
  fill(eighth, 7);
  fill(ninth, 8);
  use(Raw<double>(N));
  double *eleventh = nullptr, *twelfth = nullptr;
  allocate(&eleventh, N);
  allocate(&(twelfth), N);
  Mesh mesh;
  prepare(&mesh, N);
  Grid grid;
  grid.reserve(N);
  fill(eleventh, 11);
  fill(twelfth, 12);
  fill(mesh.Field, 13);
  fill(grid.Values, 14);
  Sorter sorter;
  sorter.run(N);
  // clang-format off
  size_t doubled = 2 * N; Plain seventeenth(doubled), eighteenth(doubled);
  // clang-format on
  fill(seventeenth, 17);
  fill(eighteenth, 18);
  return 0;
}
