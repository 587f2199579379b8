//===-- Price.cpp - what traffic costs --------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Price.h"

#include <algorithm>

using namespace advice;

Estimate advice::judgeAlone(llvm::ArrayRef<Stream> All, const Machine &On) {
  Estimate E;
  for (const Stream &S : All) {
    E.Delay += S.Part * (On.Factors[S.Node][S.Memory] - On.Factors[S.Node][On.Home[S.Node]]);
    if (S.Memory != On.Home[S.Node])
      E.Remote += S.Part;
  }
  return E;
}

/// Threads that keep all memories busy wait only for the distance. Where one of them is asked for
/// more than it gives while others are idle, all wait for that one.
Estimate advice::judge(llvm::ArrayRef<Stream> All, const Machine &On, double Unevenness) {
  Estimate E = judgeAlone(All, On);
  llvm::SmallVector<bool, 16> Asks(On.Nodes, false);
  Shares Asked(On.memories(), 0);
  for (const Stream &S : All) {
    Asks[S.Node] = true;
    Asked[S.Memory] += S.Part;
  }
  double Demand = 0;
  for (unsigned Node = 0; Node < On.Nodes; ++Node)
    if (Asks[Node])
      Demand += On.demand(Node);
  for (size_t M = 0; M < Asked.size(); ++M)
    E.Busiest = std::max(E.Busiest, Asked[M] * Demand / On.bandwidth(M) / Unevenness);
  constexpr double Noticeable = 1.1; // Less is lost in what the estimates leave out.
  if (E.Busiest < Noticeable)
    E.Busiest = 1;
  E.Delay += E.Busiest - 1;
  return E;
}

double advice::longestQueue(size_t Queues) {
  double Harmonic = 0;
  for (size_t Queue = 1; Queue <= Queues; ++Queue)
    Harmonic += 1 / static_cast<double>(Queue);
  return Harmonic;
}
