//===-- Placing.cpp - which memory has which part of an array ---*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Placing.h"

#include <algorithm>

using namespace advice;

double Shape::units() const {
  return UnitBytes == 0
             ? 1
             : std::max(1.0, static_cast<double>(Bytes) / static_cast<double>(UnitBytes));
}

/// Which part of the range lies in front of a position in the team.
static double before(const std::vector<unsigned> &Shares, double Position) {
  if (Shares.empty())
    return Position;
  double Sum = 0, Before = 0;
  for (size_t I = 0; I < Shares.size(); ++I) {
    const double Part = std::clamp(
        Position * static_cast<double>(Shares.size()) - static_cast<double>(I), 0.0, 1.0);
    Before += Part * Shares[I];
    Sum += Shares[I];
  }
  return Before / Sum;
}

/// Units that are divided.
static double count(const Alternative &A, const Shape &Array) {
  if (A.FilledParts > 0)
    return Array.units() * A.FilledParts / PartsOfArray;
  return A.Count > 0 ? static_cast<double>(A.Count) : Array.units() - static_cast<double>(A.Before);
}

Segments advice::blocks(const Alternative &A, const Shape &Array, Segments Team) {
  const auto Before = static_cast<double>(A.Before);
  const double Count = count(A, Array);
  for (Segment &S : Team) {
    const double First = before(A.Shares, S.Begin), Last = before(A.Shares, S.End);
    S.Begin = Before + (A.Reversed ? 1 - Last : First) * Count;
    S.End = Before + (A.Reversed ? 1 - First : Last) * Count;
  }
  (A.Reversed ? Team.back() : Team.front()).Begin = 0;
  (A.Reversed ? Team.front() : Team.back()).End = Array.units();
  return Team;
}

/// All to one memory, in proportion to their bandwidths, or as much to each that is nearest to a
/// node.
static Shares distributed(const Alternative &A, const Machine &On) {
  Shares Result(On.memories(), 0);
  if (A.What == Policy::Bind)
    Result[A.Value] = 1;
  else if (A.What == Policy::Weighted)
    for (size_t M = 0; M < Result.size(); ++M)
      Result[M] = On.bandwidth(M);
  else
    for (const unsigned Memory : On.Nearest)
      Result[Memory] = 1;
  double Sum = 0;
  for (const double Share : Result)
    Sum += Share;
  for (double &Share : Result)
    Share /= Sum;
  return Result;
}

Shares advice::placed(const Alternative &A, const Shape &Array, const Machine &On,
                      const Segments &Team) {
  if (!isRows(A))
    return distributed(A, On);
  Shares Result(On.memories(), 0);
  for (const Segment &S : blocks(A, Array, Team))
    Result[On.Nearest[S.Node]] += (S.End - S.Begin) / Array.units();
  return Result;
}

bool advice::fits(const Alternative &A, const Shares &Placed, const Shape &Array,
                  const Machine &On) {
  const double Copies = A.What == Policy::Replicate ? 1 : 0;
  for (size_t M = 0; M < On.memories(); ++M)
    if (On.MemoryBytes[M] > 0 &&
        std::max(Placed[M], Copies) * static_cast<double>(Array.Bytes) > On.MemoryBytes[M])
      return false;
  return true;
}
