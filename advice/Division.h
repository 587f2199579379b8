//===-- Division.h - which threads have which part of an array --*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_ADVICE_DIVISION_H
#define MINAS_ADVICE_DIVISION_H

#include "trace/profile/ArrayCounts.h"

#include <optional>
#include <utility>
#include <vector>

namespace advice {

/// Where threads have their parts of an array, by what was counted.
class Division {
public:
  /// @param RowPart how much of the array a row was: differences by one are rounding, and look
  ///   otherwise with other sizes
  /// @param RowsAreOpen there may be rows larger than that
  /// @param TeamOfFewRows whose threads would all have a row if there were as many; 0: that is not
  /// so
  Division(const maiprof::ArrayCounts &Counted, double RowPart, bool RowsAreOpen,
           uint32_t TeamOfFewRows);

  double begin(size_t Thread) const {
    const size_t Piece = pieceOf(Thread);
    return Piece == 0 ? Used.first : endOf(Piece - 1);
  }
  double end(size_t Thread) const { return endOf(pieceOf(Thread)); }
  /// The last thread has the first part.
  bool isBackwards() const { return Backwards; }
  size_t threads() const { return Ends.size(); }
  double first() const { return Used.first; }
  double length() const { return Used.second - Used.first; }
  uint32_t cells() const { return Counts.cells(); }
  /// So many of PartsOfArray.
  unsigned inParts(double Cells) const;

  /// Of the parallel accesses those of the threads to their own parts.
  double ownPart() const { return Counts.ownPart(Ends, Backwards); }
  double accessesTo(uint32_t Thread, uint32_t Begin, uint32_t End) const;

  /// Whether the array falls into contiguous parts that belong to threads, more or less.
  bool isClear() const;
  /// As block would divide the used part, up to what a row or a part of a hundred makes, or as
  /// good: threads have as many accesses to their own parts then.
  bool isEven() const;
  /// Of the parallel accesses those to their own parts, were these even.
  double evenPart() const { return Counts.ownPart(evenEnds(), Backwards); }
  /// Parts differ by what is rounding, as far as they show that.
  bool isRounded() const { return Rounded.has_value(); }
  /// There were so few rows for each thread that who has which is mostly rounding: as far as the
  /// parts themselves show that.
  bool isCoarse() const { return Rounded && Rounded->RowsOfThread < FewRows; }
  static constexpr double FewRows = 4;
  /// There were fewer rows than threads.
  bool hasFewerRows() const { return Rounded && Rounded->RowsOfThread < 1; }

  /// The lengths of the parts, at most so many: of large teams several threads make one.
  std::vector<unsigned> shares() const;
  /// The same of the whole array: what nobody uses in front of the parts and behind them goes with
  /// the first one and the last one.
  std::vector<unsigned> sharesOfAll() const;
  static constexpr uint32_t MostShares = 32;

private:
  /// Rows that are divided as evenly as can be: some threads have one more than the others.
  struct Rounding {
    double Cells; ///< of a row
    double RowsOfThread;
  };
  static std::optional<Rounding> rounding(uint32_t Cells, const std::vector<uint32_t> &Ends,
                                          bool Backwards);
  static std::optional<Rounding> fewRows(uint32_t Cells, const std::vector<uint32_t> &Ends,
                                         uint32_t Team);
  std::optional<Rounding> roundingOf(bool RowsAreOpen) const;
  static std::pair<uint32_t, uint32_t> used(const maiprof::ArrayCounts &Counts, double RowCells);

  std::vector<uint32_t> evenEnds() const;
  std::vector<unsigned> sharesOf(const std::vector<double> &PieceEnds, double Begin,
                                 double Length) const;
  size_t pieceOf(size_t Thread) const { return Backwards ? Ends.size() - 1 - Thread : Thread; }
  double endOf(size_t Piece) const;

  const maiprof::ArrayCounts &Counts;
  const bool Backwards;
  const std::vector<uint32_t> Ends; ///< of the pieces, as they lie in memory
  const uint32_t Team;              ///< of few rows
  const std::optional<Rounding> Rounded;
  const double RowCells;
  const std::pair<uint32_t, uint32_t> Used;
};

} // namespace advice

#endif // MINAS_ADVICE_DIVISION_H
