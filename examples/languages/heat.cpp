//===-- heat.cpp - heat in a plate, in C++ ---------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//     g++ -std=c++17 -O2 -fopenmp heat.cpp -o heat -lmai
//     ./heat ["policy"]
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <exception>
#include <mai.hpp>
#include <numeric>
#include <utility>
#include <vector>

namespace {

using plate = mai::array<double, 2>;

constexpr std::size_t n = 512;
constexpr int steps = 50;

void set_edges(plate &u) {
  for (std::size_t j = 0; j < n; j++) {
    u(0, j) = 100;
    u(n - 1, j) = 0;
  }
}

void step(const plate &from, plate &to) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 1; i < n - 1; i++)
    for (std::size_t j = 1; j < n - 1; j++)
      to(i, j) = 0.25 * (from(i - 1, j) + from(i + 1, j) + from(i, j - 1) + from(i, j + 1));
}

// A vector of the standard library, its pages with the threads of the loop.
double sum_of_rows(const plate &u) {
  std::vector<double, mai::allocator<double>> sums(n, mai::policy("block"));
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; i++)
    sums[i] = std::accumulate(u[i].begin(), u[i].end(), 0.0);
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

void show(const char *name, const plate &u) {
  const mai_pages pages = u.verify();
  std::printf("%s: %zu of %zu pages placed, on nodes", name, pages.placed, pages.total);
  for (std::size_t count : u.pages_per_node(8))
    std::printf(" %zu", count);
  std::printf("\n");
}

} // namespace

int main(int argc, char **argv) try {
  const mai::policy where = argc > 1 ? argv[1] : "block";
  plate warm({n, n}, where, "warm");
  plate next({n, n}, where, "next");
  set_edges(warm);
  set_edges(next);
  for (int i = 0; i < steps; i++) {
    step(warm, next);
    swap(warm, next);
  }
  std::printf("five rows down: %.3f, sum %.3f\n", warm(5, n / 2), sum_of_rows(warm));
  show("warm", warm);
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "heat: %s\n", error.what());
  return 1;
}
