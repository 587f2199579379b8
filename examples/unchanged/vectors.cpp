//===-- vectors.cpp - a class with vectors of different use -----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Heat flows in a bar of several materials. Fields are divided among the threads, each thread looks
// up all of the table of conductivities, and one thread keeps the history: vectors of one class,
// all of which are filled where they are resized.
//
//     g++ -O2 -g -fopenmp vectors.cpp -o vectors
//
//===----------------------------------------------------------------------===//
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

using Real = double;
using Index = long;

// Loops are templates over what they do.
template <class Body> inline void forAll(Index begin, Index end, const Body &body) {
#pragma omp parallel for schedule(static)
  for (Index i = begin; i < end; i++)
    body(i);
}

template <class Body> inline Real sumOf(Index begin, Index end, const Body &body) {
  Real sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (Index i = begin; i < end; i++)
    sum += body(i);
  return sum;
}

class Bar {
public:
  Bar(Index cells, Index materials) {
    temperature.resize(cells + 2, 0.0);
    next.resize(cells + 2, 0.0);
    material.resize(cells + 2);
    conductivity.resize(materials);
    for (Index i = 0; i < materials; i++)
      conductivity[i] = 0.1 + 0.3 * static_cast<Real>(i) / static_cast<Real>(materials);
    for (Index i = 0; i < cells + 2; i++)
      material[i] = (i * 7919) % materials;
    temperature[cells / 2] = 1000.0;
    history.reserve(cells);
  }

  void step() {
    const Index last = static_cast<Index>(temperature.size()) - 1;
    forAll(1, last, [&](Index i) { next[i] = temperature[i] + flow(i, i - 1) + flow(i, i + 1); });
    temperature.swap(next);
    history.push_back(heat());
  }

  Real heat() const {
    return sumOf(0, static_cast<Index>(temperature.size()),
                 [&](Index i) { return temperature[i]; });
  }
  Real drift() const { return std::fabs(history.back() - history.front()); }

private:
  Real flow(Index to, Index from) const {
    const Real k = 0.5 * (conductivity[material[to]] + conductivity[material[from]]);
    return k * (temperature[from] - temperature[to]);
  }

  std::vector<Real> temperature, next;
  std::vector<Index> material;
  std::vector<Real> conductivity;
  std::vector<Real> history;
};

int main(int argc, char **argv) {
  const Index size = argc > 1 ? std::atol(argv[1]) : 1; // how many times as large
  Bar bar(60000 * size, 10000 * size);
  for (int i = 0; i < 20; i++)
    bar.step();
  const bool right = std::fabs(bar.heat() - 1000.0) < 1e-6 && bar.drift() < 1e-6;
  std::printf("vectors: heat %.6f, %s\n", bar.heat(), right ? "verified" : "WRONG");
  return right ? 0 : 1;
}
