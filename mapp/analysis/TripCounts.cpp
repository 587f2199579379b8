//===-- TripCounts.cpp - how long loops are ---------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TripCounts.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace mapp;

std::optional<double> mapp::trips(const EnclosingLoop &L) {
  if (L.Loop->Once)
    return 1;
  const std::optional<int64_t> Length = L.End.distanceFrom(L.First);
  if (!L.Loop->Counted || !Length || L.Loop->Step == 0)
    return std::nullopt;
  return std::max(
      1.0, std::ceil(static_cast<double>(*Length) / std::fabs(static_cast<double>(L.Loop->Step))));
}

double TripCounts::byDimension(const EnclosingLoop &L) const {
  for (const Term &T : Offset.terms()) {
    const auto Step = static_cast<uint64_t>(std::llabs(T.Coefficient));
    if (!llvm::is_contained(T.Factors, L.Loop->Factor) || T.Factors.size() > 1 || Step == 0)
      continue;
    uint64_t Outer = Array.Bytes;
    for (const uint64_t Stride : Array.Strides)
      if (Stride > Step)
        Outer = Stride;
    return std::max(1.0, static_cast<double>(Outer) / static_cast<double>(Step));
  }
  return FewSteps;
}

/// It is the number of threads, or one thread's number, or differs little from that.
bool TripCounts::isOfTeam(const Polynomial &F) const {
  const auto IsLittle = [](const Term &T) {
    return T.Factors.empty() && std::fabs(static_cast<double>(T.Coefficient)) < FewSteps;
  };
  const auto IsOfTeam = [&](const Term &T) {
    if (T.Factors.size() != 1)
      return false;
    const FactorId Id = *T.Factors.begin();
    return Factors.isThreadNumber(Id) || Factors.isNumberOfThreads(Id);
  };
  return !F.constant() &&
         llvm::all_of(F.terms(), [&](const Term &T) { return IsLittle(T) || IsOfTeam(T); });
}

bool TripCounts::isOverThreads(const EnclosingLoop &L) {
  const std::optional<Polynomial> Length =
      L.Loop->Counted ? Numbers.in(L.End).minus(Numbers.in(L.First)) : std::nullopt;
  return Length && isOfTeam(*Length);
}

/// What a form may come to: loops are in the middle of their range, and all that the run decides
/// is as large as `Unknown`, but for what differs from iteration to iteration.
double TripCounts::typical(const Polynomial &F, unsigned Depth) {
  const Polynomial InNumbers = Numbers.in(F);
  double Sum = 0;
  for (const Term &T : InNumbers.terms()) {
    auto Product = static_cast<double>(T.Coefficient);
    for (const FactorId Id : T.Factors)
      Product *= typical(Id, Depth);
    Sum += Product;
  }
  return Sum;
}

double TripCounts::typical(FactorId Id, unsigned Depth) {
  constexpr double Unknown = 1024;
  constexpr unsigned Further = 1; // What is stored may be what was stored elsewhere, and so on.
  if (Depth == 0)
    return Unknown;
  if (const EnclosingLoop *L = loopOf(By, Id))
    return L->Loop->Counted ? (typical(L->First, Depth - 1) + typical(L->End, Depth - 1)) / 2
                            : FewSteps;
  if (isOfTeam(Numbers.in(Polynomial(Id))))
    return threadsOf(By);
  const Factor &F = Factors[Id];
  if (F.Kind == FactorKind::Quotient && F.Index != None)
    return typical(F.Of, Depth - 1) / F.Index;
  if (F.Kind == FactorKind::Computed && !F.Of.terms().empty())
    return typical(F.Of, Depth - 1) / static_cast<double>(F.Of.terms().size());
  const llvm::SmallVector<const Polynomial *, 4> Stored = Numbers.assigned(Id);
  if (llvm::any_of(Stored, [&](const Polynomial *P) { return isOfTeam(*P); }))
    return threadsOf(By);
  double Most = Factors.dependence(Id).Loops.empty() ? Unknown : FewSteps;
  for (const Polynomial *P : Stored)
    Most = std::max(Most, typical(*P, std::min(Depth - 1, Further)));
  return Most;
}

/// It moves with loops around the access only.
bool TripCounts::movesByLoops(const Polynomial &F) const {
  return llvm::all_of(F.terms(), [&](const Term &T) {
    return llvm::all_of(T.Factors, [&](FactorId Id) { return loopOf(By, Id) != nullptr; });
  });
}

/// From one number that the run decides to another: what they differ by is not known, whatever
/// constants stand beside them, as in `i = least; i <= most`. Then it is 0.
double TripCounts::typicalLength(const EnclosingLoop &L) {
  constexpr unsigned MaxDepth = 6;
  const Polynomial First = Numbers.in(L.First), End = Numbers.in(L.End);
  const double Length = typical(End, MaxDepth) - typical(First, MaxDepth);
  const auto Constant = static_cast<double>(End.constantTerm() - First.constantTerm());
  const bool IsTriangle = movesByLoops(First) && movesByLoops(End);
  return Length > Constant || IsTriangle ? std::max(Length, 0.0) : 0;
}

/// A guess for the length of a loop that holds in relation to those for others, where the array
/// itself does not tell.
double TripCounts::typicalTrips(const EnclosingLoop &L) {
  constexpr double SomeStep = 32;
  if (!Array.Strides.empty())
    return byDimension(L);
  const double Length = L.Loop->Counted ? typicalLength(L) : 0;
  const double Step = L.Loop->Step == 0 ? SomeStep : std::fabs(static_cast<double>(L.Loop->Step));
  if (L.Loop == By.Divided && Length <= 0)
    return SomeShares;
  return Length > 0 ? std::max(1.0, Length / Step) : FewSteps;
}

TripCount TripCounts::of(const EnclosingLoop &L) {
  const std::optional<double> Known = trips(L);
  if (Known)
    return {*Known, false};
  return {isOverThreads(L) ? threadsOf(By) : typicalTrips(L), true};
}
