//===-- views.cpp - views that share buffers, behind a layer ----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Matter is carried along on a grid. Arrays are views, copied freely, which share counted buffers;
// loops are calls of a layer between the program and OpenMP, whose first argument of the template
// says how they run; a view's constructor fills it by one thread.
//
//     g++ -O2 -g -fopenmp views.cpp -o views
//
//===----------------------------------------------------------------------===//
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace layer {

using Index = long;

struct Serial {
  template <class Body> static void run(Index begin, Index end, const Body &body) {
    for (Index i = begin; i < end; i++)
      body(i);
  }
};

struct Threads {
  template <class Body> static void run(Index begin, Index end, const Body &body) {
#pragma omp parallel for
    for (Index i = begin; i < end; i++)
      body(i);
  }
};

template <class Policy, class Body> void forall(Index begin, Index end, Body &&body) {
  Policy::run(begin, end, body);
}

template <class T> class Buffer {
public:
  Buffer(std::string name, std::size_t count)
      : Name(std::move(name)), Data(static_cast<T *>(std::malloc(count * sizeof(T)))) {}
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  ~Buffer() { std::free(Data); }
  T *data() const { return Data; }

private:
  std::string Name;
  T *Data;
};

template <class T> class View {
public:
  View() = default;
  View(std::string name, Index rows, Index columns)
      : Shared(std::make_shared<Buffer<T>>(std::move(name), rows * columns)), Data(Shared->data()),
        Columns(columns) {
    forall<Serial>(0, rows * columns, [data = Data](Index i) { data[i] = T(); });
  }
  T &operator()(Index row, Index column) const { return Data[row * Columns + column]; }

private:
  std::shared_ptr<Buffer<T>> Shared;
  T *Data = nullptr;
  Index Columns = 0;
};

} // namespace layer

using layer::forall;
using layer::Index;
using layer::Threads;
using Field = layer::View<double>;

struct Fields {
  explicit Fields(Index size)
      : density("density", size, size), xVelocity("x velocity", size, size),
        yVelocity("y velocity", size, size), change("change", size, size) {
    for (const char *name : {"a tracer", "another"})
      tracers.emplace_back(name, size, size);
  }
  Field density, xVelocity, yVelocity, change;
  std::vector<Field> tracers;
};

static void start(const Fields &f, Index size) {
  forall<layer::Serial>(0, size, [=](Index row) {
    for (Index column = 0; column < size; column++) {
      f.density(row, column) = row == size / 2 && column == size / 2 ? 100 : 1;
      f.xVelocity(row, column) = 0.1;
      f.yVelocity(row, column) = 0.2;
      for (std::size_t i = 0; i < f.tracers.size(); i++)
        f.tracers[i](row, column) = double(i) * f.density(row, column);
    }
  });
}

// What flows in from above and from the left, and out again; the grid is a torus.
static void carry(const Field &what, const Fields &f, Index size) {
  forall<Threads>(0, size, [=](Index row) {
    const Index above = (row + size - 1) % size;
    for (Index column = 0; column < size; column++) {
      const Index left = (column + size - 1) % size;
      f.change(row, column) =
          f.xVelocity(row, left) * what(row, left) +
          f.yVelocity(above, column) * what(above, column) -
          (f.xVelocity(row, column) + f.yVelocity(row, column)) * what(row, column);
    }
  });
  forall<Threads>(0, size, [=](Index row) {
    for (Index column = 0; column < size; column++)
      what(row, column) += f.change(row, column);
  });
}

static double sum(const Field &of, Index size) {
  double all = 0;
  for (Index row = 0; row < size; row++)
    for (Index column = 0; column < size; column++)
      all += of(row, column);
  return all;
}

int main(int argc, char **argv) {
  const Index times = argc > 1 ? std::atol(argv[1]) : 1; // how many times as large
  const Index size = std::lround(64 * std::sqrt(times));
  const Fields fields(size);
  start(fields, size);
  for (int step = 0; step < 6; step++) {
    carry(fields.density, fields, size);
    for (const Field &tracer : fields.tracers)
      carry(tracer, fields, size);
  }
  const double matter = sum(fields.density, size), wanted = double(size) * double(size) + 99;
  const bool right =
      std::fabs(matter - wanted) < 1e-6 && std::fabs(sum(fields.tracers[1], size) - wanted) < 1e-6;
  std::printf("views: matter %.3f, %s\n", matter, right ? "verified" : "WRONG");
  return right ? 0 : 1;
}
