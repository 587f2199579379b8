//===-- Division.cpp - which threads have which part of an array *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Division.h"

#include "Alternative.h"

#include <algorithm>
#include <cmath>

using namespace advice;

/// Whether the first threads have parts of one length and the others shorter ones, by what may be a
/// row: if so many of these make a part.
std::optional<Division::Rounding>
Division::rounding(uint32_t Cells, const std::vector<uint32_t> &Ends, bool Backwards) {
  constexpr double Exact = 1.5; // Lines end within rows, and cells within lines.
  if (Ends.size() < 2)
    return std::nullopt;
  const auto Length = [&](size_t Thread) {
    const size_t Piece = Backwards ? Ends.size() - 1 - Thread : Thread;
    return static_cast<double>(Ends[Piece] - (Piece == 0 ? 0 : Ends[Piece - 1]));
  };
  const double Longest = Length(0), Shortest = Length(Ends.size() - 1);
  const double Row = Longest - Shortest;
  if (Row <= 2 * Exact || Shortest <= 0 || Ends.back() != Cells)
    return std::nullopt;
  bool IsShort = false;
  for (size_t Thread = 0; Thread < Ends.size(); ++Thread) {
    IsShort |= std::abs(Length(Thread) - Longest) > Exact;
    if (IsShort && std::abs(Length(Thread) - Shortest) > Exact)
      return std::nullopt;
  }
  const double Least = (Shortest - Exact) / (Row + 2 * Exact);
  const double Most = (Shortest + Exact) / (Row - 2 * Exact);
  const double Whole = std::max(1.0, std::ceil(Least));
  return Whole <= Most ? std::optional(Rounding{Row, std::max(1.0, std::round(Shortest / Row))})
                       : std::nullopt;
}

/// What is used, up to the ends of the array where nearly all is.
std::pair<uint32_t, uint32_t> Division::used(const maiprof::ArrayCounts &Counts, double RowCells) {
  const uint32_t Noticeable =
      std::max({1U, Counts.cells() / 32, static_cast<uint32_t>(2 * RowCells)});
  auto [First, Last] = Counts.used();
  if (First <= Noticeable)
    First = 0;
  if (Last + Noticeable >= Counts.cells())
    Last = Counts.cells();
  return {First, Last};
}

/// The threads use more of their own by a division with the last thread first.
static bool goesBackwards(const maiprof::ArrayCounts &Counts) {
  return Counts.ownPart(Counts.bestDivision(true), true) > Counts.ownPart(Counts.bestDivision());
}

Division::Division(const maiprof::ArrayCounts &Counted, double RowPart, bool RowsAreOpen)
    : Counts(Counted), Backwards(goesBackwards(Counted)), Ends(Counted.bestDivision(Backwards)),
      Rounded(RowsAreOpen ? rounding(Counted.cells(), Ends, Backwards) : std::nullopt),
      RowCells(std::max(std::ceil(RowPart * Counted.cells()), Rounded ? Rounded->Cells : 0)),
      Used(used(Counted, RowCells)) {}

double Division::endOf(size_t Piece) const {
  const bool IsLast = Piece + 1 == Ends.size();
  return IsLast ? Used.second : std::clamp(Ends[Piece], Used.first, Used.second);
}

double Division::accessesTo(uint32_t Thread, uint32_t Begin, uint32_t End) const {
  double Sum = 0;
  for (uint32_t Cell = Begin; Cell < End; ++Cell)
    Sum += Counts.parallel(Thread, Cell);
  return Sum;
}

bool Division::isClear() const {
  constexpr double More = 0.6;
  return Ends.size() > 1 && ownPart() >= More;
}

std::vector<uint32_t> Division::evenEnds() const {
  std::vector<uint32_t> Even;
  for (size_t Piece = 0; Piece < Ends.size(); ++Piece)
    Even.push_back(static_cast<uint32_t>(std::lround(
        first() + length() * static_cast<double>(Piece + 1) / static_cast<double>(Ends.size()))));
  return Even;
}

bool Division::isEven() const {
  constexpr double Noticeable = 0.01;
  if (Rounded)
    return true;
  const std::vector<uint32_t> Even = evenEnds();
  const double Tolerance = std::max(1 + RowCells, Noticeable * length());
  bool IsNear = true;
  for (size_t Piece = 0; Piece + 1 < Ends.size(); ++Piece)
    IsNear &= std::abs(endOf(Piece) - Even[Piece]) <= Tolerance;
  // Between two samples a part may end anywhere.
  return IsNear || Counts.ownPart(Even, Backwards) + Noticeable >= ownPart();
}

std::vector<unsigned> Division::shares() const {
  constexpr size_t Most = 32;
  const size_t Parts = std::min(Most, Ends.size());
  std::vector<unsigned> Result;
  unsigned Before = 0;
  for (size_t Part = 0; Part < Parts; ++Part) {
    const size_t Piece = (Part + 1) * Ends.size() / Parts - 1;
    const auto End =
        static_cast<unsigned>(std::lround((endOf(Piece) - first()) / length() * PartsOfArray));
    Result.push_back(End - std::min(End, Before));
    Before = std::max(Before, End);
  }
  if (Backwards)
    std::reverse(Result.begin(), Result.end());
  return Result;
}
