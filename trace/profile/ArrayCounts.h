//===-- ArrayCounts.h - who uses which part of an array ---------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a profile says about one array in a form that does not depend on the array's size: positions
// are parts of the array, threads are positions in the team. So what was counted with a small input
// holds for a large one. Needs nothing but the standard library, as Profile.h.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_ARRAYCOUNTS_H
#define MINAS_TRACE_ARRAYCOUNTS_H

#include "Profile.h"

#include <utility>

namespace maiprof {

/// Threads of a team are told from others by a second one.
bool hasTeam(const Profile &P);

/// The numbers that threads are counted under, by index in Profile::Threads: OpenMP's, and None for
/// others; where there is no team all threads have one, the program's own behind OpenMP's.
std::vector<uint32_t> numbers(const Profile &P);

/// Of the traffic that one access stands for.
double bytesEach(const Profile &P);

/// An array, or several that are summed up, such as all blocks that were allocated in one place.
class ArrayCounts {
public:
  /// A piece of an array in one block of memory.
  struct Part {
    uint64_t Start = 0; ///< address
    uint64_t Bytes = 0;
    uint32_t Array = 0;  ///< of which of the arrays, from 0
    uint64_t Before = 0; ///< bytes of that in front of this part: the rows of a matrix
  };

  /// What one thread did at one place.
  struct Entry {
    uint64_t Offset = 0; ///< bytes from the start of the array
    uint32_t Array = 0;
    uint32_t Thread = 0;  ///< its OpenMP number
    bool Serial = false;  ///< outside of parallel regions, as far as the profile tells
    uint32_t Phase = 0;   ///< 0: outside of all
    uint32_t Page = None; ///< index in Profile::Pages
    double Reads = 0;     ///< estimated where only some were counted
    double Writes = 0;
    double accesses() const { return Reads + Writes; }
  };

  /// Sums up what OpenMP's threads did to these parts; or all threads, where there is no team.
  ArrayCounts(const Profile &From, std::vector<Part> Of);

  /// Of all arrays, as far as there are parts.
  uint64_t bytes() const;
  /// Of the largest array, with what its parts have in front.
  uint64_t largestBytes() const;
  uint64_t bytesOf(uint32_t Array) const { return Lengths[Array]; }
  const std::vector<Entry> &entries() const { return Entries; }
  /// How precise their offsets are, at least.
  uint64_t lineBytes() const { return LineBytes; }

  /// Threads that used it in parallel, from 0 to the one with the highest number.
  uint32_t threads() const { return Threads; }
  /// The same of all that used it or began to: the first threads of which there are sums.
  uint32_t rows() const { return Rows; }
  /// Equal parts of the array, in which accesses and first touches are summed up.
  uint32_t cells() const { return Cells; }

  double parallel(uint32_t Thread, uint32_t Cell) const { return Parallel[at(Thread, Cell)]; }
  double parallel(uint32_t Cell) const; ///< of all threads
  double serial(uint32_t Thread, uint32_t Cell) const { return Serial[at(Thread, Cell)]; }
  /// Pages, or parts of them, that the thread was the first to touch.
  double touched(uint32_t Thread, uint32_t Cell) const { return Touched[at(Thread, Cell)]; }

  /// All accesses of OpenMP's threads.
  double accesses() const { return Sum; }
  double parallelAccesses() const { return ParallelSum; }
  /// The greatest part of all accesses that one thread makes, and which.
  std::pair<uint32_t, double> busiestThread() const;

  /// The first cell that is used in parallel, and the one behind the last; but for stray accesses,
  /// and for what is cleared and then not used.
  std::pair<uint32_t, uint32_t> used() const;

  /// Where the shares of contiguous pieces that belong to the threads in order end, in cells: of
  /// all such divisions that in which threads use most of what is in their own pieces. One entry a
  /// thread, the last is cells().
  /// @param Backwards the last thread has the first piece
  std::vector<uint32_t> bestDivision(bool Backwards = false) const;

  /// Of the parallel accesses those of the threads to their own parts by such a division.
  double ownPart(const std::vector<uint32_t> &Ends, bool Backwards = false) const;

  /// Whole arrays belong to threads, rather than parts of each.
  bool belongToThreads() const;

  /// Of the accesses to lines that several threads use, the part that goes here and there rather
  /// than over the array in order, as far as counts show it: 0 where not all were counted.
  double jumpingPart() const;

  /// Pieces of memory that alternate among the threads.
  struct Alternation {
    uint64_t Bytes = 0;    ///< of a piece; 0: there are none
    double Regularity = 0; ///< the part of accesses that the rule tells right
  };
  /// Distributed to the threads in turn, so many bytes at a time; looked for in the largest array.
  Alternation alternation() const;

private:
  /// Lines with one main user, up to those of the next one.
  struct Run {
    uint64_t Begin;
    uint32_t Owner;
  };
  uint32_t unusedCells(bool AtEnd) const;
  std::vector<Run> runs(uint32_t Array) const;
  uint64_t lengthOfMost(const std::vector<Run> &All) const;

  static constexpr uint32_t CellsMax = 1024;
  static constexpr size_t SumsMax = size_t(1) << 20;

  /// Whose the piece is that has so many in front of it.
  uint32_t ownerOf(uint32_t Piece, bool Backwards) const {
    return Backwards ? Threads - 1 - Piece : Piece;
  }
  size_t at(uint32_t Thread, uint32_t Cell) const { return size_t(Thread) * Cells + Cell; }
  uint32_t cellOf(uint32_t Array, uint64_t Offset) const;
  uint32_t largest() const;
  struct Line;
  std::vector<Line> lines() const;
  void collect(const Profile &From, const std::vector<Series> &List, uint64_t UnitBytes);
  void collect(const Profile &From, const Series &S, const Part &P, uint64_t UnitBytes);
  void sumUp();
  void addFirstTouches(const Profile &From);
  double mainUsersPart() const;

  std::vector<Part> Parts;
  std::vector<uint32_t> Numbers; ///< of the threads
  std::vector<uint64_t> Lengths; ///< of the arrays
  std::vector<Entry> Entries;
  uint32_t Threads = 0;
  uint32_t Rows = 0; ///< threads with sums: also those of serial code
  uint32_t Cells = 1;
  uint64_t LineBytes = 64;
  std::vector<double> Parallel, Serial, Touched;
  double Sum = 0, ParallelSum = 0;
  bool IsExact = true; ///< all accesses were counted
};

/// Each of these arrays of a profile by itself.
std::vector<ArrayCounts::Part> apart(const Profile &From, const std::vector<uint32_t> &Arrays);

/// Rows of matrices, one after the other as they were allocated: a matrix for each chain of calls,
/// and one more where the run allocated another after it had freed the first.
std::vector<ArrayCounts::Part> asRows(const Profile &From, std::vector<uint32_t> Arrays);

} // namespace maiprof
#endif
