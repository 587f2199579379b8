//===-- Access.h - who uses which part of an array how often ----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What prices are made of, wherever it comes from: here from what a profile has counted. It says
// who uses which part how often; it does not say when. So how threads that use the same part meet
// there remains an estimate, which whoever knows the sources may give.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_ADVICE_ACCESS_H
#define MINAS_ADVICE_ACCESS_H

#include "Machine.h"
#include "trace/profile/ArrayCounts.h"

#include <algorithm>

namespace advice {

/// Accesses by node, and of each by cell or memory.
using Sums = std::vector<std::vector<double>>;

double total(const Sums &Of);

/// Accesses by the node that makes them and the memory that serves them.
struct Flows {
  explicit Flows(const Machine &On)
      : InTeam(On.Nodes, std::vector<double>(On.memories(), 0)), Alone(InTeam) {}
  Sums InTeam; ///< at the same time
  Sums Alone;  ///< by serial code
};

struct Access {
  /// @param Nodes of so many threads, in their order
  Access(const maiprof::ArrayCounts &Counted, const Machine &On, Segments Nodes, uint32_t Threads);

  unsigned nodeOf(uint32_t Thread) const { return OfThread[std::min(Thread, Threads - 1)]; }
  uint32_t cells() const { return Counts.cells(); }
  /// The part of the parallel accesses to what several nodes use alike: 0 where each part of the
  /// array is used by one node, 1 where all use all of it as often.
  double commonPart() const;
  /// Threads of several nodes touch parts of it first: a huge page may hold several of these.
  bool isTouchedApart() const;
  /// Bytes, as prices are in.
  double traffic() const { return Counts.accesses() * BytesEach; }

  const maiprof::ArrayCounts &Counts;
  Segments Nodes;                 ///< of the threads
  uint32_t Threads;               ///< at least 1
  std::vector<unsigned> OfThread; ///< the node of each
  Sums Parallel, Serial;          ///< by cell
  /// The part of each cell that each memory has when it is left to first touch, [cell][memory].
  std::vector<Shares> FirstTouched;
  Shares LeftAlone; ///< the same of the whole array; somebody may know better

  int64_t Team = 0;     ///< the team that the threads are; 0: the default one
  double BytesEach = 8; ///< of the traffic that one access stands for
  /// Of what threads do in common, the part in which they go over the array in order.
  double Sweeping = 1;
  /// How many bytes a row had when counts were taken: all that may be.
  std::vector<uint64_t> RowBytes;
  double Rows = 1; ///< how many there were, at least
};

} // namespace advice

#endif // MINAS_ADVICE_ACCESS_H
