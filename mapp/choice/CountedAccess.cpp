//===-- CountedAccess.cpp - counts as the advisor takes them ----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CountedAccess.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace mapp;

/// The team that the counted threads are; 0: the default one. Where all loops have teams of their
/// own, the greatest of these was counted.
static int64_t countedTeam(const std::vector<Use> &Uses) {
  int64_t Team = 0;
  for (const Use &U : Uses) {
    if (U.How == Pattern::OneThread)
      continue;
    if (U.Team == 0)
      return 0;
    Team = std::max(Team, U.Team);
  }
  return Team;
}

/// Of what threads do in common, how much the sources show to go over the array in order; where
/// they show nothing, all of it.
static double sweepingPart(const std::vector<Use> &Uses) {
  double Sweeping = 0, Jumping = 0;
  for (const Use &U : Uses)
    if (U.How == Pattern::Indirect || U.How == Pattern::SomeThread)
      Jumping += U.Bytes;
    else if (U.How != Pattern::OneThread && !U.isDivided() && U.How != Pattern::PerThread)
      Sweeping += U.Bytes;
  return Sweeping + Jumping > 0 ? Sweeping / (Sweeping + Jumping) : 1;
}

/// The extents that the array may have had when it had so many bytes: the slowest was another, or
/// all were in proportion.
static std::vector<uint64_t> rowBytes(const Counted &Known, const ArrayDeclaration &Array) {
  const uint64_t Then = Known.Counts.largestBytes();
  if (Known.RowBytes > 0)
    return {Known.RowBytes};
  if (Array.Allocated) // Where it has rows they are those of the run.
    return {};
  if (Array.Bytes == 0 || Array.UnitBytes == 0 || Array.Extents.empty() || Then == 0)
    return {};
  if (Array.Extents.size() == 1 || Then == Array.Bytes)
    return {Array.UnitBytes};
  std::vector<uint64_t> Result;
  if (Then % Array.UnitBytes == 0 && Then / Array.UnitBytes >= Known.Counts.threads())
    Result.push_back(Array.UnitBytes);
  const double Scale = std::pow(static_cast<double>(Then) / static_cast<double>(Array.Bytes),
                                1 / static_cast<double>(Array.Extents.size()));
  uint64_t Product = Array.Bytes, Row = 1;
  for (const uint64_t Extent : Array.Extents)
    Product /= Extent; // What is left is an element.
  for (size_t I = 0; I < Array.Extents.size(); ++I) {
    const auto Extent =
        static_cast<uint64_t>(std::llround(static_cast<double>(Array.Extents[I]) * Scale));
    Product *= Extent;
    if (I == 0)
      Row = Extent;
  }
  if (Product == Then && Row > 0)
    Result.push_back(Then / Row);
  return Result;
}

/// How many rows there were, at least: of what is known of its lines, too.
static double rows(const Counted &Known, const ArrayDeclaration &Array,
                   const std::vector<uint64_t> &Possible) {
  constexpr uint64_t Short = 16; // Such extents are vectors at each point and do not grow.
  const auto Bytes = static_cast<double>(Known.Counts.largestBytes());
  double Row = static_cast<double>(Known.Run->Profile.LineBytes);
  for (const uint64_t One : Possible)
    Row = std::max(Row, static_cast<double>(One));
  const auto Growing = llvm::count_if(Array.Extents, [](uint64_t E) { return E >= Short; });
  if (Possible.empty() && Growing > 1 && Array.Bytes > 0) {
    const double Scale =
        std::pow(Bytes / static_cast<double>(Array.Bytes), 1 / static_cast<double>(Growing));
    Row = std::max(Row, Bytes / (Scale * static_cast<double>(Array.Extents[0])));
  }
  return std::max(1.0, Bytes / Row);
}

advice::Access mapp::accessOf(const Counted &Known, const ArrayDeclaration &Array,
                              const std::vector<Use> &Uses, const EstimatedTraffic &Sources,
                              const Machine &On) {
  const int64_t Team = countedTeam(Uses);
  advice::Access Result(Known.Counts, On, On.segments(Team), Known.Counts.threads());
  Result.Team = Team;
  Result.BytesEach = Known.bytesEach();
  Result.Sweeping = sweepingPart(Uses);
  Result.LeftAlone = Sources.placed({.What = Policy::LeaveAlone});
  Result.RowBytes = rowBytes(Known, Array);
  Result.Rows = rows(Known, Array, Result.RowBytes);
  return Result;
}
