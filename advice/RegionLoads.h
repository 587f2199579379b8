//===-- RegionLoads.h - what memories serve in each region ------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// By itself an array that one memory serves keeps all threads waiting for that. In its parallel
// regions other arrays are used, too, which may keep the other memories as busy: then nobody waits.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_ADVICE_REGIONLOADS_H
#define MINAS_ADVICE_REGIONLOADS_H

#include "Access.h"

#include <map>

namespace advice {

class RegionLoads {
public:
  explicit RegionLoads(const Machine &Of) : On(Of) {}

  void add(uint32_t Region, unsigned Node, size_t Memory, double Accesses);
  /// The same accesses to where policies distribute: equal parts to the memories nearest to the
  /// nodes.
  void spread(uint32_t Region, unsigned Node, double Accesses);

  RegionLoads &operator+=(const RegionLoads &More) { return add(More, 1); }
  RegionLoads &operator-=(const RegionLoads &Less) { return add(Less, -1); }

  /// So many accesses idle memories could serve while threads wait for the busiest one of a region.
  double queues() const;
  /// How many more these are with more loads; 0 where others hide them.
  double queuesOf(const RegionLoads &More) const;

private:
  RegionLoads &add(const RegionLoads &Other, double Times);

  const Machine &On;
  std::map<uint32_t, Flows> ByRegion;
};

} // namespace advice

#endif // MINAS_ADVICE_REGIONLOADS_H
