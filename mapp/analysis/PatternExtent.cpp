//===-- PatternExtent.cpp - which part a thread uses ------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PatternFinder.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <utility>

using namespace mapp;

static int64_t floorDivide(int64_t Dividend, int64_t Divisor) {
  return Dividend / Divisor - (Dividend % Divisor < 0 ? 1 : 0);
}

/// The first value over the whole parallel loop of its index, or of a quotient of that, and one
/// more than the last.
std::optional<std::pair<int64_t, int64_t>> PatternFinder::valuesOf(FactorId Id) {
  const EnclosingLoop *L = loop(By.Divided->Factor);
  const std::optional<int64_t> First = L->First.constant(), End = L->End.constant();
  if (!L->Loop->Counted || !First || !End || *End <= *First)
    return std::nullopt;
  if (Id == By.Divided->Factor)
    return std::pair(*First, *End);
  const Factor &Quotient = Factors[Id];
  const auto At = [&](int64_t Index) {
    return FactorTable::replaced(Quotient.Of, By.Divided->Factor, Polynomial(Index)).constant();
  };
  std::optional<int64_t> Low = At(*First), High = At(*End - 1);
  if (Low && High && *Low > *High)
    std::swap(Low, High);
  if (Quotient.Index == None || !Low || !High)
    return std::nullopt;
  return std::pair(floorDivide(*Low, Quotient.Index), floorDivide(*High, Quotient.Index) + 1);
}

/// Where something begins in the array, as the run says: the begin[k] in &a[begin[k]]. What is
/// taken away, as in x[i + n * j - 1 - n], makes up for indices that begin at 1.
bool PatternFinder::isBegin(const Term &T) {
  return !T.Factors.empty() && T.Coefficient > 0 && moving(T).Moving.empty() &&
         llvm::none_of(T.Factors, [&](FactorId Id) {
           const FactorKind Kind = Factors[Id].Kind;
           return Kind == FactorKind::Computed || Kind == FactorKind::Quotient;
         });
}

/// Whether it goes at least as far as the whole loop: the next of several arrays in one block, as
/// b in `b = a + length`.
bool PatternFinder::isBehindLoop(const Term &T, const MovingTerm &Slowest) {
  const EnclosingLoop *L = loop(By.Divided->Factor);
  return Slowest.Fixed == 0 && L->Loop->Counted && !T.Factors.empty() &&
         llvm::any_of(L->End.terms(), [&](const Term &Length) {
           return Length.Factors == T.Factors && Length.Coefficient > 0 &&
                  T.Coefficient >= std::llabs(Slowest.T->Coefficient) * Length.Coefficient;
         });
}

/// Whether it is a number of its own, not one of those by which rows are counted, nor the index
/// of a loop outside, which says in which of the rows: `level->f = level->u + level->cells`.
bool PatternFinder::isOfItsOwn(const Term &T, const MovingTerm &Slowest) {
  const auto IsLoop = [&](FactorId Id) { return Factors[Id].Kind == FactorKind::Loop; };
  const auto CountsRows = [&](FactorId Id) { return llvm::is_contained(Slowest.T->Factors, Id); };
  return isBegin(T) && llvm::none_of(T.Factors, IsLoop) && !llvm::all_of(T.Factors, CountsRows);
}

/// It has so many values that the text tells: `step % 2`.
bool PatternFinder::isOneOfFew(FactorId Id) const {
  return Factors[Id].Kind == FactorKind::Computed && Factors[Id].Index != None;
}

/// Which of a few equal parts of a block it is, one behind the other, as of the levels of time in
/// `u + (step % 2) * n`.
bool PatternFinder::isLevel(const Term &T, const MovingTerm &Slowest) {
  const auto IsOneOfFew = [&](FactorId Id) { return isOneOfFew(Id) && !moves(Id); };
  return llvm::count_if(T.Factors, IsOneOfFew) == 1 &&
         (numbersIn(T) - 1 > Slowest.Fixed || T.Coefficient >= Far);
}

/// Further in the array than neighbouring rows are, by a constant.
bool PatternFinder::isFarInside(const MovingTerm &Slowest) {
  constexpr int64_t WidestStencil = 8;
  const int64_t Step = Slowest.Fixed > 0 ? 1 : std::llabs(Slowest.T->Coefficient);
  return Offset.constantTerm() >= Far && Offset.constantTerm() / Step > WidestStencil;
}

/// Where in the array the units begin that the loop goes over.
void PatternFinder::setBegin(const MovingTerm &Slowest, Use &Out) {
  Out.IsShifted = llvm::any_of(Offset.terms(), [&](const Term &T) { return isBegin(T); });
  Out.IsBehind = isFarInside(Slowest) || llvm::any_of(Offset.terms(), [&](const Term &T) {
                   return isBehindLoop(T, Slowest) || isOfItsOwn(T, Slowest) || isLevel(T, Slowest);
                 });
}

/// The units that the whole loop touches, where its bounds are constant.
void PatternFinder::setRange(const MovingTerm &Slowest, Use &Out) {
  const auto Unit = static_cast<int64_t>(Array.UnitBytes);
  const int64_t Step = Slowest.T->Coefficient;
  const std::optional<std::pair<int64_t, int64_t>> Values = valuesOf(Slowest.Moving[0]);
  const bool Shifted = llvm::any_of(Offset.terms(), [&](const Term &T) {
    return !T.Factors.empty() && moving(T).Moving.empty();
  });
  if (!Values || Slowest.Fixed > 0 || Shifted || Step % Unit != 0)
    return;
  const auto [First, End] = *Values;
  int64_t Begin = 0;
  if (__builtin_mul_overflow(Step, Step > 0 ? First : End - 1, &Begin) ||
      __builtin_add_overflow(Begin, Offset.constantTerm(), &Begin) ||
      __builtin_add_overflow(Begin, leastInRow(Step), &Begin) ||
      __builtin_mul_overflow(std::llabs(Step) / Unit, End - First, &Out.Count))
    return;
  Out.First = floorDivide(Begin, Unit);
  Out.HasRange = true;
}

/// What loops within a row add at least: a[i - 1][j - 1] with j from 1 is in row i - 1, not
/// before it. And a[i * n + n - 1 - j] is not behind row i, where rows are only counted.
int64_t PatternFinder::leastInRow(int64_t Step) const {
  int64_t Sum = 0;
  for (const Term &T : Offset.terms()) {
    const EnclosingLoop *L = T.Factors.size() == 1 ? loop(*T.Factors.begin()) : nullptr;
    const bool IsInUnit = std::llabs(T.Coefficient) < static_cast<int64_t>(Array.UnitBytes);
    const bool GoesBack = T.Coefficient < 0 && -T.Coefficient < std::llabs(Step);
    if (!L || L->Loop == By.Divided || !L->Loop->Counted || (!IsInUnit && !GoesBack))
      continue;
    const std::optional<int64_t> First = L->First.constant(), End = L->End.constant();
    const std::optional<int64_t> Least = T.Coefficient > 0 ? First
                                         : End             ? std::optional(*End - 1)
                                                           : std::nullopt;
    int64_t Bytes = 0;
    if (Least && !__builtin_mul_overflow(T.Coefficient, *Least, &Bytes) &&
        __builtin_add_overflow(Sum, Bytes, &Sum))
      return 0;
  }
  return Sum;
}

/// Of a loop whose index is the slowest part, from start[i] on, i being the parallel index, or
/// from start[list[i]] on.
std::optional<RowPointers> PatternFinder::rowPointers(const MovingTerm &Slowest) {
  const EnclosingLoop *Inner = loop(Slowest.Moving[0]), *Outer = loop(By.Divided->Factor);
  const int64_t Step = Slowest.T->Coefficient;
  const bool Shifted = llvm::any_of(Offset.terms(), [&](const Term &T) {
    return !T.Factors.empty() && moving(T).Moving.empty();
  });
  if (!Inner || !Outer || Inner->Loop == By.Divided || Slowest.Fixed > 0 || Step <= 0 || Shifted ||
      By.Divided->Step != 1 || !Outer->Loop->Counted)
    return std::nullopt;
  constexpr int64_t LittleBytes = 4096 / 8; // Of a page.
  const std::optional<Term> Start =
      Inner->First.onlyTerm(LittleBytes / std::min(Step, LittleBytes));
  if (!Start || Factors[*Start->Factors.begin()].Kind != FactorKind::Loaded)
    return std::nullopt;
  RowPointers Result{*Start->Factors.begin(), 0, 0, 0, {}, {}};
  const Polynomial &Read = Factors[Result.Read].Of;
  const std::optional<Term> Index = Read.onlyTerm(INT64_MAX);
  if (!Index)
    return std::nullopt;
  if (*Index->Factors.begin() == By.Divided->Factor) {
    Result.First = Outer->First.constant();
    Result.End = Outer->End.constant();
  } else if (Factors[*Index->Factors.begin()].Kind != FactorKind::Loaded) {
    return std::nullopt;
  }
  if (__builtin_mul_overflow(Step, Start->Coefficient, &Result.Bytes))
    return std::nullopt;
  Result.EntryBytes = Index->Coefficient;
  Result.Offset = Read.constantTerm();
  return Result;
}

/// What the offset moves by in one step of the factor, as far as nothing else moves with it.
Polynomial PatternFinder::step(FactorId Id) {
  Polynomial Sum;
  for (const Term &T : Offset.terms()) {
    const MovingTerm M = moving(T);
    if (M.Moving.size() != 1 || M.Moving[0] != Id)
      continue;
    std::optional<Polynomial> Part = Polynomial(T.Coefficient);
    for (const FactorId Fixed : T.Factors)
      if (Part && Fixed != Id)
        Part = Part->times(Polynomial(Fixed));
    Part = Part ? Sum.plus(*Part) : std::nullopt;
    Sum = Part ? *Part : Sum;
  }
  return Sum;
}

/// It is smaller than the unit, a few times at most: so many bytes times some of the numbers that
/// the unit is a product of, as the row before, `a[(k * ny + j - 1) * nx + i]`, in a plane.
static bool isWithin(const Term &T, const Term &Unit) {
  constexpr int64_t WidestStencil = 8;
  return T.Factors.size() < Unit.Factors.size() &&
         std::includes(Unit.Factors.begin(), Unit.Factors.end(), T.Factors.begin(),
                       T.Factors.end()) &&
         std::llabs(T.Coefficient) / WidestStencil <= std::llabs(Unit.Coefficient);
}

/// It does not move, and no part of a unit says how far it goes.
bool PatternFinder::isBeyond(const Term &T, const Polynomial &Unit) {
  return !T.Factors.empty() && moving(T).Moving.empty() &&
         llvm::none_of(Unit.terms(), [&](const Term &Part) {
           return T.Factors == Part.Factors || isWithin(T, Part);
         });
}

/// How many units of `Unit` bytes the parts of the offset are that do not move, up to a unit: the
/// 1 in a[(i + 1) * n + j]; nothing where another part of the program's decides that.
std::optional<int64_t> PatternFinder::shift(const Polynomial &Unit) {
  if (Unit.terms().empty())
    return std::nullopt;
  const Term &One = Unit.terms().back(); // The constant, if there is one, comes first.
  int64_t Units = 0;
  for (const Term &T : Offset.terms())
    if (T.Factors == One.Factors)
      Units = floorDivide(T.Coefficient, One.Coefficient);
    else if (isBeyond(T, Unit))
      return std::nullopt;
  return Units;
}

/// Bytes up to where the part of the array begins that the loop goes over, where the program
/// decides that: those of `shift()` are none.
Polynomial PatternFinder::beginOfPart(const Polynomial &Unit) {
  if (Unit.terms().empty())
    return {};
  return Offset.filtered([&](const Term &T) { return isBeyond(T, Unit); });
}

/// The same where the offset falls while the index rises: the n in a[n - 1 - i].
void PatternFinder::setUnitsFromEnd(const EnclosingLoop &L, const Polynomial &Unit, Sweep &Out) {
  const Polynomial Fixed = Offset.filtered([&](const Term &T) { return moving(T).Moving.empty(); });
  const std::optional<int64_t> Bytes = Unit.constant();
  const std::optional<Polynomial> Units = Bytes ? Fixed.dividedBy(*Bytes) : std::nullopt;
  const std::optional<Polynomial> End = Units ? Units->plus(Polynomial(1)) : std::nullopt;
  if (!L.Loop->Counted || !End)
    return;
  Out.First = End->minus(L.End);
  Out.Count = L.End.minus(L.First);
}

/// How far from the parallel index the row is whose pointer this is.
/// @param Level receives how many tables further on the index is; None where it is nowhere
std::optional<int64_t> PatternFinder::shiftInTable(FactorId Pointer, unsigned &Level) {
  const Polynomial &At = Factors[Pointer].Of;
  for (const Term &T : At.terms()) {
    if (T.Factors.size() != 1)
      continue;
    const FactorId Moving = *T.Factors.begin();
    if (Moving == By.Divided->Factor)
      return T.Coefficient > 0 ? std::optional(floorDivide(At.constantTerm(), T.Coefficient))
                               : std::nullopt;
    if (Factors[Moving].Kind == FactorKind::Row && rowFollows(Factors[Moving].Of))
      return shiftInTable(Moving, ++Level);
    if (const EnclosingLoop *L = loop(Moving); L && isGuided(*L)) // It goes over several rows.
      return std::nullopt;
  }
  Level = None;
  return std::nullopt;
}

static void setUnits(const EnclosingLoop &L, std::optional<int64_t> Shift, Sweep &Out) {
  if (!L.Loop->Counted || !Shift)
    return;
  Out.First = L.First.plus(Polynomial(*Shift));
  Out.Count = L.End.minus(L.First);
}

/// The same as setRange() where the program's variables are the bounds.
void PatternFinder::setSweep(const MovingTerm &Slowest, Use &Out) {
  const EnclosingLoop *L = loop(By.Divided->Factor);
  const FactorId Id = Slowest.Moving[0];
  if (!L)
    return;
  Sweep S;
  if (Slowest.Row) {
    S.Rows = true;
    const std::optional<int64_t> Shift = shiftInTable(Id, S.Level);
    setUnits(*L, Shift, S);
  } else if (Id != By.Divided->Factor) {
    return;
  } else if (Slowest.T->Coefficient > 0) {
    S.Unit = step(Id);
    S.Begin = beginOfPart(S.Unit);
    setUnits(*L, shift(S.Unit), S);
  } else if (const std::optional<Polynomial> Unit = Polynomial().minus(step(Id))) {
    S.Unit = *Unit;
    setUnitsFromEnd(*L, S.Unit, S);
  }
  Out.Moves = std::move(S);
}

/// What the offset moves by in one step of a loop around the parallel region.
Polynomial PatternFinder::outerStep(const EnclosingLoop &L) const {
  Polynomial Sum;
  for (const Term &T : Offset.terms()) {
    std::optional<Polynomial> Part = Polynomial(T.Coefficient);
    for (const FactorId Other : T.Factors)
      if (Part && Other != L.Loop->Factor)
        Part = Part->times(Polynomial(Other));
    Part = Part && llvm::is_contained(T.Factors, L.Loop->Factor) ? Sum.plus(*Part) : std::nullopt;
    Sum = Part ? *Part : Sum;
  }
  return Sum;
}

/// A block has no declared rows: one is what the slowest term steps over.
/// @return its bytes, where the parallel index does not step over them itself
std::optional<Polynomial> PatternFinder::stepOverRows(const MovingTerm &Driven) {
  if (const Term *Outer = outerRow(Driven))
    return outerStep(*outerLoop(*Outer));
  const MovingTerm &Slowest = Terms[0];
  if (&Driven == &Slowest || Slowest.Row || Slowest.Moving.size() != 1 ||
      Slowest.T->Coefficient <= 0)
    return std::nullopt;
  return step(Slowest.Moving[0]);
}

void PatternFinder::setColumns(Use &Out) {
  const auto Driven = llvm::find_if(Terms, [&](const MovingTerm &M) {
    return M.Moving.size() == 1 && M.Moving[0] == By.Divided->Factor;
  });
  const EnclosingLoop *L = loop(By.Divided->Factor);
  if (Driven == Terms.end() || !L)
    return;
  const std::optional<Polynomial> Rows = stepOverRows(*Driven);
  if (!Rows)
    return;
  Sweep S;
  S.Unit = *Rows;
  const Polynomial Step = step(By.Divided->Factor);
  const bool Rises = Driven->T->Coefficient > 0;
  S.Element = Rises ? Step : Polynomial().minus(Step).value_or(Step);
  if (Rises)
    setUnits(*L, shift(S.Element), S);
  Out.Dimension = 2;
  Out.InOrder = By.Order == Schedule::Static;
  Out.Reversed = isReversed(*Driven);
  Out.Moves = std::move(S);
}
