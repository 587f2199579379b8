//===-- EstimatedTraffic.h - where accesses go, by the sources --*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the sources show of an array's uses, as the advisor takes it: under each policy, how many
// bytes go from which node to which memory, and what is at the same time. What that costs is
// advice/Price.h's to say. Where they go is written down in docs/policies.md.
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
using advice::identity;
using advice::Machine;
using advice::Metrics;
using advice::PartsOfArray;
using advice::Policy;
using advice::Segment;
using advice::Segments;
using advice::Shares;
using advice::Streams;
using advice::Traffic;

/// The first of them that writes, in the order of calls; null where none does.
const Use *firstWrite(const std::vector<Use> &Uses);

/// The same, but for what one thread only clears; null where it does nothing else.
const Use *firstLastingWrite(const std::vector<Use> &Uses);

/// One thread writes nothing but zeros, or so few elements that hardly a page is its own.
bool isForgettable(const Use &U);

/// The run decides which thread gets which iterations of the loop, if there is one.
bool isOfRun(const Scope *Loop);

class EstimatedTraffic {
public:
  EstimatedTraffic(const ArrayDeclaration &Declared, const std::vector<Use> &All,
                   const Machine &Wanted);

  /// Under a policy.
  std::vector<Traffic> under(const Alternative &A) const;

  /// Fills in the estimated price, and whether the memories hold their shares.
  void price(Alternative &A) const;

  /// Some use leaves pages out, so that the order in which pages are distributed matters.
  bool isStrided() const;

  /// What policies divide.
  const advice::Shape &shape() const { return Whole; }
  /// How much of the array each memory holds.
  Shares placed(const Alternative &A) const;

private:
  void add(std::vector<Traffic> &To, const Use &U, const Alternative &A,
           const Shares &Placed) const;
  bool followsOwners(const Use &U, const Alternative &A) const;
  double roundingOfChunks(const Use &U) const;
  double spreadPart(const Use &U, const Alternative &A) const;
  Traffic spread(const Use &U, const Alternative &A, const Shares &Placed) const;
  Traffic overRows(const Use &U, const Shares &Placed) const;
  Traffic byPages(const Use &U, const Alternative &A, const Shares &Placed) const;
  Traffic even(const Use &U, const Shares &Placed) const;
  void addRows(Streams &To, const Use &U, const Alternative &Rows, const Segments &OnNodes) const;
  /// Units, as parts of them may be.
  struct Range {
    double Begin, Count;
  };
  Range rangeOf(const Use &U, const Alternative &A) const;
  Segments reach(const Use &U, const Alternative &A) const;
  const Use *toucher(const Alternative &A) const;
  Alternative asTouchedBy(const Use *Toucher) const;
  std::optional<Alternative> asRows(const Alternative &A) const;

  const ArrayDeclaration &Array;
  const std::vector<Use> &Uses;
  const Machine &On;
  const advice::Shape Whole;
  const Use *First, *Lasting; ///< writes
};

} // namespace mapp

#endif // MAPP_ESTIMATEDTRAFFIC_H
