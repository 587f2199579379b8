//===-- Spread.cpp - few threads on all nodes and caches --------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Spread.h"

#include <algorithm>
#include <numeric>
#include <set>

using namespace threadmap;

namespace {

class Spreading {
public:
  explicit Spreading(const Machine &Whole) : On(Whole), CoresOf(Whole.Parts.size()) {
    for (size_t Index = On.Parts.size(); Index-- > 0;) {
      const Machine::Part &Part = On.Parts[Index];
      if (Part.Children.empty())
        CoresOf[Index].insert(Part.Core);
      for (const uint32_t Child : Part.Children)
        CoresOf[Index].insert(CoresOf[Child].begin(), CoresOf[Child].end());
    }
  }

  std::vector<uint32_t> run(uint32_t Threads) {
    keep(0, std::min(Threads, On.Cores));
    return std::move(LeftOut);
  }

private:
  uint32_t cores(uint32_t Part) const { return static_cast<uint32_t>(CoresOf[Part].size()); }

  /// The fastest kind of core that a part has.
  uint32_t kind(uint32_t Index) const {
    const Machine::Part &Part = On.Parts[Index];
    uint32_t Least = Part.Children.empty() ? Part.Kind : UINT32_MAX;
    for (const uint32_t Child : Part.Children)
      Least = std::min(Least, kind(Child));
    return Least;
  }

  /// Keeps so many cores of a part.
  void keep(uint32_t Index, uint32_t Count) {
    if (Count == cores(Index))
      return;
    if (Count == 0)
      return leaveOut(Index);
    const std::vector<uint32_t> &Children = On.Parts[Index].Children;
    const std::vector<uint32_t> Shares = shares(Children, Count);
    for (size_t I = 0; I < Children.size(); ++I)
      keep(Children[I], Shares[I]);
  }

  /// As equal as the sizes of the parts allow; what is over goes to the first of the fastest.
  std::vector<uint32_t> shares(const std::vector<uint32_t> &Parts, uint32_t Count) const {
    std::vector<size_t> Order(Parts.size());
    std::iota(Order.begin(), Order.end(), 0);
    std::stable_sort(Order.begin(), Order.end(),
                     [&](size_t A, size_t B) { return kind(Parts[A]) < kind(Parts[B]); });
    std::vector<uint32_t> Result(Parts.size(), 0);
    while (Count > 0)
      for (const size_t I : Order) {
        const bool Gets = Count > 0 && Result[I] < cores(Parts[I]);
        Result[I] += Gets;
        Count -= Gets;
      }
    return Result;
  }

  void leaveOut(uint32_t Index) {
    const Machine::Part &Part = On.Parts[Index];
    if (Part.Children.empty())
      LeftOut.push_back(Part.Cpu);
    for (const uint32_t Child : Part.Children)
      leaveOut(Child);
  }

  const Machine &On;
  std::vector<std::set<uint32_t>> CoresOf; ///< by part
  std::vector<uint32_t> LeftOut;
};

} // namespace

std::vector<uint32_t> threadmap::leftOutBySpread(const Machine &On, uint32_t Threads) {
  return Spreading(On).run(Threads);
}
