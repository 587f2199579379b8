//===-- Division.cpp - which threads have which part of an array *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Division.h"

#include "Alternative.h"

#include <algorithm>
#include <cmath>

using namespace advice;

namespace {

/// So many rows for each thread, of which the first ones have one more, as schedule(static) divides
/// iterations.
struct Rows {
  size_t OfThread;
  size_t Longer; ///< threads that have one more

  double of(size_t Thread) const {
    return static_cast<double>(OfThread) + (Thread < Longer ? 1 : 0);
  }
};

constexpr double Exact = 1.5; // Lines end within rows, and cells within lines.

/// Whether threads have parts of one length, and those behind them of one that is shorter by a row:
/// as near as the others let it be seen, the first and the last one left aside.  They may have rows
/// at the edges besides, and the last row may be shorter.
class RoundedParts {
public:
  explicit RoundedParts(const std::vector<double> &Of) : Lengths(Of) {}

  /// @return how long a row is, or 0 where there are not so many
  double rowFor(const Rows &R) const {
    const double Row = row(R);
    const double Tolerance = Exact + (HasMiddle ? Near * Row : 0);
    for (size_t Thread = Begin; Thread < End; ++Thread)
      if (std::abs(Lengths[Thread] - R.of(Thread) * Row) > Tolerance)
        return 0;
    return !HasMiddle || (isEdge(0, R, Row) && isEdge(End, R, Row)) ? Row : 0;
  }

private:
  static constexpr double Near = 0.15;
  static constexpr size_t Few = 4; ///< fewer threads show no pattern

  double row(const Rows &R) const {
    double Cells = 0, Count = 0;
    for (size_t Thread = Begin; Thread < End; ++Thread) {
      Cells += Lengths[Thread];
      Count += R.of(Thread);
    }
    return Cells / Count;
  }

  bool isEdge(size_t Thread, const Rows &R, double Row) const {
    constexpr double Half = 0.5;
    const double Usual = R.of(Thread) * Row;
    const double Least = Thread == 0 ? Usual : Usual - Row;
    return Lengths[Thread] >= Least - 2 * Near * Row &&
           Lengths[Thread] <= (1 + Half) * Usual + Exact;
  }

  const std::vector<double> &Lengths;
  const bool HasMiddle = Lengths.size() >= Few;
  const size_t Begin = HasMiddle ? 1 : 0, End = Lengths.size() - Begin;
};

} // namespace

static std::vector<double> lengthsOf(const std::vector<uint32_t> &Ends, bool Backwards) {
  std::vector<double> Result;
  for (size_t Piece = 0; Piece < Ends.size(); ++Piece)
    Result.push_back(static_cast<double>(Ends[Piece]) - (Piece == 0 ? 0 : Ends[Piece - 1]));
  if (Backwards)
    std::reverse(Result.begin(), Result.end());
  return Result;
}

/// The fewest rows by which parts of two lengths are explained. That they have two is to be seen:
/// else any even division would be one of a few rows for each thread.
std::optional<Division::Rounding>
Division::rounding(uint32_t Cells, const std::vector<uint32_t> &Ends, bool Backwards) {
  constexpr size_t MostRows = 32;
  const std::vector<double> Lengths = lengthsOf(Ends, Backwards);
  const auto [Shortest, Longest] = std::minmax_element(Lengths.begin(), Lengths.end());
  if (Ends.size() < 2 || Ends.back() != Cells || *Longest - *Shortest <= 2 * Exact)
    return std::nullopt;
  const RoundedParts Parts(Lengths);
  for (size_t OfThread = 1; OfThread <= MostRows; ++OfThread)
    for (size_t Longer = 1; Longer < Ends.size(); ++Longer)
      if (const double Row = Parts.rowFor({OfThread, Longer});
          Row > 0 && *Longest - *Shortest > Row / 2)
        return Rounding{Row, static_cast<double>(OfThread)};
  return std::nullopt;
}

/// Some threads have a row each, of about one length, and the others none.
std::optional<Division::Rounding>
Division::fewRows(uint32_t Cells, const std::vector<uint32_t> &Ends, uint32_t Team) {
  constexpr double Some = 0.25;
  constexpr size_t Few = 3; // Fewer show no pattern.
  std::vector<double> Rows = lengthsOf(Ends, false);
  std::erase_if(Rows, [](double Row) { return Row <= Exact; });
  const double Row = static_cast<double>(Cells) / static_cast<double>(Rows.size());
  if (Rows.size() < Few || Rows.size() >= Team || Ends.back() != Cells ||
      *std::min_element(Rows.begin(), Rows.end()) < Some * Row)
    return std::nullopt;
  return Rounding{Row, 0};
}

std::optional<Division::Rounding> Division::roundingOf(bool RowsAreOpen) const {
  std::optional<Rounding> Result;
  if (isClear())
    Result = fewRows(Counts.cells(), Ends, Team);
  if (!Result && RowsAreOpen)
    Result = rounding(Counts.cells(), Ends, Backwards);
  return Result;
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

Division::Division(const maiprof::ArrayCounts &Counted, double RowPart, bool RowsAreOpen,
                   uint32_t TeamOfFewRows)
    : Counts(Counted), Backwards(goesBackwards(Counted)), Ends(Counted.bestDivision(Backwards)),
      Team(TeamOfFewRows <= MostShares ? TeamOfFewRows : 0), Rounded(roundingOf(RowsAreOpen)),
      RowCells(std::max(std::ceil(RowPart * Counted.cells()), Rounded ? Rounded->Cells : 0)),
      Used(used(Counted, RowCells)) {}

double Division::endOf(size_t Piece) const {
  const bool IsLast = Piece + 1 == Ends.size();
  return IsLast ? Used.second : std::clamp(Ends[Piece], Used.first, Used.second);
}

unsigned Division::inParts(double Cells) const {
  return static_cast<unsigned>(std::lround(Cells / cells() * PartsOfArray));
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

/// @param Begin where the whole begins that shares are of, which has so many cells
std::vector<unsigned> Division::sharesOf(const std::vector<double> &PieceEnds, double Begin,
                                         double Length) const {
  const size_t Parts = std::min<size_t>(MostShares, Ends.size());
  std::vector<unsigned> Result;
  unsigned Before = 0;
  for (size_t Part = 0; Part < Parts; ++Part) {
    const size_t Piece = (Part + 1) * Ends.size() / Parts - 1;
    const auto End =
        static_cast<unsigned>(std::lround((PieceEnds[Piece] - Begin) / Length * PartsOfArray));
    Result.push_back(End - std::min(End, Before));
    Before = std::max(Before, End);
  }
  if (Backwards)
    std::reverse(Result.begin(), Result.end());
  return Result;
}

std::vector<unsigned> Division::shares() const {
  std::vector<double> Of;
  for (size_t Piece = 0; Piece < Ends.size(); ++Piece)
    Of.push_back(endOf(Piece));
  std::vector<unsigned> Result = sharesOf(Of, first(), length());
  if (hasFewerRows() && Result.size() < Team)
    Result.resize(Team, 0);
  return Result;
}

std::vector<unsigned> Division::sharesOfAll() const {
  const std::vector<uint32_t> Even = evenEnds();
  const bool AreEven = isEven();
  std::vector<double> Of;
  for (size_t Piece = 0; Piece + 1 < Ends.size(); ++Piece)
    Of.push_back(AreEven ? Even[Piece] : endOf(Piece));
  Of.push_back(cells());
  return sharesOf(Of, 0, cells());
}
