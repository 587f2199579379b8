//===-- Slices.cpp - equal slices of an array that are divided alike *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Slices.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

using namespace advice;

/// More of any lengths look like slices by chance.
static constexpr unsigned MostSlices = 64;

/// Of all accesses what threads must have in their own parts, what is next to nothing, and what a
/// slice of any length has to be worth.
static constexpr double Clear = 0.6, AboutAsGood = 0.02, WorthASlice = 0.005;

/// What they must have of equal slices beyond what chance gives them: what that is worth is told
/// by the price.
static constexpr double BeyondChance = 0.3;

namespace {

/// Who uses which lines in parallel, or, of a large array, which parts of as many as can be tried:
/// an unknown of many groups and directions has a slice of few lines for each of these.
class LineUse {
public:
  explicit LineUse(const maiprof::ArrayCounts &Counts)
      : Threads(Counts.threads()), Units(unitsOf(Counts)), All(Counts.parallelAccesses()),
        Use(size_t(Units) * Threads, 0) {
    for (const maiprof::ArrayCounts::Entry &E : Counts.entries())
      if (const uint64_t Bytes = Counts.bytesOf(E.Array); !E.Serial && E.Offset < Bytes)
        Use[size_t(unitAt(E.Offset, Bytes)) * Threads + E.Thread] += E.accesses();
  }

  uint32_t threads() const { return Threads; }
  uint32_t units() const { return Units; }
  double all() const { return All; }
  double by(uint32_t Thread, uint32_t Unit) const { return Use[size_t(Unit) * Threads + Thread]; }

  /// The thread with most of a unit's accesses; none: nobody uses it.
  std::optional<uint32_t> ownerOf(uint32_t Unit) const {
    const auto Begin = Use.begin() + std::ptrdiff_t(Unit) * Threads;
    const auto Most = std::max_element(Begin, Begin + Threads);
    return *Most > 0 ? std::optional(uint32_t(Most - Begin)) : std::nullopt;
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
  static uint32_t unitsOf(const maiprof::ArrayCounts &Counts) {
    constexpr uint64_t Most = uint64_t(1) << 15, MostSums = uint64_t(1) << 20;
    const uint64_t Lines = Counts.largestBytes() / Counts.lineBytes();
    return static_cast<uint32_t>(
        std::max<uint64_t>(1, std::min({Lines, Most, MostSums / Counts.threads()})));
  }

  /// Of several arrays of other lengths the same part is one unit.
  uint32_t unitAt(uint64_t Offset, uint64_t Bytes) const {
    return static_cast<uint32_t>(static_cast<__uint128_t>(Offset) * Units / Bytes);
  }

  const uint32_t Threads;
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

/// With a row or two besides, at the edges.
bool advice::areSides(unsigned Slices, uint64_t Bytes) {
  constexpr unsigned Least = 16, Edges = 2; // Fewer may be so by chance.
  const auto IsNear = [&](double Side) { return std::abs(Side - Slices) <= Edges; };
  const auto Are = [&](double Number) {
    const double Numbers = static_cast<double>(Bytes) / Number, Side = std::cbrt(Numbers);
    return IsNear(std::sqrt(Numbers)) || IsNear(Side) || IsNear(Side * Side);
  };
  return Slices >= Least && (Are(sizeof(float)) || Are(sizeof(double)));
}

//===-- Of any lengths --------------------------------------------------------===//

namespace {

/// Finds the slices in which threads have most in parts of their own, each of which has to be worth
/// it. They end at marks, some in equal steps and some where the lines show it.
class SliceFinder {
public:
  explicit SliceFinder(const LineUse &Of)
      : Lines(Of), Marks(marksOf(Of)), Before(size_t(Of.threads()) * (Of.units() + 1), 0) {
    for (uint32_t Thread = 0; Thread < Lines.threads(); ++Thread)
      for (uint32_t Unit = 0; Unit < Lines.units(); ++Unit)
        Before[at(Thread, Unit + 1)] = Before[at(Thread, Unit)] + Lines.by(Thread, Unit);
  }

  /// Where slices end, in units.
  std::vector<uint32_t> ends() const {
    const double Price = WorthASlice * Lines.all();
    std::vector<double> Best(Marks.size(), 0);
    std::vector<size_t> From(Marks.size(), 0);
    for (size_t End = 1; End < Marks.size(); ++End) {
      Best[End] = -std::numeric_limits<double>::infinity();
      for (size_t Begin = 0; Begin < End; ++Begin)
        if (const double Sum = Best[Begin] + own(Marks[Begin], Marks[End]) - Price;
            Sum > Best[End]) {
          Best[End] = Sum;
          From[End] = Begin;
        }
    }
    std::vector<uint32_t> Ends;
    for (size_t End = Marks.size() - 1; End > 0; End = From[End])
      Ends.insert(Ends.begin(), Marks[End]);
    return Ends;
  }

  double ownPart(const std::vector<uint32_t> &Ends) const {
    double Own = 0;
    uint32_t Begin = 0;
    for (const uint32_t End : Ends) {
      Own += own(Begin, End);
      Begin = End;
    }
    return Own / Lines.all();
  }

private:
  /// Where the threads, who go through a slice in order, begin another, and where what is used ends
  /// or begins; none where that is so often that it shows nothing.
  static std::vector<uint32_t> turns(const LineUse &Of) {
    constexpr size_t Most = 256;
    std::vector<uint32_t> Result;
    std::optional<uint32_t> Last = Of.ownerOf(0);
    for (uint32_t Unit = 1; Unit < Of.units(); ++Unit) {
      const std::optional<uint32_t> Owner = Of.ownerOf(Unit);
      if (Owner.has_value() != Last.has_value() || (Owner && *Owner < *Last))
        Result.push_back(Unit);
      Last = Owner;
    }
    return Result.size() > Most ? std::vector<uint32_t>() : Result;
  }

  /// Of large teams fewer are looked at.
  static std::vector<uint32_t> marksOf(const LineUse &Of) {
    constexpr uint64_t MostSteps = 1024, MostWork = uint64_t(1) << 24;
    std::vector<uint32_t> Result = turns(Of);
    const uint64_t Turns = Result.size();
    uint64_t Steps = std::min<uint64_t>(MostSteps, Of.units());
    while (Steps > 1 && (Steps + Turns) * (Steps + Turns) * Of.threads() > MostWork)
      Steps /= 2;
    for (uint64_t Step = 0; Step <= Steps; ++Step)
      Result.push_back(static_cast<uint32_t>(Of.units() * Step / Steps));
    std::sort(Result.begin(), Result.end());
    Result.erase(std::unique(Result.begin(), Result.end()), Result.end());
    return Result;
  }

  size_t at(uint32_t Thread, uint32_t Unit) const {
    return size_t(Thread) * (Lines.units() + 1) + Unit;
  }

  /// What threads do in their own parts of a slice.
  double own(uint32_t Begin, uint32_t End) const {
    const uint32_t Threads = Lines.threads();
    double Sum = 0;
    for (uint32_t Thread = 0; Thread < Threads && End - Begin >= Threads; ++Thread) {
      const uint64_t First = uint64_t(End - Begin) * Thread / Threads;
      const uint64_t Last = uint64_t(End - Begin) * (Thread + 1) / Threads;
      Sum += Before[at(Thread, Begin + static_cast<uint32_t>(Last))] -
             Before[at(Thread, Begin + static_cast<uint32_t>(First))];
    }
    return Sum;
  }

  const LineUse &Lines;
  const std::vector<uint32_t> Marks; ///< from 0 to the end
  std::vector<double> Before;        ///< by thread: the accesses in front of each unit
};

/// The last of some slices as a part of all.
double lastOf(const std::vector<unsigned> &Lengths) {
  return Lengths.back() / std::accumulate(Lengths.begin(), Lengths.end(), 0.0);
}

bool isLastUnused(const maiprof::ArrayCounts &Counts, const std::vector<unsigned> &Lengths) {
  const double Before = 1 - lastOf(Lengths);
  return std::none_of(Counts.entries().begin(), Counts.entries().end(),
                      [&](const maiprof::ArrayCounts::Entry &E) {
                        const auto Bytes = static_cast<double>(Counts.bytesOf(E.Array));
                        return static_cast<double>(E.Offset) >= Before * Bytes;
                      });
}

/// What a block has behind its slices; less of it need not grow with them.
constexpr double LargeRest = 0.02;

/// Whether there are so many equal slices, but for borders inside of units, and a small rest.
bool areEqualBeforeRest(const maiprof::ArrayCounts &Counts, const std::vector<unsigned> &Lengths,
                        unsigned Equal) {
  constexpr unsigned Border = 2;
  const auto [Least, Most] = std::minmax_element(Lengths.begin(), Lengths.end() - 1);
  return Lengths.size() == Equal + 1 && *Most - *Least <= Border && lastOf(Lengths) <= LargeRest &&
         isLastUnused(Counts, Lengths);
}

} // namespace

std::vector<unsigned> advice::unequalSlicesOf(const maiprof::ArrayCounts &Counts, unsigned Equal) {
  if (areFew(Counts))
    return {};
  const LineUse Lines(Counts);
  const SliceFinder Finder(Lines);
  const std::vector<uint32_t> Ends = Finder.ends();
  const double Own = Finder.ownPart(Ends);
  if (Ends.size() < 2 || Ends.size() > MostSlices || Own < Clear ||
      (Equal > 0 && Own < Lines.ownPart(Equal) + AboutAsGood))
    return {};
  std::vector<unsigned> Lengths;
  for (size_t I = 0; I < Ends.size(); ++I)
    Lengths.push_back(Ends[I] - (I ? Ends[I - 1] : 0));
  return areEqualBeforeRest(Counts, Lengths, Equal) ? std::vector<unsigned>() : Lengths;
}

bool advice::endsEmpty(const maiprof::ArrayCounts &Counts, const std::vector<unsigned> &Lengths) {
  return Lengths.size() >= 3 && lastOf(Lengths) > LargeRest && isLastUnused(Counts, Lengths);
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
