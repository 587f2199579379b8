//===-- TripCounts.h - how long loops are -----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How many steps the loops around an access make: counted where their bounds are constant, else
// guessed so that guesses for several loops hold in relation to one another.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_TRIPCOUNTS_H
#define MAPP_TRIPCOUNTS_H

#include "Execution.h"
#include "FactorTable.h"
#include "Placeable.h"
#include "StoredNumbers.h"

namespace mapp {

constexpr double FewSteps = 16;        ///< steps of a loop of which nothing is known
constexpr double SomeShares = 1 << 20; ///< of the threads, of something long

/// The steps of a loop between constants.
std::optional<double> trips(const EnclosingLoop &L);

struct TripCount {
  double Steps;
  bool Guessed;
};

/// The lengths of the loops around one access.  It keeps references to what it is made of.
class TripCounts {
public:
  TripCounts(FactorTable &Table, StoredNumbers &Stored, const Shape &Declared, const Execution &Who,
             const Polynomial &Address)
      : Factors(Table), Numbers(Stored), Array(Declared), By(Who), Offset(Address) {}

  TripCount of(const EnclosingLoop &L);

  /// A guess for a loop whose length is not constant: that of the dimension it moves in.
  double byDimension(const EnclosingLoop &L) const;

  /// A loop over all threads, or over those before or behind one.
  bool isOverThreads(const EnclosingLoop &L);

private:
  bool isOfTeam(const Polynomial &F) const;
  bool movesByLoops(const Polynomial &F) const;
  double typical(const Polynomial &F, unsigned Depth);
  double typical(FactorId Id, unsigned Depth);
  double typicalLength(const EnclosingLoop &L);
  double typicalTrips(const EnclosingLoop &L);

  FactorTable &Factors;
  StoredNumbers &Numbers;
  const Shape &Array;
  const Execution &By;
  const Polynomial &Offset;
};

} // namespace mapp

#endif // MAPP_TRIPCOUNTS_H
