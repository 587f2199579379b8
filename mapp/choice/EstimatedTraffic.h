//===-- EstimatedTraffic.h - where accesses go, by the sources --*- C++ -*-===//
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
#ifndef MAPP_ESTIMATEDTRAFFIC_H
#define MAPP_ESTIMATEDTRAFFIC_H

#include "advice/Placing.h"
#include "advice/Price.h"
#include "mapp/analysis/Classify.h"

#include <optional>

namespace mapp {

using advice::Alternative;
using advice::Estimate;
using advice::identity;
using advice::Machine;
using advice::Metrics;
using advice::PartsOfArray;
using advice::Policy;
using advice::Segment;
using advice::Segments;
using advice::Shares;
using advice::Stream;
using advice::Streams;

/// The first of them that writes, in the order of calls; null where none does.
const Use *firstWrite(const std::vector<Use> &Uses);

class EstimatedTraffic {
public:
  EstimatedTraffic(const ArrayDeclaration &Declared, const std::vector<Use> &All,
                   const Machine &Wanted);

  /// Fills in the estimates.
  void estimate(Alternative &A) const;

  /// Some use leaves pages out, so that the order in which pages are distributed matters.
  bool isStrided() const;

  /// What policies divide.
  const advice::Shape &shape() const { return Whole; }
  /// How much of the array each memory holds.
  Shares placed(const Alternative &A) const;

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

  Segments reach(const Use &U, const Alternative &A) const;
  Alternative asFirstTouched() const;
  std::optional<Alternative> asRows(const Alternative &A) const;
  std::optional<std::pair<Shares, double>> unevenness(const Use &U, const Alternative &A) const;

  const ArrayDeclaration &Array;
  const std::vector<Use> &Uses;
  const Machine &On;
  const advice::Shape Whole;
  const Use *First;
};

/// The least prime that is greater.
uint64_t primeAbove(uint64_t Number);

} // namespace mapp

#endif // MAPP_ESTIMATEDTRAFFIC_H
