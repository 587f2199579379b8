//===-- pagerank.cpp - ranks of a graph's vertices -------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each vertex pulls what its neighbours give. The ranks' sum stays 1.
//
//===----------------------------------------------------------------------===//
#include <cmath>
#include <vector>

#include "graph.h"

static void step(const graph &g, const std::vector<double> &given, std::vector<double> &ranks) {
#pragma omp parallel for schedule(dynamic, 256)
  for (int v = 0; v < g.vertices; v++) {
    double sum = 0;
    for (int e = g.rows[v]; e < g.rows[v + 1]; e++)
      sum += given[g.neighbours[e]];
    ranks[v] = 0.15 / g.vertices + 0.85 * sum;
  }
}

static void give(const graph &g, const std::vector<double> &ranks, std::vector<double> &given) {
#pragma omp parallel for schedule(static)
  for (int v = 0; v < g.vertices; v++)
    given[v] = ranks[v] / (g.rows[v + 1] - g.rows[v]);
}

int main(int count, char **arguments) {
  const graph g = make_graph(1 << (count > 1 ? std::atoi(arguments[1]) : 14));
  std::vector<double> ranks(g.vertices, 1.0 / g.vertices), given(g.vertices);
  for (int i = 0; i < 24; i++) {
    give(g, ranks, given);
    step(g, given, ranks);
  }
  double sum = 0;
  for (double rank : ranks)
    sum += rank;
  return verified(std::fabs(sum - 1) < 1e-9);
}
