//===-- PatternTraffic.cpp - how much one access moves ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PatternFinder.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace mapp;

void PatternFinder::lookAround() {
  llvm::SmallSet<FactorId, 8> Moving;
  bool BySpan = false;
  for (const Term &T : Offset.terms())
    for (const FactorId Id : T.Factors) {
      const auto &On = Factors.dependence(Id);
      Moving.insert(On.Loops.begin(), On.Loops.end());
      BySpan |= Factors[Id].Kind == FactorKind::Span;
    }
  for (const EnclosingLoop &L : By.Loops)
    Loops.push_back({&L, TripsOf.of(L), BySpan || Moving.contains(L.Loop->Factor)});
}

/// A loop inside of it that moves the subscript begins where its index says.
bool PatternFinder::movesBegins(const EnclosingLoop &L) {
  return llvm::any_of(Loops, [&](const Around &Inner) {
    return Inner.MovesIt && llvm::any_of(Inner.L->First.terms(), [&](const Term &T) {
             return llvm::any_of(T.Factors, [&](FactorId Id) {
               return llvm::is_contained(Factors.dependence(Id).Loops, L.Loop->Factor);
             });
           });
  });
}

static bool hasIndex(const Polynomial &F, const EnclosingLoop &L) {
  return llvm::any_of(F.terms(),
                      [&](const Term &T) { return llvm::is_contained(T.Factors, L.Loop->Factor); });
}

/// A loop inside of it that moves the subscript begins at its index and ends elsewhere,
/// `for (j = i + 1; j < n; j++)`, and so comes to the same elements again.
bool PatternFinder::comesBack(const EnclosingLoop &L) const {
  return llvm::any_of(Loops, [&](const Around &Inner) {
    return Inner.MovesIt && hasIndex(Inner.L->First, L) && !hasIndex(Inner.L->End, L);
  });
}

/// What the array holds of what the subscript goes over in its smallest steps.
double PatternFinder::elements() {
  uint64_t Finest = Array.Bytes;
  for (const Term &T : Offset.terms())
    if (!T.Factors.empty() && T.Coefficient != 0)
      Finest = std::min<uint64_t>(Finest, std::llabs(T.Coefficient));
  return std::max(1.0, static_cast<double>(Array.Bytes) /
                           static_cast<double>(std::max<uint64_t>(Finest, 1)));
}

/// Its index looks up where a loop inside of it ends that moves the subscript and begins elsewhere
/// each time: it goes from part to part of the array, as over the rows of a sparse matrix.
bool PatternFinder::goesFromPartToPart(const EnclosingLoop &L) const {
  const auto IsLookedUp = [&](FactorId Id) {
    return Factors[Id].Kind == FactorKind::Loaded && hasIndex(Factors[Id].Of, L);
  };
  return llvm::any_of(Loops, [&](const Around &Inner) {
    return hasIndex(Offset, *Inner.L) && !Inner.L->First.constant() &&
           llvm::any_of(Inner.L->End.terms(),
                        [&](const Term &T) { return llvm::any_of(T.Factors, IsLookedUp); });
  });
}

/// By how much guesses are too high: loops that make up the subscript come to each element once,
/// and make no more steps together than there are elements.
double PatternFinder::overestimate() {
  double Steps = 1;
  bool Guessed = false;
  for (const auto &[L, Of, MovesIt] : Loops) {
    if (!hasIndex(Offset, *L) && !goesFromPartToPart(*L))
      continue;
    Steps *= Of.Steps;
    Guessed |= Of.Guessed;
  }
  return Guessed ? std::max(1.0, Steps / elements()) : 1;
}

/// Bytes that this access moves: so many elements as the loops around it make steps. What the
/// innermost loops do not move stays in the cache.
double PatternFinder::traffic() {
  double Bytes = ElementBytes;
  bool Moves = false;
  for (const Around &L : llvm::reverse(Loops)) {
    Moves = Moves || L.MovesIt;
    if (Moves)
      Bytes *= L.Trips.Steps;
  }
  return Bytes;
}

void PatternFinder::countSteps(Use &Out) {
  Out.Estimated = false;
  for (const auto &[L, Of, MovesIt] : Loops) {
    Out.Steps *= Of.Steps;
    Out.Estimated |= Of.Guessed;
    if (L->Loop == By.Divided)
      Out.DividesMany = !Of.Guessed || Of.Steps > FewSteps;
    if (!MovesIt && !movesBegins(*L))
      continue;
    Out.Pass *= Of.Steps;
    Out.IsGuessedPass |= Of.Guessed;
    Out.ComesBack |= !MovesIt && comesBack(*L);
  }
}

/// A number that loops count on, and nothing else, moves it.
void PatternFinder::setCounted(Use &Out) {
  const auto Moves = [&](const Term &T) {
    return llvm::any_of(T.Factors,
                        [&](FactorId Id) { return !Factors.dependence(Id).Loops.empty(); });
  };
  const auto Moving = llvm::find_if(Offset.terms(), Moves);
  if (Moving == Offset.terms().end() || Moving->Factors.size() != 1 ||
      Factors[*Moving->Factors.begin()].Kind != FactorKind::Computed || Moving->Coefficient <= 0 ||
      std::any_of(std::next(Moving), Offset.terms().end(), Moves))
    return;
  const auto Outermost = llvm::find_if(Loops, [](const Around &L) { return L.MovesIt; });
  Out.CountsIn = Outermost == Loops.end() ? nullptr : Outermost->L->Loop;
  Out.Within = Offset.constantTerm() % Moving->Coefficient;
}

/// Nothing that is read from memory, or that another function tells, says what it is.
/// @param Told those that have been looked at
bool PatternFinder::isToldByText(FactorId Id, llvm::SmallSet<FactorId, 8> &Told) {
  if (!Told.insert(Id).second)
    return true;
  const Factor &F = Factors[Id];
  switch (F.Kind) {
  case FactorKind::Loop:
  case FactorKind::Parameter:
    return true;
  case FactorKind::Symbol: // Such as a counter of other functions.
    return !Numbers.isChanged(Polynomial(Id));
  case FactorKind::Quotient:
  case FactorKind::Computed:
    return llvm::all_of(F.Of.terms(), [&](const Term &T) {
      return llvm::all_of(T.Factors, [&](FactorId Part) { return isToldByText(Part, Told); });
    });
  default:
    return false;
  }
}

/// However often it is made, it goes to few elements, as where a source of waves is.
bool PatternFinder::isOfFewElements() {
  llvm::SmallSet<FactorId, 8> Told, Moving;
  double Elements = 1;
  for (const Term &T : Offset.terms())
    for (const FactorId Id : T.Factors) {
      if (!isToldByText(Id, Told))
        return false;
      const auto &On = Factors.dependence(Id);
      if (isOneOfFew(Id))
        Elements *= Factors[Id].Index;
      else
        Moving.insert(On.Loops.begin(), On.Loops.end());
    }
  for (const Around &A : Loops)
    if (Moving.contains(A.L->Loop->Factor))
      Elements *= A.Trips.Guessed ? INFINITY : A.Trips.Steps;
  return Elements <= MostFewElements;
}

/// The threads meet between the loop's iterations.
bool PatternFinder::isOutside(const EnclosingLoop &L) const {
  const EnclosingLoop *Divided = By.Divided ? loop(By.Divided->Factor) : nullptr;
  return Divided ? &L < Divided : !L.InParallel;
}

/// Which loops move the access how far, where all that moves it is known.
void PatternFinder::setWalks(Use &Out) {
  int64_t Start = Offset.constantTerm();
  for (const Term &T : Offset.terms()) {
    if (T.Factors.empty())
      continue;
    const EnclosingLoop *L = T.Factors.size() == 1 ? loop(*T.Factors.begin()) : nullptr;
    if (!L)
      return Out.Walks.clear();
    const std::optional<double> Known = trips(*L);
    const std::optional<int64_t> First = L->Loop->Counted ? L->First.constant() : std::nullopt;
    const double Steps = Known ? *Known : TripsOf.byDimension(*L);
    const auto Stride = static_cast<double>(T.Coefficient) *
                        static_cast<double>(L->Loop->Step == 0 ? 1 : std::abs(L->Loop->Step));
    const double Begin =
        static_cast<double>(Start) +
        static_cast<double>(T.Coefficient) * static_cast<double>(First.value_or(0)) +
        (Stride < 0 ? Stride * (Steps - 1) : 0);
    if (std::fabs(Stride) > static_cast<double>(Array.Bytes) ||
        std::fabs(Begin) > static_cast<double>(Array.Bytes))
      return Out.Walks.clear();
    Start = static_cast<int64_t>(Begin);
    Out.Walks.push_back({static_cast<int64_t>(std::fabs(Stride)), Steps, isOutside(*L)});
  }
  Out.Start = Start;
}
