//===-- Price.cpp - what traffic costs --------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Price.h"

#include <algorithm>

using namespace advice;

namespace {

/// How accesses fare: parts of them.
struct Fare {
  double Remote = 0;
  double Delay = 0; ///< time beyond that of local accesses
  double Busiest = 1;
};

/// Less is lost in what is left out.
double noticeable(double Busiest) {
  constexpr double Noticeable = 1.1;
  return Busiest < Noticeable ? 1 : Busiest;
}

/// What the nodes that ask for something can take together.
template <typename Range> double demand(const Range &All, const Machine &On) {
  llvm::SmallVector<bool, 16> Asks(On.Nodes, false);
  for (const auto &One : All)
    Asks[One.Node] = true;
  double Demand = 0;
  for (unsigned Node = 0; Node < On.Nodes; ++Node)
    if (Asks[Node])
      Demand += On.demand(Node);
  return Demand;
}

Fare byDistance(const Streams &All, const Machine &On) {
  Fare F;
  for (const Stream &S : All) {
    F.Delay += S.Part * (On.Factors[S.Node][S.Memory] - On.Factors[S.Node][On.Nearest[S.Node]]);
    if (S.Memory != On.Nearest[S.Node])
      F.Remote += S.Part;
  }
  return F;
}

/// How many times its part the busiest memory serves. Threads that keep all memories busy wait only
/// for the distance; where one of them is asked for more than it gives while others are idle, all
/// wait for that one.
double busiest(const Traffic &T, const Machine &On) {
  Shares Asked(On.memories(), 0);
  for (const Stream &S : T.Ways)
    Asked[S.Memory] += S.Part;
  const double Demand = demand(T.Ways, On);
  double Busiest = 1;
  for (size_t M = 0; M < Asked.size(); ++M)
    Busiest = std::max(Busiest, Asked[M] * Demand / On.bandwidth(M) / T.Unevenness);
  return std::max(noticeable(Busiest), T.Meeting);
}

Fare fare(const Traffic &T, const Machine &On) {
  Fare F = byDistance(T.Ways, On);
  if (T.InTeam) {
    F.Busiest = busiest(T, On);
    F.Delay += F.Busiest - 1;
  }
  return F;
}

/// Of so many queues that many customers go round in, how many times its part the longest holds on
/// average: 1 + 1/2 + ... + 1/Queues (all states of such a network are equally likely: W. Gordon,
/// G. Newell, "Closed queuing systems with exponential servers", 1967).
double longestQueue(size_t Queues) {
  double Harmonic = 0;
  for (size_t Queue = 1; Queue <= Queues; ++Queue)
    Harmonic += 1 / static_cast<double>(Queue);
  return Harmonic;
}

} // namespace

Metrics advice::price(llvm::ArrayRef<Traffic> All, const Machine &On) {
  Metrics Result;
  double Amount = 0, Busy = 0;
  for (const Traffic &T : All) {
    const Fare F = fare(T, On);
    Result.Remote += T.Amount * F.Remote;
    Result.Cost += T.Amount * F.Delay;
    Busy += T.Amount * F.Busiest;
    Amount += T.Amount;
  }
  Result.Busiest = Amount > 0 ? Busy / Amount : 1;
  return Result;
}

/// In step, one memory serves all threads while the others are idle. Otherwise the threads spread
/// over the memories as customers do over queues.
double advice::meeting(const Segments &Team, const Shares &Placed, const Machine &On, bool InStep) {
  const double Demand = demand(Team, On);
  double Busiest = 0;
  size_t Queues = 0;
  for (size_t M = 0; M < Placed.size(); ++M)
    if (Placed[M] > 0) {
      ++Queues;
      Busiest += Placed[M] * noticeable(std::max(1.0, Demand / On.bandwidth(M)));
    }
  if (Queues < 2 || InStep)
    return Busiest;
  return 1 + (Busiest - 1) * (longestQueue(Queues) - 1) / (static_cast<double>(Queues) - 1);
}

bool advice::isWorth(const Metrics &New, const Metrics &Old, double AllTraffic) {
  constexpr double Noticeable = 0.02;
  return New.Cost <= Old.Cost * 3 / 4 && Old.Cost - New.Cost > Noticeable * AllTraffic;
}
