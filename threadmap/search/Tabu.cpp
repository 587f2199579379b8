//===-- Tabu.cpp - search on where every swap costs -------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What each swap of two items costs is kept in a table.  A swap changes all of these costs, each by
// one product, which follows from what the two share with the items and how far they are from them.
// Items are threads, then stand-ins for threads at free locations.
//
//===----------------------------------------------------------------------===//

#include "Tabu.h"

#include "Cost.h"

#include <algorithm>
#include <cmath>
#include <utility>

using namespace threadmap;

namespace {

constexpr uint32_t MostItems = 256;

class Tabu {
public:
  Tabu(const Matrix &Volumes, const Locations &From, const Map &Of, uint64_t Seed)
      : At(From), Threads(Volumes.threads()), Count(From.count()), Random(Seed), LocationOf(Of),
        Flow(size_t{Count} * Count, 0), Far(size_t{Count} * Count, 0),
        Change(size_t{Count} * Count, 0), Until(size_t{Count} * Count, 0), X(Count), Y(Count) {
    Volumes.forEachPair([&](uint32_t A, uint32_t B, double Volume) {
      Flow[index(A, B)] = Flow[index(B, A)] = Volume;
    });
    const std::vector<uint32_t> ThreadAt = threadsByLocation(At, Of);
    for (uint32_t A = 0; A < Count; ++A) {
      if (ThreadAt[A] == None)
        LocationOf.push_back(A);
      for (uint32_t B = 0; B < Count; ++B)
        Far[index(A, B)] = A == B ? 0 : At.weight(A, B);
    }
    for (uint32_t A = 1; A < Count; ++A)
      for (uint32_t B = 0; B < A; ++B)
        Change[index(A, B)] = changeOf(A, B);
  }

  /// The map at the least cost that it came by.
  Map run() {
    std::vector<uint32_t> Best = LocationOf;
    double Cost = 0, Least = 0; // against the map at the beginning
    const double Rounding = std::fabs(magnitude()) * 1e-12;
    for (Step = 1; Step <= steps(); ++Step) {
      const auto [A, B] = next(Least - Cost - Rounding);
      if (A == None)
        break;
      Cost += Change[index(A, B)];
      swap(A, B);
      if (Cost < Least - Rounding) {
        Least = Cost;
        Best = LocationOf;
      }
    }
    Best.resize(Threads);
    return Best;
  }

private:
  size_t index(uint32_t A, uint32_t B) const { return size_t{A} * Count + B; }

  /// As many as a tenth of a second or two has time for.
  uint64_t steps() const {
    constexpr uint64_t MostChanges = 250000000, MostOfItem = 2000;
    return std::min(MostOfItem * Count, MostChanges / (uint64_t{Count} * Count));
  }

  double magnitude() const {
    double Sum = 0;
    for (uint32_t A = 0; A < Threads; ++A)
      for (uint32_t B = 0; B < A; ++B)
        Sum += std::fabs(Flow[index(A, B)] * Far[index(LocationOf[A], LocationOf[B])]);
    return Sum;
  }

  double changeOf(uint32_t A, uint32_t B) const {
    const double *FlowA = &Flow[index(A, 0)], *FlowB = &Flow[index(B, 0)];
    const double *FarA = &Far[index(LocationOf[A], 0)], *FarB = &Far[index(LocationOf[B], 0)];
    double Sum = 0;
    for (uint32_t Other = 0; Other < Threads; ++Other)
      if (Other != A && Other != B)
        Sum += (FlowA[Other] - FlowB[Other]) * (FarB[LocationOf[Other]] - FarA[LocationOf[Other]]);
    return Sum;
  }

  /// Whether the contents of two locations may be exchanged without any cost.
  bool areAlike(uint32_t A, uint32_t B) const {
    return At.Owner[A] == At.Owner[B] && At.Domain[A] == At.Domain[B];
  }

  /// Whether both would come back to where they were.
  bool isTabu(uint32_t A, uint32_t B) const {
    return Until[index(A, LocationOf[B])] > Step && Until[index(B, LocationOf[A])] > Step;
  }

  /// The swap that costs least and is not tabu, or makes the cheapest map so far.
  /// @param Record what a swap costs less than that makes that map
  std::pair<uint32_t, uint32_t> next(double Record) const {
    std::pair<uint32_t, uint32_t> Best(None, None);
    double Least = HUGE_VAL;
    for (uint32_t A = 1; A < Count; ++A) {
      const double *Of = &Change[index(A, 0)];
      for (uint32_t B = 0; B < std::min(A, Threads); ++B)
        if (Of[B] < Least && !areAlike(LocationOf[A], LocationOf[B]) &&
            (Of[B] < Record || !isTabu(A, B))) {
          Least = Of[B];
          Best = {A, B};
        }
    }
    return Best;
  }

  void swap(uint32_t A, uint32_t B) {
    for (const uint32_t Each : {A, B})
      Until[index(Each, LocationOf[Each])] = Step + tenure();
    std::swap(LocationOf[A], LocationOf[B]);
    for (uint32_t Other = 0; Other < Count; ++Other) {
      X[Other] = Flow[index(A, Other)] - Flow[index(B, Other)];
      Y[Other] = Far[index(LocationOf[B], LocationOf[Other])] -
                 Far[index(LocationOf[A], LocationOf[Other])];
    }
    for (uint32_t First = 1; First < Count; ++First) {
      double *Of = &Change[index(First, 0)];
      const double OwnX = X[First], OwnY = Y[First];
      for (uint32_t Second = 0; Second < First; ++Second)
        Of[Second] += (OwnX - X[Second]) * (OwnY - Y[Second]);
    }
    for (uint32_t Other = 0; Other < Count; ++Other)
      for (const uint32_t Each : {A, B})
        if (Other != Each)
          Change[index(std::max(Each, Other), std::min(Each, Other))] = changeOf(Each, Other);
  }

  /// At random, so that the search does not go in circles.
  uint64_t tenure() { return Count * 9 / 10 + below(Count / 5 + 2, Random); }

  const Locations &At;
  uint32_t Threads, Count;
  std::mt19937_64 Random;
  std::vector<uint32_t> LocationOf; ///< by item: its location
  std::vector<double> Flow;         ///< between items
  std::vector<double> Far;          ///< between locations
  std::vector<double> Change;       ///< by item and one before it: what their swap costs
  std::vector<uint64_t> Until; ///< by item and location: the step up to which it may not return
  std::vector<double> X, Y;    ///< by item: how much more the first shares with it, and is nearer
  uint64_t Step = 0;
};

} // namespace

Map threadmap::tabuMap(const Matrix &Volumes, const Locations &At, const Map &Of, uint64_t Seed) {
  const bool IsFree =
      std::all_of(At.AtLeast.begin(), At.AtLeast.end(), [](uint32_t Least) { return Least == 0; });
  if (At.count() > MostItems || !At.Domains || (Of.size() < At.count() && !IsFree))
    return Of;
  const Map Found = Tabu(Volumes, At, Of, Seed).run();
  return costOf(Volumes, At, Found) < costOf(Volumes, At, Of) ? Found : Of;
}
