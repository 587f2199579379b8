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
//===----------------------------------------------------------------------===//
#ifndef MINAS_ADVICE_PRICE_H
#define MINAS_ADVICE_PRICE_H

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

/// How accesses fare: parts of their traffic.
struct Estimate {
  double Remote = 0;
  double Delay = 0; ///< time beyond that of local accesses
  double Busiest = 1;
};

/// The same by distance alone, where every memory is there for one thread.
Estimate judgeAlone(llvm::ArrayRef<Stream> All, const Machine &On);

/// The same of accesses that are made at the same time.
/// @param Unevenness as far as the busiest memory may be ahead of the others without making anybody
///   wait
Estimate judge(llvm::ArrayRef<Stream> All, const Machine &On, double Unevenness = 1);

/// Of so many queues that many customers go round in, how many times its part the longest holds on
/// average: 1 + 1/2 + ... + 1/Queues (all states of such a network are equally likely: W. Gordon,
/// G. Newell, "Closed queuing systems with exponential servers", 1967).
double longestQueue(size_t Queues);

} // namespace advice

#endif // MINAS_ADVICE_PRICE_H
