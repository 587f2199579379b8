//===-- Price.h - what traffic costs ----------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Accesses to an array are streams from nodes to memories. Two things slow them down: distance, by
// the NUMA factor, and queues, where one memory has to serve more than its part. What is measured
// on real machines is that queues cost more than distance: a remote access takes a third longer,
// one to a congested memory several times as long (M. Dashti et al., "Traffic management: a
// holistic approach to memory placement on NUMA systems", ASPLOS 2013).
//
// Whoever knows where accesses go has them priced here: CountedTraffic.h by what a profile has
// counted, mapp/choice/EstimatedTraffic.h by a program's sources. Pure functions; the model is
// written down in docs/policies.md.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_ADVICE_PRICE_H
#define MINAS_ADVICE_PRICE_H

#include "Alternative.h"
#include "Machine.h"

#include "llvm/ADT/ArrayRef.h"

namespace advice {

/// So much of the traffic goes from the threads of a node to a memory.
struct Stream {
  unsigned Node;
  size_t Memory;
  double Part;
};
using Streams = llvm::SmallVector<Stream, 16>;

/// Accesses, and where they go.
struct Traffic {
  double Amount = 0;   ///< bytes, or accesses
  Streams Ways = {};   ///< parts of it; what goes none of these ways is local and waits for nobody
  bool InTeam = false; ///< made at the same time; else every memory is there for one thread
  /// So many times its part the busiest memory may serve without making anybody wait.
  double Unevenness = 1;
  /// So many times its part the busiest memory serves at least, see meeting().
  double Meeting = 1;
};

/// What they cost, in units of their amounts.
Metrics price(llvm::ArrayRef<Traffic> All, const Machine &On);

/// Threads go over an array in order, and meet: how many times its part the busiest memory serves.
/// @param Team the nodes of the threads
/// @param Placed how much of the array each memory holds
/// @param InStep something keeps the threads together; otherwise they spread out
double meeting(const Segments &Team, const Shares &Placed, const Machine &On, bool InStep);

/// Whether one price is worth to change something that has another: a quarter less, and not next to
/// nothing of all traffic.
bool isWorth(const Metrics &New, const Metrics &Old, double AllTraffic);

} // namespace advice

#endif // MINAS_ADVICE_PRICE_H
