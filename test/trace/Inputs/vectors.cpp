// C++: vectors, new, virtual functions, std::thread.
#include <memory>
#include <thread>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};
// In a line of its own.
struct alignas(64) Square : Shape {
  double Side = 2;
  double area() const override { return Side * Side; }
};

int main() {
  std::vector<double> field(4096);
  double *raw = new double[4096];
  std::unique_ptr<Shape> Any = std::make_unique<Square>();
#pragma omp parallel for num_threads(2) schedule(static)
  for (int I = 0; I < 4096; ++I)
    field[static_cast<size_t>(I)] = raw[I] = Any->area();
  std::thread Worker([&] {
    for (int I = 0; I < 4096; ++I)
      raw[I] += 1;
  });
  Worker.join();
  const bool Wrong = raw[4095] != 5;
  delete[] raw;
  return Wrong;
}
