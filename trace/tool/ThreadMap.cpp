//===-- ThreadMap.cpp - threads on other nodes ------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ThreadMap.h"

#include <algorithm>

using namespace maiprof;

/// What each thread would have local on each node, as the others are.
std::vector<double> Attraction::pull(const std::vector<uint32_t> &NodeOf) const {
  std::vector<double> Result = ToNode;
  for (size_t A = 0; A < Threads; ++A)
    for (size_t B = 0; B < Threads; ++B)
      if (A != B && NodeOf[B] != None)
        Result[A * Nodes + NodeOf[B]] += both(A, B);
  return Result;
}

std::vector<uint32_t> Attraction::best(std::vector<uint32_t> NodeOf) const {
  /* Kernighan and Lin's step: of all exchanges of two threads the one that saves most. */
  constexpr size_t PairsMax = size_t(1) << 32; /* in all rounds */
  const size_t Rounds = std::min(Threads, 1 + PairsMax / (1 + Threads * Threads));
  for (size_t Round = 0; Round < Rounds; ++Round) {
    const std::vector<double> Pull = pull(NodeOf);
    const auto Gain = [&](size_t A, size_t B) {
      return Pull[A * Nodes + NodeOf[B]] - Pull[A * Nodes + NodeOf[A]] +
             Pull[B * Nodes + NodeOf[A]] - Pull[B * Nodes + NodeOf[B]] - 2 * both(A, B);
    };
    double Most = 0;
    std::pair<size_t, size_t> Pair;
    for (size_t A = 0; A < Threads; ++A)
      for (size_t B = A + 1; B < Threads; ++B)
        if (NodeOf[A] != None && NodeOf[B] != None && NodeOf[A] != NodeOf[B] && Gain(A, B) > Most) {
          Most = Gain(A, B);
          Pair = {A, B};
        }
    if (Most <= 0)
      break;
    std::swap(NodeOf[Pair.first], NodeOf[Pair.second]);
  }
  return NodeOf;
}
