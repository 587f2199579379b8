//===-- Algorithm.cpp - from a matrix to a map ------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Algorithm.h"

#include "Arrange.h"
#include "Canonical.h"
#include "Cost.h"
#include "Exact.h"
#include "Exchange.h"
#include "Refine.h"
#include "Tabu.h"
#include "threadmap/machine/Fewer.h"

#include <algorithm>
#include <utility>

using namespace threadmap;

namespace {

constexpr std::pair<Algorithm, const char *> Names[] = {{Algorithm::Refine, "refine"},
                                                        {Algorithm::Matching, "matching"},
                                                        {Algorithm::Greedy, "greedy"},
                                                        {Algorithm::Scotch, "scotch"}};

/// The greatest volume less each volume: Scotch takes no negative ones.
Matrix complement(const Matrix &Volumes) {
  double Greatest = 0;
  Volumes.forEachPair(
      [&](uint32_t, uint32_t, double Volume) { Greatest = std::max(Greatest, Volume); });
  Matrix Result(Volumes.threads());
  for (uint32_t A = 0; A < Volumes.threads(); ++A)
    for (uint32_t B = 0; B < A; ++B)
      Result.set(A, B, Greatest - Volumes(A, B));
  return Result;
}

/// @param MayProve whether a proof is worth its time
Map cheapest(const Matrix &Volumes, const Locations &At, Algorithm How, uint64_t Seed,
             double Effort, bool MayProve) {
  uint32_t Moved = 0;
  switch (How) {
  case Algorithm::Matching:
    return matchingMap(Volumes, At);
  case Algorithm::Greedy:
    return greedyMap(Volumes, At);
  case Algorithm::Scotch:
    return scotchMap(Volumes, At, ScotchStrategy::Default, Seed, Moved);
  case Algorithm::Refine:
    break;
  }
  return MayProve && hasExactMap(Volumes, At) ? exactMap(Volumes, At)
                                              : refinedMap(Volumes, At, Seed, Effort);
}

} // namespace

const char *threadmap::nameOf(Algorithm How) {
  return std::find_if(std::begin(Names), std::end(Names),
                      [&](const auto &Entry) { return Entry.first == How; })
      ->second;
}

namespace {

/// The cheapest map that a search finds, whatever the numbers of the threads; but no dearer than
/// the maps to compare with, for which the numbers count.
template <typename Function>
Map canonical(const Matrix &Volumes, const Locations &At, const Function &Search) {
  const uint32_t Threads = Volumes.threads();
  const std::vector<uint32_t> Order = canonicalOrder(Volumes);
  Map Best(Threads);
  const Map Of = Search(ordered(Volumes, Order));
  for (uint32_t Thread = 0; Thread < Threads; ++Thread)
    Best[Order[Thread]] = Of[Thread];
  double Least = costOf(Volumes, At, Best);
  for (Map Other : {compactMap(At, Threads), scatteredMap(At, Threads)})
    if (const double Cost = costOf(Volumes, At, Other); Cost < Least) {
      Least = Cost;
      Best = std::move(Other);
    }
  return Best;
}

/// By the levels of the machine: parts that no cheapest (dearest) map needs are left out.
Map mapByLevels(const Matrix &Volumes, const Matrix &Searched, const Locations &At, Algorithm How,
                bool Worst, uint64_t Seed, double Effort) {
  const FewerLocations On = fewerLocations(At, Volumes.threads(), Worst);
  const auto Search = [&](const Matrix &Of) {
    return cheapest(Of, On.Few, How, Seed, Effort, !Worst);
  };
  Map Of = How == Algorithm::Refine ? canonical(Searched, On.Few, Search) : Search(Searched);
  arrange(Volumes, On.Few, Of);
  for (uint32_t &Location : Of)
    Location = On.Whole[Location];
  return Of;
}

/// By distances: from the map by levels, whose costs are near to them, and from others.
Map searchedByDistances(const Matrix &Volumes, const Locations &At, uint64_t Seed, double Effort) {
  Locations Levels = At;
  Levels.Domains = 0;
  Map Best = refinedMap(Volumes, Levels, Seed, Effort);
  Best = exchanged(Volumes, At, std::move(Best), Seed);
  for (const Map &Start :
       {compactMap(At, Volumes.threads()), scatteredMap(At, Volumes.threads())}) {
    Map Of = exchanged(Volumes, At, Start, Seed);
    if (costOf(Volumes, At, Of) < costOf(Volumes, At, Best))
      Best = std::move(Of);
  }
  return tabuMap(Volumes, At, Best, Seed);
}

Map mapByDistances(const Matrix &Volumes, const Matrix &Searched, const Locations &At,
                   Algorithm How, uint64_t Seed, double Effort) {
  if (How != Algorithm::Refine) {
    Locations Levels = At;
    Levels.Domains = 0;
    return cheapest(Searched, Levels, How, Seed, Effort, /*MayProve=*/false);
  }
  Map Best = canonical(Searched, At,
                       [&](const Matrix &Of) { return searchedByDistances(Of, At, Seed, Effort); });
  arrange(Volumes, At, Best);
  return Best;
}

} // namespace

Map threadmap::mapOf(const Matrix &Volumes, const Locations &At, Algorithm How, bool Worst,
                     uint64_t Seed, double Effort) {
  const bool Turned = Worst && How != Algorithm::Scotch;
  const Matrix Searched = Turned ? negated(Volumes) : Worst ? complement(Volumes) : Volumes;
  return At.Domains ? mapByDistances(Volumes, Searched, At, How, Seed, Effort)
                    : mapByLevels(Volumes, Searched, At, How, Worst, Seed, Effort);
}
