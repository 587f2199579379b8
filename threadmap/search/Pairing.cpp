//===-- Pairing.cpp - maximum-weight perfect matching -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The only file that includes LEMON, whose last release is written for C++17 and no later.
//
//===----------------------------------------------------------------------===//

#include "Pairing.h"

#include <algorithm>
#include <cmath>
#include <lemon/full_graph.h>
#include <lemon/matching.h>
#include <lemon/smart_graph.h>

namespace {

/// Rounding would upset the matching's dual values, so it works with integers.  Integral weights
/// that are not too large stay as they are.
constexpr double Largest = 1LL << 40;

bool isExact(double Value) { return std::fabs(Value) <= Largest && Value == std::floor(Value); }

/// The partners in a graph whose edges have the weights that `OfEdge` tells.
template <typename Graph, typename Function>
std::vector<uint32_t> partners(const Graph &Pairs, Function OfEdge) {
  double Greatest = 0;
  bool Exact = true;
  for (typename Graph::EdgeIt E(Pairs); E != lemon::INVALID; ++E) {
    Greatest = std::max(Greatest, std::fabs(OfEdge(E)));
    Exact = Exact && isExact(OfEdge(E));
  }
  const double Scale = Exact ? 1 : Largest / Greatest;
  using Weights = typename Graph::template EdgeMap<int64_t>;
  Weights Scaled(Pairs);
  for (typename Graph::EdgeIt E(Pairs); E != lemon::INVALID; ++E)
    Scaled[E] = std::llround(OfEdge(E) * Scale);

  lemon::MaxWeightedPerfectMatching<Graph, Weights> Matching(Pairs, Scaled);
  Matching.run();
  std::vector<uint32_t> Partner(static_cast<size_t>(lemon::countNodes(Pairs)));
  for (typename Graph::NodeIt N(Pairs); N != lemon::INVALID; ++N)
    Partner[static_cast<size_t>(Pairs.id(N))] = static_cast<uint32_t>(Pairs.id(Matching.mate(N)));
  return Partner;
}

} // namespace

std::vector<uint32_t>
threadmap::bestPairs(uint32_t Count, const std::function<double(uint32_t, uint32_t)> &Weight) {
  const lemon::FullGraph Graph(static_cast<int>(Count));
  return partners(Graph, [&](lemon::FullGraph::Edge E) {
    return Weight(static_cast<uint32_t>(Graph.id(Graph.u(E))),
                  static_cast<uint32_t>(Graph.id(Graph.v(E))));
  });
}

std::vector<uint32_t> threadmap::bestPairs(uint32_t Count,
                                           const std::vector<WeightedPair> &Allowed) {
  lemon::SmartGraph Graph;
  Graph.reserveNode(static_cast<int>(Count));
  Graph.reserveEdge(static_cast<int>(Allowed.size()));
  for (uint32_t Item = 0; Item < Count; ++Item)
    Graph.addNode();
  for (const WeightedPair &Pair : Allowed)
    Graph.addEdge(lemon::SmartGraph::nodeFromId(static_cast<int>(Pair.A)),
                  lemon::SmartGraph::nodeFromId(static_cast<int>(Pair.B)));
  return partners(Graph, [&](lemon::SmartGraph::Edge E) {
    return Allowed[static_cast<size_t>(lemon::SmartGraph::id(E))].Weight;
  });
}
