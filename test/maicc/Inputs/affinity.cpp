// The clause affinity in templates, with references, and in lambdas.
#include <cstddef>
#include <cstdio>

static double Data[64];

extern "C" int mai_task_near(const void *Memory, size_t Bytes);
extern "C" int mai_task_near(const void *Memory, size_t Bytes) {
  std::printf("%td: %zu\n", static_cast<const double *>(Memory) - Data, Bytes);
  return 0;
}

template <class T, int Rows> struct Grid {
  T *Cells;

  void run(T (&Row)[Rows]) {
#pragma omp task affinity(Cells[2 : Rows])
    Cells[0]++;
#pragma omp task affinity(Row[1])
    Cells[1]++;
    const auto MakeTask = [this] {
#pragma omp task affinity(iterator(I = 0 : 2) : Cells[I * 4])
      Cells[2]++;
    };
    MakeTask();
  }
};

int main() {
  Grid<double, 8> Both{Data};
  auto &Row = *reinterpret_cast<double(*)[8]>(Data + 32);
#pragma omp parallel num_threads(2)
#pragma omp single
  Both.run(Row);
  std::printf("cells %.0f\n", Data[0] + Data[1] + Data[2]);
}
