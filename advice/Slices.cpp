//===-- Slices.cpp - equal slices of an array that are divided alike *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Slices.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace advice;

/// More of any lengths look like slices by chance.
static constexpr unsigned MostSlices = 64;

/// Of all accesses what threads must have in their own parts, and what is next to nothing.
static constexpr double Clear = 0.6, AboutAsGood = 0.02;

/// What they must have of equal slices beyond what chance gives them: what that is worth is told
/// by the price.
static constexpr double BeyondChance = 0.3;

namespace {

/// Who uses which lines in parallel: an unknown of many groups and directions has a slice of few
/// lines for each of these.
class LineUse {
public:
  explicit LineUse(const maiprof::ArrayCounts &Counts)
      : Threads(Counts.threads()), Bytes(Counts.largestBytes()), Units(unitsOf(Counts)),
        All(Counts.parallelAccesses()), Use(size_t(Units) * Threads, 0) {
    for (const maiprof::ArrayCounts::Entry &E : Counts.entries())
      if (!E.Serial && E.Offset < Bytes)
        Use[size_t(unitAt(E.Offset)) * Threads + E.Thread] += E.accesses();
  }

  /// More would have less than two lines for each thread, or take long to try.
  unsigned mostSlices() const { return std::min(1024U, Units / (2 * Threads)); }

  /// Of the parallel accesses those of threads to their own parts of so many slices.
  double ownPart(unsigned Slices) const {
    double Own = 0;
    const uint64_t Whole = uint64_t(2) * Units;
    for (uint64_t Unit = 0; Unit < Units; ++Unit) {
      const uint64_t Middle = (2 * Unit + 1) * Slices % Whole;
      Own += Use[Unit * Threads + Middle * Threads / Whole];
    }
    return Own / All;
  }

private:
  /// Its lines, or, of a large array, as many parts as can be tried.
  static uint32_t unitsOf(const maiprof::ArrayCounts &Counts) {
    constexpr uint64_t Most = uint64_t(1) << 15, MostSums = uint64_t(1) << 20;
    const uint64_t Lines = Counts.largestBytes() / Counts.lineBytes();
    return static_cast<uint32_t>(
        std::max<uint64_t>(1, std::min({Lines, Most, MostSums / Counts.threads()})));
  }

  uint32_t unitAt(uint64_t Offset) const {
    return static_cast<uint32_t>(static_cast<__uint128_t>(Offset) * Units / Bytes);
  }

  const uint32_t Threads;
  const uint64_t Bytes;
  const uint32_t Units;
  const double All;        ///< of the parallel accesses
  std::vector<double> Use; ///< [unit][thread]
};

bool areFew(const maiprof::ArrayCounts &Counts) {
  return Counts.threads() < 2 || Counts.parallelAccesses() <= 0 ||
         Counts.cells() < Counts.threads();
}

} // namespace

/// The fewest that are about as good as the best: where each of n slices is divided in order, parts
/// of 2 n slices may seem to be.
unsigned advice::slicesOf(const maiprof::ArrayCounts &Counts) {
  if (areFew(Counts))
    return 0;
  double Best = 1.0 / Counts.threads() + BeyondChance;
  unsigned Found = 0;
  const LineUse Lines(Counts);
  for (unsigned Slices = 2; Slices <= Lines.mostSlices(); ++Slices)
    if (const double Own = Lines.ownPart(Slices); Own > Best + (Found ? AboutAsGood : 0)) {
      Best = Own;
      Found = Slices;
    }
  return Found;
}

//===-- Of any lengths --------------------------------------------------------===//

namespace {

/// Finds the slices in which threads have most in parts of their own, each of which has to be worth
/// it.
class SliceFinder {
public:
  explicit SliceFinder(const maiprof::ArrayCounts &Of)
      : Counts(Of), Step(stepOf(Of)), Before(size_t(Of.threads()) * (Of.cells() + 1), 0) {
    for (uint32_t Thread = 0; Thread < Counts.threads(); ++Thread)
      for (uint32_t Cell = 0; Cell < Counts.cells(); ++Cell)
        Before[at(Thread, Cell + 1)] = Before[at(Thread, Cell)] + Counts.parallel(Thread, Cell);
  }

  /// Where slices end, in cells.
  std::vector<uint32_t> ends() const {
    const double Price = AboutAsGood * Counts.parallelAccesses();
    const uint32_t Marks = Counts.cells() / Step;
    std::vector<double> Best(Marks + 1, 0);
    std::vector<uint32_t> From(Marks + 1, 0);
    for (uint32_t End = 1; End <= Marks; ++End) {
      Best[End] = -1;
      for (uint32_t Begin = 0; Begin < End; ++Begin)
        if (const double Sum = Best[Begin] + own(cell(Begin), cell(End)) - Price; Sum > Best[End]) {
          Best[End] = Sum;
          From[End] = Begin;
        }
    }
    std::vector<uint32_t> Ends;
    for (uint32_t End = Marks; End > 0; End = From[End])
      Ends.insert(Ends.begin(), cell(End));
    return Ends;
  }

  double ownPart(const std::vector<uint32_t> &Ends) const {
    double Own = 0;
    uint32_t Begin = 0;
    for (const uint32_t End : Ends) {
      Own += own(Begin, End);
      Begin = End;
    }
    return Own / Counts.parallelAccesses();
  }

private:
  /// Of large teams fewer cells are looked at.
  static uint32_t stepOf(const maiprof::ArrayCounts &Of) {
    constexpr uint64_t MostWork = uint64_t(1) << 24;
    uint32_t Result = 1;
    while (uint64_t(Of.cells() / Result) * (Of.cells() / Result) * Of.threads() > MostWork)
      Result *= 2;
    return Result;
  }

  size_t at(uint32_t Thread, uint32_t Cell) const {
    return size_t(Thread) * (Counts.cells() + 1) + Cell;
  }

  /// The last mark is the end, whatever the step.
  uint32_t cell(uint32_t Mark) const {
    return Mark == Counts.cells() / Step ? Counts.cells() : Mark * Step;
  }

  /// What threads do in their own parts of a slice.
  double own(uint32_t Begin, uint32_t End) const {
    const uint32_t Threads = Counts.threads();
    double Sum = 0;
    for (uint32_t Thread = 0; Thread < Threads && End - Begin >= Threads; ++Thread) {
      const uint64_t First = uint64_t(End - Begin) * Thread / Threads;
      const uint64_t Last = uint64_t(End - Begin) * (Thread + 1) / Threads;
      Sum += Before[at(Thread, Begin + static_cast<uint32_t>(Last))] -
             Before[at(Thread, Begin + static_cast<uint32_t>(First))];
    }
    return Sum;
  }

  const maiprof::ArrayCounts &Counts;
  const uint32_t Step;
  std::vector<double> Before; ///< by thread: the accesses in front of each cell
};

} // namespace

std::vector<unsigned> advice::unequalSlicesOf(const maiprof::ArrayCounts &Counts, unsigned Equal) {
  if (areFew(Counts))
    return {};
  const SliceFinder Finder(Counts);
  const std::vector<uint32_t> Ends = Finder.ends();
  const double Own = Finder.ownPart(Ends);
  if (Ends.size() < 2 || Ends.size() > MostSlices || Own < Clear ||
      (Equal > 0 && Own < LineUse(Counts).ownPart(Equal) + AboutAsGood))
    return {};
  std::vector<unsigned> Lengths;
  for (size_t I = 0; I < Ends.size(); ++I)
    Lengths.push_back(Ends[I] - (I ? Ends[I - 1] : 0));
  return Lengths;
}

double advice::inSlice(const Alternative &A, double Position) {
  if (A.SliceParts.empty())
    return Position * A.Slices - std::floor(Position * A.Slices);
  double Left = Position * std::accumulate(A.SliceParts.begin(), A.SliceParts.end(), 0U);
  size_t Slice = 0;
  while (Slice + 1 < A.SliceParts.size() && Left >= A.SliceParts[Slice])
    Left -= A.SliceParts[Slice++];
  return std::min(Left / A.SliceParts[Slice], std::nextafter(1.0, 0.0));
}
