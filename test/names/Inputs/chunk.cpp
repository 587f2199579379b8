// Fields of a mesh, each of a class of its own whose only array is its data, made by constructors and used through objects; arrays
// in an array of a template.
#include <cstddef>
#include <cstdio>

template <typename T> struct Buffer {
  explicit Buffer(size_t count) : size(count), data(new T[count]()) {}
  ~Buffer() { delete[] data; }
  T &operator[](size_t i) const { return data[i]; }
  size_t size;
  T *data;
};

struct field_type {
  explicit field_type(size_t count) : density(count), energy(count) {}
  Buffer<double> density, energy;
};

struct chunk_type {
  explicit chunk_type(size_t count) : size(count), field(count), edge(new double[count]()) {}
  ~chunk_type() { delete[] edge; }
  size_t size;
  field_type field;
  double *edge;
};

template <typename T, int Count> struct Sides {
  explicit Sides(size_t count) : size(count) {
    for (T *&each : sum)
      each = new T[count]();
  }
  ~Sides() {
    for (T *each : sum)
      delete[] each;
  }
  void add(const Buffer<T> &what);
  size_t size;
  T *sum[Count];
};

template <typename T, int Count>
__attribute__((noinline)) void Sides<T, Count>::add(const Buffer<T> &what) {
#pragma omp parallel for
  for (size_t i = 0; i < size; i++)
    for (T *each : sum)
      each[i] += what[i];
}

static __attribute__((noinline)) void advance(chunk_type &chunk) {
#pragma omp parallel for
  for (size_t i = 0; i < chunk.size; i++)
    chunk.field.energy[i] += chunk.field.density[i] + chunk.edge[i];
}

int main() {
  chunk_type chunk(200000);
  Sides<double, 2> sides(chunk.size);
  advance(chunk);
  sides.add(chunk.field.energy);
  printf("energy %g\n", chunk.field.energy[1] + sides.sum[1][0]);
}
