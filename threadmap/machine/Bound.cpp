//===-- Bound.cpp - what every map costs at least ---------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Bound.h"

#include "Assignment.h"

#include <algorithm>
#include <functional>
#include <map>

using namespace threadmap;

namespace {

/// How many other locations are at each distance from one, the nearest first.
using Surroundings = std::vector<std::pair<double, uint32_t>>;

Surroundings ordered(const std::map<double, uint32_t> &Count) {
  Surroundings Result;
  for (const auto &[Distance, Locations] : Count)
    if (Locations)
      Result.emplace_back(Distance, Locations);
  return Result;
}

Surroundings around(const Locations &At, uint32_t Location) {
  std::map<double, uint32_t> Count;
  if (At.Domains) {
    for (uint32_t Other = 0; Other < At.count(); ++Other)
      if (Other != Location)
        ++Count[At.weight(Location, Other)];
    return ordered(Count);
  }
  uint32_t Inside = 1;
  for (uint32_t Index = At.Owner[Location];; Index = At.Parts[Index].Parent) {
    const uint32_t Here = At.Parts[Index].End - At.Parts[Index].Begin;
    Count[At.Parts[Index].Weight] += Here - Inside;
    Inside = Here;
    if (Index == 0)
      return ordered(Count);
  }
}

/// Locations that see the machine alike.
struct Kinds {
  std::vector<Surroundings> Of;
  std::vector<uint32_t> Count;
};

Kinds kindsOf(const Locations &At) {
  std::map<Surroundings, uint32_t> Known;
  for (uint32_t Location = 0; Location < At.count(); ++Location)
    ++Known[around(At, Location)];
  Kinds Result;
  for (const auto &[Of, Count] : Known) {
    Result.Of.push_back(Of);
    Result.Count.push_back(Count);
  }
  return Result;
}

/// What a thread pays at least, by kind of location.
std::vector<double> leastOf(const Matrix &Volumes, uint32_t Thread, const Kinds &All) {
  std::vector<double> Sums;
  Volumes.forEach(Thread, [&](uint32_t, double Volume) {
    if (Volume > 0)
      Sums.push_back(Volume);
  });
  std::sort(Sums.begin(), Sums.end(), std::greater<>());
  for (size_t I = 1; I < Sums.size(); ++I)
    Sums[I] += Sums[I - 1];
  const auto SumOf = [&](size_t First) { return First ? Sums[First - 1] : 0; };
  std::vector<double> Result;
  for (const Surroundings &Of : All.Of) {
    double Cost = 0;
    size_t Done = 0;
    for (const auto &[Distance, Count] : Of) {
      const size_t Next = std::min(Sums.size(), Done + Count);
      Cost += Distance * (SumOf(Next) - SumOf(Done));
      Done = Next;
    }
    Result.push_back(Cost);
  }
  return Result;
}

} // namespace

double threadmap::lowerBound(const Matrix &Volumes, const Locations &At) {
  constexpr size_t MostAssigned = 1 << 16; // threads x locations, for a few ms
  const Kinds All = kindsOf(At);
  const bool Assigns = All.Of.size() > 1 && size_t{Volumes.threads()} * At.count() <= MostAssigned;
  std::vector<std::vector<double>> Cost;
  double Sum = 0;
  for (uint32_t Thread = 0; Thread < Volumes.threads(); ++Thread) {
    const std::vector<double> Least = leastOf(Volumes, Thread, All);
    Sum += *std::min_element(Least.begin(), Least.end());
    if (!Assigns)
      continue;
    Cost.emplace_back();
    for (size_t Kind = 0; Kind < Least.size(); ++Kind)
      Cost.back().insert(Cost.back().end(), All.Count[Kind], Least[Kind]);
  }
  return (Assigns ? Assignment(std::move(Cost)).run() : Sum) / 2; // each pair counts for both
}
