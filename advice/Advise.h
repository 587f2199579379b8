//===-- Advise.h - which policy, and why ------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Who uses which part of an array how often, on this machine: which policies come into question,
// what does each cost, which is best, and why.  The rules are in docs/policies.md.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_ADVICE_ADVISE_H
#define MINAS_ADVICE_ADVISE_H

#include "CountedTraffic.h"
#include "Division.h"

#include <string>

namespace advice {

/// The order of alternatives that were priced: what fits and is cheap first.
bool isBefore(const Alternative &Left, const Alternative &Right);

/// Whether an alternative is worth to give up another: only it fits, or both do or do not and its
/// price isWorth() it.
/// @param Error what it saves may be so much less, as a part of the old price
bool saves(const Alternative &New, const Alternative &Old, double AllTraffic, double Error = 0);

class Advisor {
public:
  /// @param RowsAreOpen there may be longer rows than Of.Rows tells
  /// @param TeamOfFewRows as Division has it
  Advisor(const Access &Of, const Shape &Array, const Machine &On, bool RowsAreOpen,
          uint32_t TeamOfFewRows = 0);

  /// Where the threads have their parts of it.
  const Division &parts() const { return Parts; }

  /// What counts ask for, and what that is compared with; without prices.
  std::vector<Alternative> candidates() const;

  /// Fills in the price by counts, and whether the memories hold their shares.
  void price(Alternative &A) const;

  /// Of alternatives that were priced, and sorted by isBefore(), the one to be taken. Pages left
  /// alone must be among them.
  const Alternative &best(const std::vector<Alternative> &Priced) const;

  /// Whether taking one is worth to give up another.
  bool saves(const Alternative &New, const Alternative &Old, double Error = 0) const {
    return advice::saves(New, Old, Of.traffic(), Error);
  }

  /// Nearly all of it is one thread's.
  bool isOneThreads() const;

  /// There were so few rows for each thread that who has which is mostly rounding.
  bool isCoarse() const;

  /// What was counted that speaks for an alternative.
  std::string reason(const Alternative &A) const;

private:
  void addDivided(std::vector<Alternative> &To) const;
  void addAlternating(std::vector<Alternative> &To) const;
  uint64_t units(unsigned OfParts) const;

  const Access &Of;
  const Shape &Array;
  const Machine &On;
  const Division Parts;
};

/// Of all alternatives, which must have one, pages left alone.
const Alternative &leftAlone(const std::vector<Alternative> &All);

} // namespace advice

#endif // MINAS_ADVICE_ADVISE_H
