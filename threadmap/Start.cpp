//===-- Start.cpp - maps with threads on preferred CPUs -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Start.h"

#include "threadmap/search/Cost.h"
#include "threadmap/search/Exchange.h"
#include "threadmap/search/Refine.h"
#include "threadmap/search/Tabu.h"

#include <algorithm>
#include <map>
#include <numeric>

using namespace threadmap;

namespace {

class Starter {
public:
  Starter(const Locations &From, uint32_t Threads)
      : At(From), Of(Threads, None), Taken(From.count(), false), Missing(From.AtLeast),
        Needed(std::accumulate(Missing.begin(), Missing.end(), 0U)), Left(Threads) {
    for (uint32_t Location = 0; Location < At.count(); ++Location)
      OfCpu[At.Cpu[Location]].push_back(Location);
  }

  Map run(const std::vector<Fixed> &Preferred) {
    for (const auto &[Thread, Cpu] : Preferred)
      for (const uint32_t Location : OfCpu[Cpu])
        if (Of[Thread] == None && isAllowed(Location))
          take(Thread, Location);
    uint32_t Location = 0;
    for (uint32_t Thread = 0; Thread < Of.size(); ++Thread)
      if (Of[Thread] == None) {
        while (!isAllowed(Location))
          Location = (Location + 1) % At.count();
        take(Thread, Location);
      }
    return std::move(Of);
  }

private:
  /// Whether it is free, and enough threads are left for those that must be taken.
  bool isAllowed(uint32_t Location) const {
    return !Taken[Location] && (Missing[At.Unit[Location]] > 0 || Left > Needed);
  }

  void take(uint32_t Thread, uint32_t Location) {
    uint32_t &OfUnit = Missing[At.Unit[Location]];
    Needed -= OfUnit > 0;
    OfUnit -= OfUnit > 0;
    Taken[Location] = true;
    Of[Thread] = Location;
    --Left;
  }

  const Locations &At;
  Map Of;
  std::vector<bool> Taken;       ///< by location
  std::vector<uint32_t> Missing; ///< by unit: how many of its locations must still be taken
  uint32_t Needed;               ///< their sum
  uint32_t Left;                 ///< threads without a location
  std::map<uint32_t, std::vector<uint32_t>> OfCpu; ///< locations
};

} // namespace

Map threadmap::mapWith(const Locations &At, uint32_t Threads, const std::vector<Fixed> &Preferred) {
  return Starter(At, Threads).run(Preferred);
}

std::vector<Fixed> threadmap::fixedBy(const Locations &At, const Map &Of) {
  std::vector<Fixed> Result;
  for (uint32_t Thread = 0; Thread < Of.size(); ++Thread)
    Result.emplace_back(Thread, At.Cpu[Of[Thread]]);
  return Result;
}

Map threadmap::mapByHand(const Matrix &Volumes, const Locations &At,
                         const std::vector<Fixed> &Wanted, const std::vector<Fixed> &From,
                         const Crowding *By, uint64_t Seed) {
  const uint32_t Threads = Volumes.threads();
  std::vector<bool> Held(Threads, false);
  for (const auto &[Thread, Cpu] : Wanted)
    Held[Thread] = true;
  std::vector<std::vector<Fixed>> Starts = {From};
  if (From.empty()) {
    Locations Levels = At;
    Levels.Domains = 0;
    Starts = {fixedBy(At, refinedMap(Volumes, Levels, Seed)), fixedBy(At, compactMap(At, Threads))};
    if (By)
      Starts.push_back(fixedBy(At, scatteredMap(At, Threads)));
  }
  const auto Price = [&](const Map &Of) {
    const double Cost = costOf(Volumes, At, Of);
    return By ? By->priced(Cost, Of) : Cost;
  };
  Map Best;
  for (const std::vector<Fixed> &Start : Starts) {
    std::vector<Fixed> Preferred = Wanted;
    Preferred.insert(Preferred.end(), Start.begin(), Start.end());
    const Map First = mapWith(At, Threads, Preferred);
    Map Of = exchanged(Volumes, At, First, Seed, Held, By);
    if (Wanted.empty() && !By)
      Of = tabuMap(Volumes, At, Of, Seed);
    if (!From.empty() && Price(Of) >= Price(First) * (1 - 1e-12))
      Of = First; // Nobody wants threads elsewhere for nothing.
    if (Best.empty() || Price(Of) < Price(Best))
      Best = std::move(Of);
  }
  return Best;
}

Map threadmap::mapWithSiblings(const Matrix &Volumes, const Locations &At, const Locations &Apart,
                               const std::vector<Fixed> &Wanted, const std::vector<Fixed> &From,
                               const Crowding &By, uint64_t Seed) {
  Map Best = mapByHand(Volumes, At, Wanted, From, &By, Seed);
  const std::vector<Fixed> Usual =
      fixedBy(Apart, mapByHand(Volumes, Apart, Wanted, From, nullptr, Seed));
  const auto Price = [&](const Map &Of) { return By.priced(costOf(Volumes, At, Of), Of); };
  for (Map Of :
       {mapWith(At, Volumes.threads(), Usual), mapByHand(Volumes, At, Wanted, Usual, &By, Seed)})
    if (Price(Of) < Price(Best))
      Best = std::move(Of);
  return Best;
}
