//===-- cxx-strict.cpp - one of two files that use all of mai.hpp *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Usage: cxx-strict [POLICY]
// Compiled with MAIN, with REST, or with both.  All that the header defines is in both files.  Without
// exceptions a policy that is none ends the program.
#include <cstdio>
#include <mai.hpp>
#include <mai_memory.hpp>
#include <vector>

template class mai::array<double>;
template class mai::array<int, 3>;
template class mai::array<const char *, 5>;
template class mai::view<int, 3>;
template class mai::view<const double>;
template class mai::detail::row_iterator<int, 3>;
template class mai::allocator<double>;
template class mai::pool_allocator<double>;

using vector = std::vector<double, mai::allocator<double>>;

mai::array<int, 3> make(const mai::policy &where);
double sum(const vector &values);

#ifdef MAIN

int main(int argc, char **argv) {
  mai::array<int, 3> u = make(mai::policy(argc > 1 ? argv[1] : "cyclic by columns"));
  u[1][2][3] = 5;
  const vector v(1000, 0.5, mai::allocator<double>(mai::policy("block"), "v"));
  mai::memory_resource resource("block");
  const std::pmr::vector<double> w(500, 1.0, &resource);
  mai::parallel_nodes([](unsigned) {});
  std::printf("%d %.1f\n", u(1, 2, 3), mai::on_node(0, [&] { return sum(v) + w[0]; }) - 1);
}

#endif
#ifdef REST

mai::array<int, 3> make(const mai::policy &where) { return mai::array<int, 3>({2, 3, 4}, where); }

double sum(const vector &values) {
  double result = 0;
  for (double value : values)
    result += value;
  return result;
}

#endif
