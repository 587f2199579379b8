//===-- FactorTable.cpp - the factors of the whole program ------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FactorTable.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mapp;

static uint64_t keyOf(FactorId Id) { return uint64_t(Id.Unit) << 32 | Id.Index; }

FactorId FactorTable::add(Factor New) {
  Own.push_back(std::move(New));
  return {static_cast<uint32_t>(Units.size()), static_cast<uint32_t>(Own.size() - 1)};
}

void FactorTable::addDependence(Dependence &To, FactorId Id) {
  const Dependence &From = dependence(Id);
  To.Thread |= From.Thread;
  To.Parameters |= From.Parameters;
  To.Memory |= From.Memory;
  for (const FactorId Loop : From.Loops)
    if (auto *Position = std::lower_bound(To.Loops.begin(), To.Loops.end(), Loop);
        Position == To.Loops.end() || *Position != Loop)
      To.Loops.insert(Position, Loop);
}

/// The parameter that points to the memory which a factor of a unit was read from, or null.
const Base *FactorTable::parameterBase(FactorId Id) const {
  if (Id.Unit == Units.size())
    return nullptr;
  const uint32_t From = (*this)[Id].Base;
  const Base *R = From == None ? nullptr : &Units[Id.Unit].Bases[From];
  return R && R->Kind == BaseKind::Parameter ? R : nullptr;
}

/// A value that is tested to be in a range.
bool FactorTable::isTested(FactorId Id) const {
  return (*this)[Id].Kind == FactorKind::Loop && !(*this)[Id].Of.terms().empty();
}

/// Where the range is a thread's share, what passes the test is that thread's; else it says
/// nothing.
Polynomial FactorTable::tested(FactorId Id, Arguments &Bound) {
  const Factor &Value = (*this)[Id];
  const Polynomial &First = Units[Id.Unit].Scopes[Value.Index].First;
  return dependsOnThread(inCaller(First, Bound)) ? Polynomial(Id) : inCaller(Value.Of, Bound);
}

/// What a caller has stored where this was read from, or null.
const Polynomial *FactorTable::passed(FactorId Id, const Arguments &Bound) const {
  const Base *From = parameterBase(Id);
  const std::optional<int64_t> Offset = (*this)[Id].Of.constant();
  if (!From || !Offset || (*this)[Id].Kind != FactorKind::Loaded)
    return nullptr;
  const auto Known = Bound.Numbers.find({From->Index, *Offset});
  return Known == Bound.Numbers.end() ? nullptr : &Known->second;
}

const Dependence &FactorTable::dependence(FactorId Id) {
  std::vector<std::unique_ptr<Dependence>> &Known = Dependences[Id.Unit];
  if (Id.Index < Known.size() && Known[Id.Index])
    return *Known[Id.Index];
  Dependence New;
  const FactorKind Kind = (*this)[Id].Kind;
  if (Kind == FactorKind::Loop)
    New.Loops.push_back(Id);
  New.Thread = Kind == FactorKind::Thread ||
               (Kind == FactorKind::Answer && Answers.dependOnThread(asked(Id)));
  New.Parameters = Kind == FactorKind::Parameter || parameterBase(Id);
  New.Memory = Kind == FactorKind::Loaded || Kind == FactorKind::Row;
  if (isTested(Id))
    New.Parameters = true;
  else
    for (const Term &T : (*this)[Id].Of.terms())
      for (const FactorId Factor : T.Factors)
        addDependence(New, Factor);
  if (Known.size() <= Id.Index)
    Known.resize(std::max<size_t>(Id.Index + 1, 2 * Known.size()));
  Known[Id.Index] = std::make_unique<Dependence>(std::move(New));
  return *Known[Id.Index];
}

bool FactorTable::dependsOn(const Polynomial &F, bool Dependence::*What) {
  return llvm::any_of(F.terms(), [&](const Term &T) {
    return llvm::any_of(T.Factors, [&](FactorId Id) { return dependence(Id).*What; });
  });
}

bool FactorTable::isThreadNumber(FactorId Id) {
  const Factor &F = (*this)[Id];
  if (F.Kind != FactorKind::Computed)
    return F.Kind == FactorKind::Thread ||
           (F.Kind == FactorKind::Answer && Answers.areThread(asked(Id)));
  const llvm::ArrayRef<Term> Sources = F.Of.terms();
  return Sources.size() == 1 && (*this)[*Sources[0].Factors.begin()].Kind == FactorKind::Answer &&
         isThreadNumber(*Sources[0].Factors.begin());
}

bool FactorTable::dependsOnThread(const Polynomial &F) { return dependsOn(F, &Dependence::Thread); }

std::optional<Polynomial> FactorTable::substitute(const Polynomial &F, Replacement By) {
  Polynomial Sum;
  for (const Term &T : F.terms()) {
    std::optional<Polynomial> Product = Polynomial(T.Coefficient);
    for (const FactorId Id : T.Factors) {
      const std::optional<Polynomial> New = By(Id);
      Product = Product->times(New ? *New : Polynomial(Id));
      if (!Product)
        return std::nullopt;
    }
    std::optional<Polynomial> Next = Sum.plus(*Product);
    if (!Next)
      return std::nullopt;
    Sum = std::move(*Next);
  }
  return Sum;
}

Polynomial FactorTable::replaced(const Polynomial &F, FactorId Old, const Polynomial &New) {
  if (!F.mentions(Old))
    return F;
  const std::optional<Polynomial> Result = substitute(
      F, [&](FactorId Id) { return Id == Old ? std::optional<Polynomial>(New) : std::nullopt; });
  return Result ? *Result : F;
}

std::optional<Polynomial> FactorTable::substituted(FactorId Id, Arguments &Bound) {
  if (!dependence(Id).Parameters)
    return std::nullopt;
  if (const auto Known = Bound.Substituted.find(keyOf(Id)); Known != Bound.Substituted.end())
    return Known->second;
  if (isTested(Id))
    return Bound.Substituted.emplace(keyOf(Id), tested(Id, Bound)).first->second;
  Factor New = (*this)[Id];
  if (New.Kind == FactorKind::Parameter) {
    if (New.Index >= Bound.Values.size() || Bound.Values[New.Index].Base != None)
      return std::nullopt;
    return Bound.Values[New.Index].Offset;
  }
  if (const Polynomial *Known = passed(Id, Bound))
    return *Known;
  New.Of = inCaller(New.Of, Bound);
  if (const Base *From = parameterBase(Id); From && From->Index < Bound.Values.size())
    if (std::optional<Polynomial> Address = Bound.Values[From->Index].Offset.plus(New.Of)) {
      New.Of = std::move(*Address);
      New.Bound = Bound.Values[From->Index].Base;
    }
  if (New.Kind == FactorKind::Row && New.Of.constant()) // There is but one such pointer.
    return Bound.Substituted.emplace(keyOf(Id), Polynomial()).first->second;
  if (New.Base != None && Id.Unit != Units.size())
    New.Index = Id.Unit; // Base is an entry of that unit's table.
  return Bound.Substituted.emplace(keyOf(Id), Polynomial(add(std::move(New)))).first->second;
}

Polynomial FactorTable::inCaller(const Polynomial &F, Arguments &Bound) {
  if (Bound.Values.empty() || !dependsOn(F, &Dependence::Parameters))
    return F;
  const std::optional<Polynomial> Result =
      substitute(F, [&](FactorId Id) { return substituted(Id, Bound); });
  if (Result)
    return *Result;
  return Polynomial(add({FactorKind::Computed, None, F, None}));
}
