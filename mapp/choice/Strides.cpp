//===-- Strides.cpp - uses that leave pages out -----------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Strides.h"

extern "C" {
#include "mai/policy/placement.h"
}

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace mapp;
using advice::Alternative;
using advice::Machine;
using advice::Policy;
using advice::Shares;

namespace {

/// The pages that a use touches when its strides leave some out, by enumerating its steps.
class StridedPages {
public:
  StridedPages(const Use &U, uint64_t ArrayBytes, const Machine &On)
      : Bytes(static_cast<double>(ArrayBytes)), Page(On.PageBytes), Start(U.Start) {
    std::vector<Walk> All(U.Walks.begin(), U.Walks.end());
    llvm::sort(All, [](const Walk &L, const Walk &R) { return L.Bytes < R.Bytes; });
    for (const Walk &W : All) {
      const auto Stride = static_cast<double>(W.Bytes);
      if (Stride <= std::max(Run, Page))
        Run = std::max(Run, Stride * W.Steps);
      else
        Hops.push_back(W);
    }
    if (Run > Page)
      Hops.push_back({static_cast<int64_t>(Page), std::ceil(Run / Page), false});
    Gaps = !Hops.empty() && Run < Enough * On.Nodes * Page;
  }

  /// Enough pages in a row would do for any distribution.
  bool hasGaps() const { return Gaps; }

  /// Calls `Receive` with the page, from the array's start, of each step or of a sample of them.
  template <typename Receiver> void forEach(Receiver Receive) const {
    double Product = 1;
    for (const Walk &W : Hops)
      Product *= std::max(1.0, W.Steps);
    const bool All = Product <= Most;
    const auto Points = static_cast<uint64_t>(All ? Product : Most);
    const auto Range = static_cast<uint64_t>(std::min(Product, 1e18));
    for (uint64_t Point = 0; Point < Points; ++Point) {
      // A step by a large prime goes through all of a range of another size, evenly.
      uint64_t Rest = All ? Point : static_cast<uint64_t>(__uint128_t(Point) * Leap % Range);
      auto Address = static_cast<double>(Start);
      for (const Walk &W : Hops) {
        const auto Steps = static_cast<uint64_t>(std::max(1.0, std::min(W.Steps, 1e18)));
        Address += static_cast<double>(W.Bytes) * static_cast<double>(Rest % Steps);
        Rest /= Steps;
      }
      if (Address >= 0 && Address < Bytes)
        Receive(static_cast<size_t>(Address / Page));
    }
  }

private:
  static constexpr double Most = 4096;
  static constexpr double Enough = 4;
  static constexpr uint64_t Leap = 2654435761; ///< prime, near 2^32 / golden ratio
  double Bytes, Page, Run = 8;
  int64_t Start;
  std::vector<Walk> Hops;
  bool Gaps = false;
};

/// Which memory MAi's own rule gives to a page; `Memories` in the order of distribution.
class Distribution {
public:
  Distribution(const Alternative &A, uint64_t ArrayBytes, const Machine &On,
               llvm::ArrayRef<double> Placed) {
    std::vector<uint32_t> Memories;
    std::vector<unsigned long> Weights;
    double Best = 0;
    for (size_t M = 0; M < Placed.size(); ++M)
      Best = std::max(Best, On.bandwidth(M));
    for (size_t M = 0; M < Placed.size(); ++M)
      if (Placed[M] > 0) {
        Memories.push_back(static_cast<uint32_t>(M));
        Weights.push_back(std::max(1UL, std::lround(16 * On.bandwidth(M) / Best) * 1UL));
      }
    const auto Page = static_cast<size_t>(On.PageBytes);
    mai_shape Shape{};
    Shape.start = Page << 20;
    Shape.bytes = ArrayBytes;
    Shape.dimensions = 1;
    Shape.strides[0] = ArrayBytes;
    Shape.ends = mai_shape::MAI_ENDS_OWN;
    const mai_targets Targets{Page,
                              Page,
                              SIZE_MAX,
                              static_cast<uint32_t>(Memories.size()),
                              Memories.data(),
                              Weights.data(),
                              1,
                              Memories.data()};
    mai_policy_t Policy{};
    Policy.kind = A.What == Policy::Skew       ? MAI_POLICY_SKEW
                  : A.What == Policy::Prime    ? MAI_POLICY_PRIME
                  : A.What == Policy::Weighted ? MAI_POLICY_WEIGHTED
                                               : MAI_POLICY_CYCLIC;
    Policy.value = A.Value;
    Valid = mai_placement_compute(&Policy, &Shape, &Targets, &Placement) == 0;
  }
  Distribution(const Distribution &) = delete;
  Distribution &operator=(const Distribution &) = delete;
  ~Distribution() {
    if (Valid)
      mai_placement_free(&Placement);
  }

  bool isValid() const { return Valid; }
  size_t memoryOf(size_t Page) const { return mai_placement_node(&Placement, Page); }
  size_t pages() const { return Placement.pages; }

private:
  mai_placement Placement{};
  bool Valid = false;
};

} // namespace

bool mapp::leavesPagesOut(const Use &U, uint64_t ArrayBytes, const Machine &On) {
  return StridedPages(U, ArrayBytes, On).hasGaps();
}

std::optional<StridedShares> mapp::stridedShares(const Use &U, const Alternative &A,
                                                 uint64_t ArrayBytes, const Machine &On,
                                                 const Shares &Placed) {
  const StridedPages Pages(U, ArrayBytes, On);
  if (!Pages.hasGaps())
    return std::nullopt;
  const Distribution Distributed(A, ArrayBytes, On, Placed);
  if (!Distributed.isValid())
    return std::nullopt;
  std::vector<size_t> Touched;
  Pages.forEach([&](size_t Page) {
    if (Page < Distributed.pages())
      Touched.push_back(Page);
  });
  if (Touched.empty())
    return std::nullopt;
  llvm::sort(Touched);
  StridedShares Result{Shares(Placed.size(), 0), 1};
  double Distinct = 0;
  for (auto Page = Touched.begin(), Next = Page; Page != Touched.end(); Page = Next) {
    Next = std::upper_bound(Page, Touched.end(), *Page);
    Result.Of[Distributed.memoryOf(*Page)] +=
        static_cast<double>(Next - Page) / static_cast<double>(Touched.size());
    ++Distinct;
  }
  const auto Receivers =
      static_cast<double>(llvm::count_if(Placed, [](double S) { return S > 0; }));
  Result.Unevenness = std::max(1.0, std::ceil(Distinct / Receivers) / Distinct * Receivers);
  return Result;
}

uint64_t mapp::primeAbove(uint64_t Number) {
  do
    ++Number;
  while (!mai_is_prime(Number));
  return Number;
}
