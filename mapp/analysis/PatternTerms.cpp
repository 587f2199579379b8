//===-- PatternTerms.cpp - what moves in a subscript ------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PatternFinder.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <utility>

using namespace mapp;

//===-- Which factors move --------------------------------------------------===//

/// It changes while threads go over what they share out. What they have looked up before that by
/// the index of a loop around it, `dim[level]`, does not.
bool PatternFinder::moves(FactorId Id) {
  const auto &On = Factors.dependence(Id);
  const bool IsIndex = Factors[Id].Kind == FactorKind::Loop;
  return On.Thread || Factors[Id].Kind == FactorKind::Span ||
         llvm::any_of(On.Loops, [&](FactorId Loop) {
           const EnclosingLoop *L = loop(Loop);
           return L && L->InParallel && (IsIndex || !By.Divided || !isOutside(*L));
         });
}

MovingTerm PatternFinder::moving(const Term &T) {
  MovingTerm M;
  M.T = &T;
  for (const FactorId Id : T.Factors) {
    if (!moves(Id)) {
      M.Fixed += Numbers.degree(Id);
      continue;
    }
    M.Moving.push_back(Id);
    M.Row |= Factors[Id].Kind == FactorKind::Row;
    M.Begins |= Id == RowBegin;
  }
  return M;
}

size_t PatternFinder::numbersIn(const Term &T) {
  size_t Sum = 0;
  for (const FactorId Id : T.Factors)
    Sum += Numbers.degree(Id);
  return Sum;
}

/// The parts of a subscript that move, slowest first. Where two move equally far, the one that
/// follows the threads comes first.
llvm::SmallVector<MovingTerm, 4> PatternFinder::movingTerms(const Polynomial &F) {
  llvm::SmallVector<MovingTerm, 4> Parts;
  for (const Term &T : F.terms())
    if (MovingTerm M = moving(T); !M.Moving.empty())
      Parts.push_back(std::move(M));
  const auto Rank = [&](const MovingTerm &M) {
    const bool Index = By.Divided && M.Moving.size() == 1 && M.Moving[0] == By.Divided->Factor;
    return Index ? 2 : followsThreads(M) ? 1 : 0;
  };
  llvm::stable_sort(Parts, [&](const MovingTerm &Left, const MovingTerm &Right) {
    if (Left.slowerThan(Right) || Right.slowerThan(Left))
      return Left.slowerThan(Right);
    return Rank(Left) > Rank(Right);
  });
  return Parts;
}

/// A table of few pointers, each to a block of its own, as of the components of a field: where
/// the threads divide each of the blocks, it does not matter which of them it is.
void PatternFinder::leaveOutTables() {
  const auto IsOfFew = [&](const MovingTerm &M) {
    return M.Row && movesByFew(Factors[M.Moving[0]].Of);
  };
  const bool Divides =
      llvm::any_of(Terms, [&](const MovingTerm &M) { return !M.Row && followsThreads(M); });
  const bool OfTables =
      llvm::all_of(Terms, [&](const MovingTerm &M) { return !M.Row || IsOfFew(M); });
  if (Array.IsRow && Divides && OfTables)
    llvm::erase_if(Terms, IsOfFew);
}

/// Threads that go over the same planes one behind the other, `plane = wave - me` with `wave` in
/// a loop that each of them runs: their numbers say when they are where, and not where they are.
void PatternFinder::leaveOutDelays() {
  const auto IsOverAll = [&](const MovingTerm &M) {
    const EnclosingLoop *L = M.Moving.size() == 1 ? loop(M.Moving[0]) : nullptr;
    return L && L->Loop != By.Divided && std::llabs(L->Loop->Step) == 1 && !isNarrow(M) &&
           !Factors.dependsOnThread(L->First);
  };
  const auto IsDelay = [&](const MovingTerm &M) {
    return M.Moving.size() == 1 && Factors.isThreadNumber(M.Moving[0]) &&
           llvm::any_of(Terms, [&](const MovingTerm &Wave) {
             return IsOverAll(Wave) && strideOf(Wave) == strideOf(M) &&
                    std::llabs(Wave.T->Coefficient) == std::llabs(M.T->Coefficient);
           });
  };
  llvm::SmallVector<MovingTerm, 4> Places;
  llvm::copy_if(Terms, std::back_inserter(Places),
                [&](const MovingTerm &M) { return !IsDelay(M); });
  Terms = std::move(Places);
}

/// All that moves in it are loops of few steps.
bool PatternFinder::movesByFew(const Polynomial &F) {
  const llvm::SmallVector<MovingTerm, 4> Parts = movingTerms(F);
  return !Parts.empty() && llvm::all_of(Parts, [&](const MovingTerm &M) {
    return M.Moving.size() == 1 && isNarrow(M);
  });
}

/// The terms of `F` that loops or the thread's number move.
Polynomial PatternFinder::movingPart(const Polynomial &F) {
  return F.filtered([&](const Term &T) {
    return llvm::any_of(T.Factors, [&](FactorId Id) { return moves(Id); });
  });
}

/// All that moves in it is read from memory.
bool PatternFinder::movesByData(const Polynomial &F) {
  return llvm::all_of(movingPart(F).terms(), [&](const Term &T) {
    return llvm::all_of(T.Factors, [&](FactorId Id) {
      return Factors[Id].Kind == FactorKind::Loaded || !moves(Id);
    });
  });
}

/// It moves with loops' indices only.
bool PatternFinder::movesByIndices(const Polynomial &F) const {
  return llvm::all_of(F.terms(), [&](const Term &T) {
    return llvm::all_of(T.Factors, [&](FactorId Id) {
      const FactorKind Kind = Factors[Id].Kind;
      return Kind == FactorKind::Loop || Kind == FactorKind::Symbol ||
             Kind == FactorKind::Parameter;
    });
  });
}

/// With each loop that starts at another's index, `for (k = j * B; k < j * B + B; k++)`, counted
/// from there, as long as its length does not depend on that index but by what is read for it.
Polynomial PatternFinder::startingAtBounds(Polynomial F) {
  for (const EnclosingLoop &L : llvm::reverse(By.Loops)) {
    if (!L.Loop->Counted || L.Loop == By.Divided || !F.mentions(L.Loop->Factor))
      continue;
    const Polynomial Start = movingPart(L.First);
    if (Start.terms().empty())
      continue;
    const std::optional<Polynomial> Length = L.End.minus(L.First);
    if (!Length || !movesByData(*Length) ||
        !(movesByIndices(Start) || movingPart(*Length).terms().empty()))
      continue;
    if (const std::optional<Polynomial> Index = Polynomial(L.Loop->Factor).plus(Start))
      F = FactorTable::replaced(F, L.Loop->Factor, *Index);
  }
  return F;
}

//===-- What follows the parallel index -------------------------------------===//

/// `F` grows with the parallel index and moves with nothing else. `Depth`: how many times it may
/// be looked up in memory on the way.
bool PatternFinder::follows(const Polynomial &F, unsigned Depth) {
  bool Any = false;
  for (const Term &T : F.terms()) {
    const MovingTerm M = moving(T);
    if (M.Moving.empty())
      continue;
    if (M.Moving.size() > 1 || T.Coefficient < 0)
      return false;
    const FactorId Id = M.Moving[0];
    if (Id != By.Divided->Factor &&
        (Depth == 0 || !isDerived(Id) || !follows(Factors[Id].Of, Depth - 1)))
      return false;
    Any = true;
  }
  return Any;
}

/// It grows as the slowest part of what it is made of does.
bool PatternFinder::isAscending(FactorId Id) const {
  const FactorKind Kind = Factors[Id].Kind;
  return Kind == FactorKind::Row || Kind == FactorKind::Quotient || Id == RowBegin;
}

/// Read by the parallel index, and not once more for something else.
bool PatternFinder::isReadByIndex(FactorId Id) {
  return Factors[Id].Kind == FactorKind::Loaded && follows(Factors[Id].Of, 0);
}

/// The loop inside the divided one that moves the term, be it by steps that are looked up by the
/// parallel index, as the widths of boxes.
const EnclosingLoop *PatternFinder::loopWithin(const Term &T) {
  const EnclosingLoop *Found = nullptr;
  for (const FactorId Id : moving(T).Moving) {
    const EnclosingLoop *L = loop(Id);
    if (!L ? !isReadByIndex(Id) : Found || L->Loop == By.Divided)
      return nullptr;
    Found = L ? L : Found;
  }
  return T.Coefficient > 0 ? Found : nullptr;
}

/// Another loop, which is long or whose length nothing tells, steps over rows of what this one
/// goes over element by element: of a box, `i * width + j`, or columns of a constant height.
bool PatternFinder::isWithinRows(const Term &Elements, const EnclosingLoop &Within) {
  const std::optional<double> Steps = trips(Within);
  const double Column = Steps.value_or(0) * static_cast<double>(Elements.Coefficient);
  return llvm::any_of(Offset.terms(), [&](const Term &Rows) {
    const EnclosingLoop *L = loopWithin(Rows);
    if (!L || L == &Within || isNarrow(*L))
      return false;
    return Rows.Factors.size() > 1 ? !isNarrow(Within)
                                   : Steps && static_cast<double>(Rows.Coefficient) == Column;
  });
}

/// A loop of many steps goes on from there, element by element, or several loops do.
bool PatternFinder::isGoneOnFrom(const Term &Start) {
  return llvm::any_of(Offset.terms(), [&](const Term &T) {
    const EnclosingLoop *L = T.Factors.size() == 1 ? loopWithin(T) : nullptr;
    return L && T.Coefficient == Start.Coefficient &&
           (trips(*L).value_or(0) >= Many || isWithinRows(T, *L));
  });
}

/// One step of something else goes as far as it says, or a multiple of that.
bool PatternFinder::isStride(FactorId Id) const {
  return llvm::any_of(Offset.terms(), [&](const Term &T) {
    return T.Factors.size() > 1 && llvm::is_contained(T.Factors, Id);
  });
}

/// Where a table says that the row of the parallel index begins, `a[box[i].first + k]` with k up
/// to 100: those of a thread are one part of the array.
FactorId PatternFinder::beginOfRow() {
  for (const Term &T : Offset.terms())
    if (T.Factors.size() == 1 && isReadByIndex(*T.Factors.begin()) &&
        !isStride(*T.Factors.begin()) && isGoneOnFrom(T))
      return *T.Factors.begin();
  return {None, None};
}

bool PatternFinder::isDerived(FactorId Id) const {
  const FactorKind Kind = Factors[Id].Kind;
  return Kind == FactorKind::Loaded || Kind == FactorKind::Computed || isAscending(Id);
}

/// A loop from start[j] to start[j + 1], j being the parallel index.
bool PatternFinder::isGuided(const EnclosingLoop &L) {
  return L.Loop->Counted && follows(L.First, 1) && follows(L.End, 1);
}

bool PatternFinder::isThreadNumber(const MovingTerm &M) {
  if (M.Moving.size() != 1)
    return false;
  if (!isAscending(M.Moving[0]))
    return Factors.isThreadNumber(M.Moving[0]) || Numbers.isThreadNumber(M.Moving[0]);
  const llvm::SmallVector<MovingTerm, 4> Parts = movingTerms(Factors[M.Moving[0]].Of);
  return !Parts.empty() && isThreadNumber(Parts[0]);
}

bool PatternFinder::followsThreads(const MovingTerm &M) {
  if (!By.Divided)
    return isThreadNumber(M);
  if (M.Moving.size() != 1)
    return false;
  const FactorId Id = M.Moving[0];
  if (Id == By.Divided->Factor)
    return true;
  if (isAscending(Id))
    return rowFollows(Factors[Id].Of);
  const EnclosingLoop *L = loop(Id);
  return L && isGuided(*L);
}

/// The slowest part, if it follows the threads. Of a table's index: then the pointers of a
/// thread's part of the table point to one part of the array. Rows that are blocks of their own
/// may be put anywhere, whichever part follows: `image[colour][y]` with y in parallel.
std::optional<MovingTerm> PatternFinder::following(const Polynomial &F) {
  const llvm::SmallVector<MovingTerm, 4> Parts = movingTerms(F);
  const auto *Part = llvm::find_if(Parts, [&](const MovingTerm &M) { return followsThreads(M); });
  const bool IsIt = Part != Parts.end() && (Array.IsRow || Part == Parts.begin());
  return IsIt ? std::optional(*Part) : std::nullopt;
}

/// Of a term that follows the threads: it falls while what they divide rises.
bool PatternFinder::falls(const MovingTerm &M) {
  const bool Down = M.T->Coefficient < 0;
  if (!isAscending(M.Moving[0]))
    return Down;
  const std::optional<MovingTerm> Part = following(Factors[M.Moving[0]].Of);
  return Down != (Part && falls(*Part));
}

/// What grows with the thread's number is subtracted.
bool PatternFinder::fallsWithThread(const Polynomial &F) {
  return llvm::any_of(F.terms(), [&](const Term &T) {
    return llvm::any_of(T.Factors, [&](FactorId Id) {
      if (!Factors.dependence(Id).Thread)
        return false;
      const bool OfPart = isAscending(Id) && fallsWithThread(Factors[Id].Of);
      return (T.Coefficient < 0) != OfPart;
    });
  });
}

/// The first thread has the greatest indices of what is divided. In which direction a thread goes
/// through a share that its number gives it does not matter.
bool PatternFinder::isDividedBackwards() {
  if (By.Divided->Kind == ScopeKind::Loop)
    return fallsWithThread(loop(By.Divided->Factor)->First);
  return By.Divided->Step < 0;
}

/// The array that guides a term which follows the threads by way of memory.
FactorId PatternFinder::guide(const MovingTerm &M) {
  const FactorId Id = M.Moving[0];
  if (Factors[Id].Kind == FactorKind::Row || Id == RowBegin)
    return Id;
  const EnclosingLoop *L = loop(Id);
  if (L && L->Loop != By.Divided)
    for (const Term &T : L->First.terms())
      for (const FactorId Start : T.Factors)
        if (Factors[Start].Kind == FactorKind::Loaded)
          return Start;
  return {None, None};
}

bool PatternFinder::dependsOnThreads(FactorId Id) {
  const auto &On = Factors.dependence(Id);
  if (On.Thread || (By.Divided && llvm::is_contained(On.Loops, By.Divided->Factor)))
    return true;
  return llvm::any_of(On.Loops, [&](FactorId Loop) {
    const EnclosingLoop *L = loop(Loop);
    return L && isGuided(*L);
  });
}

/// The same, be it by where loops around it begin, as those over the cells around a particle.
bool PatternFinder::differsByThreads(FactorId Id) {
  if (dependsOnThreads(Id))
    return true;
  const llvm::SmallSet<FactorId, 8> Behind = loopsBehind(Polynomial(Id), By);
  return std::any_of(Behind.begin(), Behind.end(),
                     [&](FactorId Loop) { return dependsOnThreads(Loop); });
}
