//===-- CostModel.h - what a placement costs --------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One estimate for all policies: of all accesses to an array, how much goes to other nodes, how
// much longer it takes for that, and for how long threads queue for the memory that is asked most.
// The model is written down in docs/policies.md.
//
// It is about an array and its accesses, whatever the array's storage.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_COSTMODEL_H
#define MAPP_COSTMODEL_H

#include "Machine.h"
#include "mapp/analysis/Classify.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <tuple>

namespace mapp {

enum class Policy {
  LeaveAlone,
  Block,
  BlockCyclic,
  Cyclic,
  Skew,
  Prime,
  Weighted,
  Replicate, ///< considered only: no declaration can ask for it, see docs/policies.md
  Given
};

/// What a policy costs, as Alternative has it.
struct Metrics {
  double Remote = 0;
  double Cost = 0;
  double Busiest = 1;
};

/// A policy that was considered, with its price.
struct Alternative {
  Policy What = Policy::LeaveAlone;
  uint64_t Before = 0;    ///< Block, BlockCyclic: units in front of those the loop runs over
  uint64_t Count = 0;     ///< units that it runs over; 0: all
  uint64_t Value = 0;     ///< BlockCyclic: units distributed at once; Prime: the prime
  unsigned Dimension = 0; ///< Block: along which; 0: rows, 1: columns
  int64_t Team = 0;       ///< Block, BlockCyclic: threads of the loop's team; 0: the run decides
  std::vector<unsigned> Shares = {}; ///< Block: of the equal parts of the team; empty: equal ones
  bool InParts = false; ///< Before and Count follow from parts of the array, whatever its size:
  unsigned BeforeParts = 0;
  unsigned CountParts = 0; ///< ... so many of PartsOfArray

  double Remote = 0;  ///< bytes fetched from other nodes
  double Cost = 0;    ///< bytes that could have come from idle local memory in the time lost
  double Busiest = 1; ///< how much more than its part the most busy memory serves, on average
  bool Fits = true;   ///< every memory holds its share

  std::optional<Metrics> Counted = {}; ///< the same by what a profile counted
};

/// What tells one policy of an Alternative or a Choice from another.
template <typename T> auto identity(const T &Of) {
  return std::tie(Of.What, Of.Before, Of.Count, Of.Value, Of.Dimension, Of.Team, Of.Shares);
}

/// Parts of an array that a profile tells are in these.
inline constexpr unsigned PartsOfArray = 10000;

/// The first of them that writes, in the order of calls; null where none does.
const Use *firstWrite(const std::vector<Use> &Uses);

class CostModel {
public:
  CostModel(const ArrayDeclaration &Declared, const std::vector<Use> &All, const Machine &Wanted);

  /// Fills in the estimates.
  void estimate(Alternative &A) const;

  /// Some use leaves pages out, so that the order in which pages are distributed matters.
  bool isStrided() const;

  /// So much of the traffic of one use goes from the threads of a node to a memory.
  struct Stream {
    unsigned Node;
    size_t Memory;
    double Part;
  };
  /// Threads of a team that share a node: their part of a loop, as fractions of it.
  struct Segment {
    unsigned Node;
    double Begin;
    double End;
  };
  /// How a use fares: parts of its traffic.
  struct Estimate {
    double Remote = 0;
    double Delay = 0; ///< time beyond that of local accesses
    double Busiest = 1;
  };
  // There are many of these for each array, and they are small on most machines.
  using Streams = llvm::SmallVector<Stream, 16>;
  using Segments = llvm::SmallVector<Segment, 8>;
  using Shares = llvm::SmallVector<double, 8>; ///< of each memory

  /// How accesses fare that go these ways.
  Estimate judge(llvm::ArrayRef<Stream> All, double Unevenness = 1) const;
  /// Of a whole team, the nodes in the order of the threads; 0: the default team.
  Segments segments(int64_t Team) const;
  /// Block by rows: the units on each of these.
  Segments blocks(const Alternative &A) const;
  /// How much of the array each memory holds.
  Shares placed(const Alternative &A) const;
  double units() const;

private:
  Estimate estimate(const Use &U, const Alternative &A, const Shares &Placed) const;
  void addRows(Streams &To, const Use &U, const Alternative &Rows, const Segments &OnNodes) const;
  static double normalise(llvm::MutableArrayRef<Stream> All);
  Estimate ofBlocks(const Use &U, const Shares &Placed) const;
  Estimate ofColumns(const Use &U, const Alternative &A, const Shares &Placed) const;
  Estimate ofChunks(const Use &U, const Alternative &A, const Shares &Placed) const;
  Estimate ofPages(const Use &U, const Alternative &A, const Shares &Placed) const;
  Estimate ofFirstTouch(const Use &U, const Shares &Placed) const;

  Estimate oneThread(const Shares &Placed) const;
  Estimate local() const { return {}; }
  Estimate even(const Use &U, const Shares &Placed, double Unevenness = 1) const;
  Estimate meeting(const Use &U, const Shares &Placed) const;
  Estimate partly(const Estimate &Other, double Part) const;
  void addDelay(Estimate &E, llvm::ArrayRef<Stream> All) const;

  Segments reach(const Use &U, const Alternative &A) const;
  Alternative asFirstTouched() const;
  std::optional<Alternative> asRows(const Alternative &A) const;
  std::optional<std::pair<Shares, double>> unevenness(const Use &U, const Alternative &A) const;

  const ArrayDeclaration &Array;
  const std::vector<Use> &Uses;
  const Machine &On;
  const Use *First;
};

/// The least prime that is greater.
uint64_t primeAbove(uint64_t Number);

} // namespace mapp

#endif // MAPP_COSTMODEL_H
