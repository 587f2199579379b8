// A function and a class that are used for several blocks, whose own names for these say nothing.
#include <cstdio>
#include <vector>

static const int N = 200000;

class Vector {
public:
  Vector() : values(N, 1.0) {}
  std::vector<double> values;
  double sum() const;
};

__attribute__((noinline)) double Vector::sum() const {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < N; i++)
    sum += values[i];
  return sum;
}

static __attribute__((noinline)) void copy(double *to, const double *from) {
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    to[i] = from[i];
}

static __attribute__((noinline)) void clear(double *it) {
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    it[i] = 0;
}

int main() {
  Vector *first = new Vector;
  Vector *second = new Vector;
  double *kept = new double[N];
  double *one = new double[N];
  double *other = new double[N];
  clear(one);
  clear(other);
  copy(other, one);
  double sum = first->sum() + second->sum();
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    kept[i] = i;
  std::printf("sum %g\n", sum + kept[1] + other[2]);
}
