//===-- Greedy.cpp - fill one part after the other --------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Construct.h"

#include "threadmap/machine/Near.h"
#include "threadmap/machine/TakenLocations.h"

#include <algorithm>
#include <numeric>

using namespace threadmap;

namespace {

class Greedy {
public:
  Greedy(const Matrix &M, const Locations &P)
      : Volumes(M), At(P), Of(M.threads(), None), Taken(P, nearLocations(P, M.threads())) {}

  Map run() {
    std::vector<uint32_t> All(Volumes.threads());
    std::iota(All.begin(), All.end(), 0);
    fill(0, std::move(All));
    return std::move(Of);
  }

private:
  void fill(uint32_t Index, std::vector<uint32_t> Threads) {
    const Locations::Part &Part = At.Parts[Index];
    if (Part.Children.empty()) {
      Taken.forEach(Part,
                    [&, Next = 0U](uint32_t Location) mutable { Of[Threads[Next++]] = Location; });
      return;
    }
    for (const uint32_t Child : Part.Children)
      if (const uint32_t Count = Taken.countIn(At.Parts[Child]))
        fill(Child, takeGroup(Threads, Count));
  }

  /// Takes a group out of the threads, beginning with the one that shares most.
  std::vector<uint32_t> takeGroup(std::vector<uint32_t> &Threads, uint32_t Count) const {
    std::vector<uint32_t> Group;
    std::vector<bool> IsLeft(Volumes.threads(), false);
    for (const uint32_t Thread : Threads)
      IsLeft[Thread] = true;
    std::vector<double> Shared(Volumes.threads(), 0);
    for (const uint32_t Thread : Threads)
      Volumes.forEach(Thread, [&](uint32_t Other, double Volume) {
        Shared[Thread] += IsLeft[Other] ? Volume : 0;
      });
    while (Group.size() < Count) {
      const auto Best =
          std::max_element(Threads.begin(), Threads.end(),
                           [&](uint32_t A, uint32_t B) { return Shared[A] < Shared[B]; });
      const uint32_t Chosen = *Best;
      Threads.erase(Best);
      if (Group.empty())
        std::fill(Shared.begin(), Shared.end(), 0);
      Group.push_back(Chosen);
      Volumes.forEach(Chosen, [&](uint32_t Other, double Volume) { Shared[Other] += Volume; });
    }
    return Group;
  }

  const Matrix &Volumes;
  const Locations &At;
  Map Of;
  TakenLocations Taken;
};

} // namespace

Map threadmap::greedyMap(const Matrix &Volumes, const Locations &At) {
  return Greedy(Volumes, At).run();
}
