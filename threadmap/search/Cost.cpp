//===-- Cost.cpp - what a map costs, and maps to compare with ---*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Cost.h"

#include <algorithm>
#include <numeric>

using namespace threadmap;

namespace {

/// The threads of a map in the order of their locations; a range of locations has a range of them.
class Line {
public:
  Line(const Locations &At, const Map &Of) : Before(At.count() + size_t{1}, 0) {
    const std::vector<uint32_t> ThreadAt = threadsByLocation(At, Of);
    for (uint32_t Location = 0; Location < At.count(); ++Location) {
      if (ThreadAt[Location] != None)
        Threads.push_back(ThreadAt[Location]);
      Before[Location + size_t{1}] = static_cast<uint32_t>(Threads.size());
    }
  }

  /// What a thread shares with those in a range of locations.
  double sumOver(const double *Row, uint32_t Begin, uint32_t End) const {
    double Sum = 0;
    for (uint32_t I = Before[Begin]; I < Before[End]; ++I)
      Sum += Row[Threads[I]];
    return Sum;
  }

private:
  std::vector<uint32_t> Before; ///< by location: how many threads are before it
  std::vector<uint32_t> Threads;
};

/// The locations that must be taken, and one choice of as many others as there are threads left.
struct Choice {
  std::vector<uint32_t> Needed, Spare;
};

Choice neededAndSpare(const Locations &At, const std::vector<uint32_t> &Order) {
  std::vector<uint32_t> Missing = At.AtLeast;
  Choice Result;
  for (const uint32_t Location : Order) {
    uint32_t &Left = Missing[At.Unit[Location]];
    (Left ? Result.Needed : Result.Spare).push_back(Location);
    Left -= Left > 0;
  }
  return Result;
}

std::vector<uint32_t> numbersBelow(uint32_t Count) {
  std::vector<uint32_t> Result(Count);
  std::iota(Result.begin(), Result.end(), 0);
  return Result;
}

/// The locations of a part, each as far as possible from the ones before it.
std::vector<uint32_t> scatteredLocations(const Locations &At, uint32_t Index) {
  const Locations::Part &Part = At.Parts[Index];
  std::vector<uint32_t> Result;
  if (Part.Children.empty()) {
    for (uint32_t Location = Part.Begin; Location < Part.End; ++Location)
      Result.push_back(Location);
    return Result;
  }
  std::vector<std::vector<uint32_t>> OfChildren;
  for (const uint32_t Child : Part.Children)
    OfChildren.push_back(scatteredLocations(At, Child));
  for (size_t Round = 0; Result.size() < Part.End - Part.Begin; ++Round)
    for (const std::vector<uint32_t> &Locations : OfChildren)
      if (Round < Locations.size())
        Result.push_back(Locations[Round]);
  return Result;
}

/// Which locations a random map takes: those that must be taken, and of the others each equally
/// likely.
class Chances {
public:
  Chances(const Locations &From, uint32_t Threads) : At(From), IsSpare(From.count(), false) {
    const Choice Locations = neededAndSpare(At, numbersBelow(At.count()));
    for (const uint32_t Location : Locations.Spare)
      IsSpare[Location] = true;
    const auto Spare = static_cast<double>(Locations.Spare.size());
    const double Taken = Threads - static_cast<double>(Locations.Needed.size());
    One = Spare > 0 ? Taken / Spare : 0;
    Two = Spare > 1 ? One * (Taken - 1) / (Spare - 1) : 0;
  }

  /// Over all pairs of locations: their distance x the chance that both are taken.
  double sumOfDistances() const {
    double Sum = 0;
    if (At.Domains) {
      for (uint32_t A = 0; A < At.count(); ++A)
        for (uint32_t B = 0; B < A; ++B)
          Sum += At.weight(A, B) *
                 pairs({!IsSpare[A] + !IsSpare[B] + 0.0, IsSpare[A] + IsSpare[B] + 0.0});
      return Sum;
    }
    std::vector<Count> Of(At.Parts.size());
    for (size_t Index = At.Parts.size(); Index-- > 0;) {
      const Locations::Part &Part = At.Parts[Index];
      double Inside = 0;
      for (const uint32_t Child : Part.Children) {
        Of[Index].Needed += Of[Child].Needed;
        Of[Index].Spare += Of[Child].Spare;
        Inside += pairs(Of[Child]);
      }
      for (uint32_t I = Part.Begin; Part.Children.empty() && I < Part.End; ++I)
        (IsSpare[I] ? Of[Index].Spare : Of[Index].Needed) += 1;
      Sum += Part.Weight * (pairs(Of[Index]) - Inside);
    }
    return Sum;
  }

private:
  struct Count {
    double Needed = 0, Spare = 0;
  };

  /// How many pairs of so many locations are taken, in the mean.
  double pairs(const Count &Of) const {
    return Of.Needed * (Of.Needed - 1) / 2 + One * Of.Needed * Of.Spare +
           Two * Of.Spare * (Of.Spare - 1) / 2;
  }

  const Locations &At;
  std::vector<bool> IsSpare; ///< by location
  double One = 0, Two = 0;   ///< the chance of a spare location, and of two
};

double costByPairs(const Matrix &Volumes, const Locations &At, const Map &Of) {
  double Cost = 0;
  Volumes.forEachPair(
      [&](uint32_t A, uint32_t B, double Volume) { Cost += Volume * At.weight(Of[A], Of[B]); });
  return Cost;
}

} // namespace

double threadmap::costOf(const Matrix &Volumes, const Locations &At, const Map &Of) {
  if (At.Domains || !Volumes.isFull())
    return costByPairs(Volumes, At, Of);
  const Line Threads(At, Of);
  double Cost = 0;
  for (uint32_t Thread = 0; Thread < Of.size(); ++Thread) {
    const double *Row = Volumes.row(Thread);
    // The diagonal is 0, so a thread adds nothing to the part that is its own location.
    uint32_t Begin = Of[Thread], End = Begin;
    for (uint32_t Index = At.Owner[Of[Thread]];; Index = At.Parts[Index].Parent) {
      const Locations::Part &Part = At.Parts[Index];
      Cost += Part.Weight *
              (Threads.sumOver(Row, Part.Begin, Begin) + Threads.sumOver(Row, End, Part.End));
      Begin = Part.Begin;
      End = Part.End;
      if (Index == 0)
        break;
    }
  }
  return Cost / 2; // Each pair was counted from both sides.
}

double threadmap::meanCost(const Matrix &Volumes, const Locations &At) {
  const uint32_t Threads = Volumes.threads();
  if (Threads < 2)
    return 0;
  double Total = 0;
  for (uint32_t Thread = 0; Thread < Threads; ++Thread)
    Volumes.forEach(Thread, [&](uint32_t, double Volume) { Total += Volume; });
  const double Pairs = Threads * (Threads - 1.0);
  return Total / Pairs * Chances(At, Threads).sumOfDistances();
}

bool threadmap::isValid(const Locations &At, const Map &Of) {
  std::vector<uint32_t> Missing = At.AtLeast;
  std::vector<bool> Taken(At.count());
  for (const uint32_t Location : Of) {
    if (Location >= At.count() || Taken[Location])
      return false;
    Taken[Location] = true;
    uint32_t &Left = Missing[At.Unit[Location]];
    Left -= Left > 0;
  }
  return std::all_of(Missing.begin(), Missing.end(), [](uint32_t Left) { return Left == 0; });
}

Map threadmap::compactMap(const Locations &At, uint32_t Threads) {
  Choice Locations = neededAndSpare(At, numbersBelow(At.count()));
  Map Result = std::move(Locations.Needed);
  Result.insert(Result.end(), Locations.Spare.begin(),
                Locations.Spare.begin() + static_cast<ptrdiff_t>(Threads - Result.size()));
  std::sort(Result.begin(), Result.end());
  return Result;
}

Map threadmap::scatteredMap(const Locations &At, uint32_t Threads) {
  Choice Locations = neededAndSpare(At, scatteredLocations(At, 0));
  Map Result = std::move(Locations.Needed);
  Result.insert(Result.end(), Locations.Spare.begin(), Locations.Spare.end());
  Result.resize(Threads);
  return Result;
}

Map threadmap::randomMap(const Locations &At, uint32_t Threads, std::mt19937_64 &Random) {
  Choice Locations = neededAndSpare(At, numbersBelow(At.count()));
  shuffle(Locations.Spare, Random);
  Map Result = std::move(Locations.Needed);
  Result.insert(Result.end(), Locations.Spare.begin(), Locations.Spare.end());
  Result.resize(Threads);
  shuffle(Result, Random);
  return Result;
}

uint32_t threadmap::below(uint32_t Bound, std::mt19937_64 &Random) {
  return static_cast<uint32_t>((Random() >> 32) * Bound >> 32);
}
