//===-- PatternFinder.h - the pattern of one access -------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// From the form of a subscript, and from the loops around it, follows in which pattern the threads
// make the access: which of its parts follow the threads, how fast the others move, and how far all
// of it goes.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_PATTERNFINDER_H
#define MAPP_PATTERNFINDER_H

#include "Classify.h"
#include "FactorTable.h"
#include "Placeable.h"
#include "StoredNumbers.h"
#include "TripCounts.h"

#include "llvm/ADT/SmallSet.h"

#include <cstdlib>

namespace mapp {

/// What is known of one access.
struct SizedAddress {
  const Polynomial &Offset; ///< in the array
  const Polynomial &Row;    ///< bytes of a row of the type that it is made through, if not constant
  const Execution &By;
};

/// A term of a subscript with what is known about how fast it moves.
struct MovingTerm {
  const Term *T;
  llvm::SmallVector<FactorId, 2> Moving; ///< its factors that change in the parallel region
  size_t Fixed = 0;                      ///< number of the others, `plane = nx * ny` being two
  bool Row = false;                      ///< through a table of pointers: slower than any subscript
  bool Begins = false; ///< it says where a row begins: slower than all steps within rows

  /// Moves further in one step. More unknown factors (extents given at run time) move further.
  bool slowerThan(const MovingTerm &Other) const {
    if (Row != Other.Row)
      return Row;
    if (Begins != Other.Begins)
      return Begins;
    if (Fixed != Other.Fixed)
      return Fixed > Other.Fixed;
    return std::llabs(T->Coefficient) > std::llabs(Other.T->Coefficient);
  }
};

/// Finds the pattern of one access.
class PatternFinder {
public:
  PatternFinder(FactorTable &Table, StoredNumbers &Stored, const Shape &Declared,
                const SizedAddress &At);

  /// Fills in all that depends on the subscript.
  /// @return what was read from the array that guides the access, if there is one
  FactorId find(Use &Out);

private:
  static constexpr double ElementBytes = 8;
  static constexpr double Many = 32; ///< steps: a node's or a cell's components are fewer

  //===-- Which loop divides ------------------------------------------------===//

  llvm::SmallSet<FactorId, 8> loopsBehind(const Polynomial &Address, const Execution &Who);
  const Execution &sharing(const Execution &Who, const Polynomial &Address);
  int64_t team() const;
  bool isSerial() const { return !By.Parallel || By.Who == Execution::Threads::One; }

  //===-- Which factors move: PatternTerms.cpp ----------------------------===//

  const EnclosingLoop *loop(FactorId Id) const { return loopOf(By, Id); }
  bool moves(FactorId Id);
  MovingTerm moving(const Term &T);
  size_t numbersIn(const Term &T);
  llvm::SmallVector<MovingTerm, 4> movingTerms(const Polynomial &F);
  void leaveOutTables();
  void leaveOutDelays();
  bool movesByFew(const Polynomial &F);
  Polynomial movingPart(const Polynomial &F);
  bool movesByData(const Polynomial &F);
  bool movesByIndices(const Polynomial &F) const;
  Polynomial startingAtBounds(Polynomial F);

  //===-- What follows the parallel index -----------------------------------===//

  bool follows(const Polynomial &F, unsigned Depth);
  bool isAscending(FactorId Id) const;
  bool isReadByIndex(FactorId Id);
  const EnclosingLoop *loopWithin(const Term &T);
  bool isWithinRows(const Term &Elements, const EnclosingLoop &Within);
  bool isGoneOnFrom(const Term &Start);
  bool isStride(FactorId Id) const;
  FactorId beginOfRow();
  bool isDerived(FactorId Id) const;
  bool isGuided(const EnclosingLoop &L);
  bool isThreadNumber(const MovingTerm &M);
  bool followsThreads(const MovingTerm &M);
  std::optional<MovingTerm> following(const Polynomial &F);
  bool rowFollows(const Polynomial &F) { return following(F).has_value(); }
  bool falls(const MovingTerm &M);
  bool fallsWithThread(const Polynomial &F);
  bool isDividedBackwards();
  bool isReversed(const MovingTerm &M) { return falls(M) != isDividedBackwards(); }
  FactorId guide(const MovingTerm &M);
  bool dependsOnThreads(FactorId Id);
  bool differsByThreads(FactorId Id);

  //===-- Patterns ----------------------------------------------------------===//

  Pattern replicated();
  void setParts(Use &Out);
  bool isShareOfLibrary();
  void setShareOfLibrary(Use &Out);
  bool isListed(const MovingTerm &Slowest);
  bool goesOverRows();
  void divided(Use &Out);
  Pattern dividedPattern(Use &Out);
  bool isOutermostOfUnknown(const MovingTerm &Parallel);
  bool staysInStep(const MovingTerm &Parallel, const MovingTerm &Inner) const;
  bool goesOverStep(const EnclosingLoop &Inner) const;
  int64_t unitsOfChunk(const MovingTerm &Slowest) const;
  bool leavesUnit(uint64_t Step);
  const Term *outerRow(const MovingTerm &Parallel);
  const EnclosingLoop *outerLoop(const Term &T) const;
  bool staysInRow(const MovingTerm &Parallel);
  FactorId memoryFactor();
  FactorId memoryBehind(FactorId Id);
  FactorId loaded(FactorId Id);
  bool isNarrow(const MovingTerm &M);
  bool isNarrow(const EnclosingLoop &L);
  bool isDisplacement(const MovingTerm &M);
  uint64_t stepAcross(const MovingTerm &M) const;
  unsigned drivenDimension(Use &Out);

  //===-- Which part a thread uses: PatternExtent.cpp ---------------------===//

  std::optional<std::pair<int64_t, int64_t>> valuesOf(FactorId Id);
  bool isBegin(const Term &T);
  bool isBehindLoop(const Term &T, const MovingTerm &Slowest);
  bool isOfItsOwn(const Term &T, const MovingTerm &Slowest);
  static constexpr int64_t Far = 64 << 10; ///< bytes, in an array
  bool isOneOfFew(FactorId Id) const;
  bool isLevel(const Term &T, const MovingTerm &Slowest);
  bool isFarInside(const MovingTerm &Slowest);
  void setBegin(const MovingTerm &Slowest, Use &Out);
  void setRange(const MovingTerm &Slowest, Use &Out);
  int64_t leastInRow(int64_t Step) const;
  std::optional<RowPointers> rowPointers(const MovingTerm &Slowest);
  Polynomial step(FactorId Id);
  bool isBeyond(const Term &T, const Polynomial &Unit);
  std::optional<int64_t> shift(const Polynomial &Unit);
  Polynomial beginOfPart(const Polynomial &Unit);
  void setUnitsFromEnd(const EnclosingLoop &L, const Polynomial &Unit, Sweep &Out);
  std::optional<int64_t> shiftInTable(FactorId Pointer, unsigned &Level);
  void setSweep(const MovingTerm &Slowest, Use &Out);
  Polynomial outerStep(const EnclosingLoop &L) const;
  std::optional<Polynomial> stepOverRows(const MovingTerm &Driven);
  void setColumns(Use &Out);

  //===-- How much it moves: PatternTraffic.cpp ---------------------------===//

  /// A loop around the access.
  struct Around {
    const EnclosingLoop *L;
    TripCount Trips;
    bool MovesIt;
  };

  void lookAround();
  bool movesBegins(const EnclosingLoop &L);
  bool comesBack(const EnclosingLoop &L) const;
  double elements();
  bool goesFromPartToPart(const EnclosingLoop &L) const;
  double overestimate();
  double traffic();
  void countSteps(Use &Out);
  void setCounted(Use &Out);
  bool isToldByText(FactorId Id, llvm::SmallSet<FactorId, 8> &Told);
  bool isOfFewElements();
  bool isOutside(const EnclosingLoop &L) const;
  void setWalks(Use &Out);

  FactorTable &Factors;
  StoredNumbers &Numbers;
  const Shape &Array;
  const Polynomial &Row;
  std::optional<Execution> DividedByInner;
  const Execution &By;
  Polynomial Offset;
  TripCounts TripsOf;
  llvm::SmallVector<Around, 8> Loops;     ///< outermost first
  llvm::SmallVector<MovingTerm, 4> Terms; ///< slowest first
  FactorId Guide = {None, None};
  FactorId RowBegin = {None, None}; ///< see beginOfRow()
};

} // namespace mapp

#endif // MAPP_PATTERNFINDER_H
