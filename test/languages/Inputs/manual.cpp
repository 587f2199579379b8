//===-- manual.cpp - runs the example of mai_cxx(3) ------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "mai_cxx-1.head"
#include <cstdio>

int main() {
  const std::size_t n = 64, m = 2048;
#include "mai_cxx-1.rest"
  std::printf("mai_cxx-1: %zu elsewhere, nodes", u.verify().spilled);
  for (std::size_t pages : u.pages_per_node(4))
    std::printf(" %zu", pages);
  mai_pages of_v;
  std::size_t nodes[4];
  v.assign(100000, 1.5);
  mai_verify(v.data(), &of_v, nodes, 4);
  std::printf("; %zu elsewhere, nodes %zu %zu %zu %zu", of_v.spilled, nodes[0], nodes[1], nodes[2],
              nodes[3]);
  std::printf("; list on node %d, sum %.1f\n", mai_where(&near_node_1.back()), sum);
}
