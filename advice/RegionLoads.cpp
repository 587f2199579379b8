//===-- RegionLoads.cpp - what memories serve in each region ----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RegionLoads.h"

#include "CountedTraffic.h"

#include <algorithm>
#include <set>

using namespace advice;

void RegionLoads::add(uint32_t Region, unsigned Node, size_t Memory, double Accesses) {
  ByRegion.try_emplace(Region, On).first->second.InTeam[Node][Memory] += Accesses;
}

void RegionLoads::spread(uint32_t Region, unsigned Node, double Accesses) {
  const std::set<unsigned> Served(On.Nearest.begin(), On.Nearest.end());
  for (const unsigned Memory : Served)
    add(Region, Node, Memory, Accesses / static_cast<double>(Served.size()));
}

/// What is taken away was there before, but for rounding.
RegionLoads &RegionLoads::add(const RegionLoads &Other, double Times) {
  for (const auto &[Region, Its] : Other.ByRegion) {
    Sums &To = ByRegion.try_emplace(Region, On).first->second.InTeam;
    for (unsigned Node = 0; Node < On.Nodes; ++Node)
      for (size_t Memory = 0; Memory < On.memories(); ++Memory)
        To[Node][Memory] = std::max(0.0, To[Node][Memory] + Times * Its.InTeam[Node][Memory]);
  }
  return *this;
}

double RegionLoads::queues() const {
  double Waiting = 0;
  for (const auto &[Region, Its] : ByRegion)
    Waiting += total(Its.InTeam) * (price(Its, On, 1, 1).Busiest - 1);
  return Waiting;
}

double RegionLoads::queuesOf(const RegionLoads &More) const {
  RegionLoads Both = *this;
  Both += More;
  return std::max(0.0, Both.queues() - queues());
}
