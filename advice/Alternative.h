//===-- Alternative.h - a policy that may be chosen -------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_ADVICE_ALTERNATIVE_H
#define MINAS_ADVICE_ALTERNATIVE_H

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace advice {

enum class Policy {
  LeaveAlone,
  Local, ///< first touch, but by pages that are small against what each thread touches
  Bind,
  Block,
  BlockCyclic,
  Cyclic,
  Skew,
  Prime,
  Weighted,
  Replicate, ///< considered only: no declaration can ask for it, see docs/policies.md
  Given
};

/// What a policy costs.
struct Metrics {
  double Remote = 0;  ///< bytes fetched from other nodes
  double Cost = 0;    ///< bytes that could have come from idle local memory in the time lost
  double Busiest = 1; ///< how much more than its part the most busy memory serves, on average
};

/// A policy that was considered, with its price.
struct Alternative {
  Policy What = Policy::LeaveAlone;
  uint64_t Before = 0;    ///< Block, BlockCyclic: units in front of those the loop runs over
  uint64_t Count = 0;     ///< units that it runs over; 0: all
  uint64_t Value = 0;     ///< BlockCyclic: units distributed at once; Prime: the prime; Bind: the
                          ///< memory
  unsigned Dimension = 0; ///< Block: along which; 0: rows, 1: columns
  unsigned Slices = 0;    ///< Block: each of so many slices is divided; 0: no slices
  std::vector<unsigned> SliceParts = {}; ///< in these proportions; empty: equal ones
  bool EndsEmpty = false;                ///< the last of these is what the program has not filled
  bool Reversed = false; ///< Block, BlockCyclic: the first thread has the last units
  int64_t Team = 0;      ///< Block, BlockCyclic: threads of the loop's team; 0: the run decides
  std::vector<unsigned> Shares = {}; ///< Block: of the equal parts of the team; empty: equal ones
  bool InParts = false; ///< Before and Count follow from parts of the array, whatever its size:
  unsigned BeforeParts = 0;
  unsigned CountParts = 0;  ///< ... so many of PartsOfArray
  bool ByRows = false;      ///< Block: rows of other lengths are divided
  unsigned FilledParts = 0; ///< Block: what the program has filled, which was so many of them

  bool Fits = true;                      ///< every memory holds its share
  std::optional<Metrics> Estimated = {}; ///< the price by what the sources show
  std::optional<Metrics> Counted = {};   ///< the same by what a profile counted

  /// The one that decides; it must have one.
  const Metrics &price() const { return Counted ? *Counted : *Estimated; }
};

/// What tells one policy of an Alternative or a Choice from another.
template <typename T> auto identity(const T &Of) {
  return std::tie(Of.What, Of.Before, Of.Count, Of.Value, Of.Dimension, Of.Slices, Of.Reversed,
                  Of.Team, Of.Shares);
}

/// Pages go with whoever touches them first.
inline bool isByTouch(const Alternative &A) {
  return A.What == Policy::LeaveAlone || A.What == Policy::Local;
}

/// The whole array is divided by rows, or a part of it.
inline bool isRows(const Alternative &A) {
  return A.What == Policy::Block && A.Dimension == 0 && A.Slices == 0;
}

/// Parts that repeat within the array are divided.
inline bool isFolded(const Alternative &A) {
  return A.What == Policy::BlockCyclic || (A.What == Policy::Block && !isRows(A));
}

/// It distributes pages, whoever uses them.
inline bool isInTurn(const Alternative &A) {
  return A.What == Policy::Cyclic || A.What == Policy::Skew || A.What == Policy::Prime ||
         A.What == Policy::Weighted;
}

/// Parts of an array that a profile tells are in these.
inline constexpr unsigned PartsOfArray = 10000;

} // namespace advice

#endif // MINAS_ADVICE_ALTERNATIVE_H
