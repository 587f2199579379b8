//===-- Candidates.cpp - the policies that are weighed for an array *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Candidates.h"

#include "Fields.h"
#include "Strides.h"
#include "UsesOfArray.h"

#include "advice/Advise.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <set>

using namespace mapp;

/// A stencil touches the rows i - 1, i, i + 1: of these the middle is the thread's own.
static const Use &middle(std::vector<const Use *> Same) {
  const auto IsWrite = [](const Use *U) { return U->Mode != AccessMode::Read; };
  if (llvm::any_of(Same, IsWrite))
    llvm::erase_if(Same, [&](const Use *U) { return !IsWrite(U); });
  llvm::sort(Same, [](const Use *Left, const Use *Right) { return Left->First < Right->First; });
  return *Same[Same.size() / 2];
}

static Range range(const ArrayDeclaration &Array, const Use &Middle) {
  constexpr uint64_t Little = 4096 / 8; // Of a page.
  const auto Units = static_cast<int64_t>(Array.Bytes / Array.UnitBytes);
  const int64_t First = std::max<int64_t>(Middle.First, 0);
  const int64_t Count = std::min(Middle.Count, Units - First);
  if (Count <= 0)
    return std::nullopt;
  const auto Outside = static_cast<uint64_t>(std::max(First, Units - First - Count));
  if (Outside <= Little / Array.UnitBytes)
    return std::nullopt;
  return std::pair(static_cast<uint64_t>(First), static_cast<uint64_t>(Count));
}

Ranges::Ranges(const ArrayDeclaration &Array, const std::vector<Use> &Uses) {
  if (Array.UnitBytes == 0)
    return;
  std::map<Key, std::vector<const Use *>> Same;
  for (const Use &U : Uses)
    if (U.isDivided() && U.HasRange)
      Same[keyOf(U)].push_back(&U);
  for (auto &[Loop, Together] : Same)
    Known.emplace(Loop, range(Array, middle(std::move(Together))));
}

namespace {

/// Some memories give more than others, and it is known how much.
bool hasUnequalMemories(const Machine &On) {
  constexpr double Noticeable = 1.05;
  if (On.Bandwidths.empty())
    return false;
  double Least = On.bandwidth(0), Most = Least;
  for (size_t M = 1; M < On.memories(); ++M) {
    Least = std::min(Least, On.bandwidth(M));
    Most = std::max(Most, On.bandwidth(M));
  }
  return Most > Noticeable * Least;
}

/// Collects the policies that some use asks for, with their prices.
class CandidateCollector {
public:
  CandidateCollector(const ArrayDeclaration &Declared, const std::vector<Use> &All,
                     const Ranges &OfLoops, const Machine &Wanted)
      : Array(Declared), Uses(All), Parts(OfLoops), On(Wanted) {}

  /// Cheapest first; of equal ones that which is simpler.
  std::vector<Candidate> list() {
    addBlocks();
    if (listedUse(Uses))
      add({.What = Policy::Block});
    add({.What = Policy::Cyclic});
    if (Found.size() == 1) // No loop asks for rows: for comparison.
      add({.What = Policy::Block});
    for (const Use &U : Uses)
      addFor(U);
    addOwnRows();
    addFields();
    const EstimatedTraffic Sources(Array, Uses, On);
    addDistributions(Sources);
    if (isReadOnlyTable(Array, Uses))
      add({.What = Policy::Replicate});
    add({.What = Policy::LeaveAlone});
    if (isClearedBefore(Uses))
      add({.What = Policy::Local}).Filled = true;
    for (Candidate &C : Found)
      Sources.price(C);
    llvm::stable_sort(Found, advice::isBefore);
    return std::move(Found);
  }

private:
  Candidate &add(Alternative New) {
    const auto Known =
        llvm::find_if(Found, [&](const Candidate &C) { return identity(C) == identity(New); });
    return Known != Found.end() ? *Known : Found.emplace_back(std::move(New));
  }

  /// One for the range and team of each loop, the heaviest first; of all units where there is none.
  void addBlocks() {
    constexpr size_t Most = 8; // Programs with more disagree in details only.
    std::vector<const Use *> Regular;
    for (const Use &U : Uses)
      if (U.isDivided())
        Regular.push_back(&U);
    llvm::stable_sort(Regular, [](const Use *L, const Use *R) { return isHeavier(*L, *R); });
    for (const Use *U : Regular) {
      if (Found.size() >= Most)
        break;
      Alternative A{.What = Policy::Block, .Reversed = U->Reversed, .Team = U->Team};
      if (const Range Part = Parts.of(*U))
        std::tie(A.Before, A.Count) = *Part;
      add(A);
    }
  }

  void addFor(const Use &U) {
    if (U.How == Pattern::Across && U.InOrder && U.Dimension > 1 &&
        U.Dimension <= Array.Extents.size() && U.Dimension <= 3)
      add({.What = Policy::Block,
           .Dimension = U.Dimension - 1,
           .Reversed = U.Reversed,
           .Team = U.Team});
    if (U.How != Pattern::Scattered || U.Chunk <= 0)
      return;
    Alternative A{.What = Policy::BlockCyclic, .Reversed = U.Reversed, .Team = U.Team};
    A.Value = static_cast<uint64_t>(U.Chunk);
    if (U.HasRange && U.First > 0 && !Array.Extents.empty() &&
        static_cast<uint64_t>(U.First) < Array.Extents[0])
      A.Before = static_cast<uint64_t>(U.First);
    add(A);
  }

  /// Row by row in the order of the threads.
  void addOwnRows() {
    if (!wantsOwnRows(Array, Uses))
      return;
    Candidate &One = add({.What = Policy::BlockCyclic, .Value = 1});
    One.OfRows = One.OfThreads = isNumberedRow(Array);
    One.OfOwners = Array.Allocated && !One.OfRows;
  }

  /// Each of the fields that share a block is divided.
  void addFields() {
    std::vector<unsigned> Proportions = proportionsOfFields(Uses);
    const auto Divided = llvm::find_if(Uses, [](const Use &U) { return bool(U.InField); });
    if (!Proportions.empty())
      add({.What = Policy::Block,
           .Slices = static_cast<unsigned>(Proportions.size()),
           .SliceParts = std::move(Proportions),
           .Team = Divided->Team});
  }

  /// For pages that are distributed there is more than one order.
  void addDistributions(const EstimatedTraffic &Sources) {
    if (hasUnequalMemories(On))
      add({.What = Policy::Weighted});
    const std::set<unsigned> Receivers(On.Nearest.begin(), On.Nearest.end());
    if (Receivers.size() < 2 || !Sources.isStrided())
      return;
    add({.What = Policy::Skew});
    // On a machine not known any number of nodes up to the prime will do.
    constexpr uint64_t ForAny = 17;
    const bool Any = On.Cpus.empty();
    const uint64_t First = Any ? ForAny : primeAbove(Receivers.size());
    add({.What = Policy::Prime, .Value = First});
    if (!Any)
      add({.What = Policy::Prime, .Value = primeAbove(First)});
  }

  const ArrayDeclaration &Array;
  const std::vector<Use> &Uses;
  const Ranges &Parts;
  const Machine &On;
  std::vector<Candidate> Found;
};

} // namespace

std::vector<Candidate> mapp::collectCandidates(const ArrayDeclaration &Array,
                                               const std::vector<Use> &Uses, const Ranges &Parts,
                                               const Machine &On) {
  return CandidateCollector(Array, Uses, Parts, On).list();
}
