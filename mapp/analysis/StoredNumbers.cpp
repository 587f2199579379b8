//===-- StoredNumbers.cpp - numbers in variables of the whole program -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "StoredNumbers.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mapp;

StoredNumbers::StoredNumbers(const std::vector<Facts> &Program, const FactorTable &Table)
    : Units(Program), Factors(Table) {
  for (const Facts &Unit : Program)
    for (const StoredNumber &N : Unit.Numbers) {
      Stored &Place = Places[{N.Key, N.At}];
      if (N.Is)
        (N.Initial ? Place.Initial : Place.Assigned).push_back(&*N.Is);
      else
        Place.Changes = true;
    }
}

const std::string *StoredNumbers::variableOf(FactorId Id) const {
  const Factor &F = Factors[Id];
  if ((F.Kind != FactorKind::Symbol && F.Kind != FactorKind::Loaded) || F.Base == None ||
      F.Bound != None)
    return nullptr;
  const Base &Variable = Units[Id.Unit == Units.size() ? F.Index : Id.Unit].Bases[F.Base];
  return Variable.Kind == BaseKind::Object ? &Variable.Key : nullptr;
}

StoredNumbers::Stored *StoredNumbers::placeOf(FactorId Id) {
  const std::optional<int64_t> At = Factors[Id].Of.constant();
  const std::string *Variable = At ? variableOf(Id) : nullptr;
  const auto Found = Variable ? Places.find({*Variable, *At}) : Places.end();
  return Found == Places.end() ? nullptr : &Found->second;
}

bool StoredNumbers::isSetOnce(FactorId Id) {
  const Stored *Place = memberAt(Id);
  return Place && !Place->Changes;
}

bool StoredNumbers::isChanged(const Polynomial &F) {
  const auto Changes = [](const Stored *Place) { return Place && Place->Changes; };
  return llvm::any_of(F.terms(), [&](const Term &T) {
    return llvm::any_of(T.Factors,
                        [&](FactorId Id) { return Changes(placeOf(Id)) || Changes(memberAt(Id)); });
  });
}

bool StoredNumbers::isThreadNumber(FactorId Id) {
  const auto IsThread = [&](FactorId Of) { return Factors[Of].Kind == FactorKind::Thread; };
  const auto IsOnlyThread = [&](const Polynomial *F) {
    const std::optional<Term> Only = F->onlyTerm(0);
    return Only && Only->Coefficient == 1 && IsThread(*Only->Factors.begin());
  };
  const auto HoldsThread = [&](FactorId Of) {
    const Stored *Copies = placeOf(Of);
    return Copies && !Copies->Changes && !Copies->Assigned.empty() &&
           llvm::all_of(Copies->Assigned, IsOnlyThread);
  };
  const llvm::ArrayRef<Term> Sources = Factors[Id].Of.terms();
  return Factors[Id].Kind == FactorKind::Computed && Sources.size() == 2 &&
         llvm::all_of(Sources, [&](const Term &T) {
           return T.Factors.size() == 1 &&
                  (IsThread(*T.Factors.begin()) || HoldsThread(*T.Factors.begin()));
         });
}

std::optional<InUse> StoredNumbers::inUse(const Polynomial &Count) const {
  constexpr int64_t Few = 2; // Rows at the borders, which say nothing of where pages belong.
  const std::optional<Term> Only = Count.onlyTerm(Few);
  if (!Only)
    return std::nullopt;
  const FactorId Number = *Only->Factors.begin();
  const std::optional<int64_t> At = Factors[Number].Of.constant();
  const std::string *Variable = At ? variableOf(Number) : nullptr;
  return Variable ? std::optional(InUse{*Variable, *At, Only->Coefficient}) : std::nullopt;
}

bool StoredNumbers::isNumber(const Polynomial &F) const {
  return llvm::all_of(F.terms(), [&](const Term &T) {
    return llvm::all_of(T.Factors, [&](FactorId Id) { return Factors.isNumberOfThreads(Id); });
  });
}

/// An initialiser counts where nothing else is stored.
std::optional<Polynomial> StoredNumbers::onlyOne(const Stored &All) {
  if (All.Changes)
    return std::nullopt;
  std::optional<Polynomial> Only;
  for (const Polynomial *P : All.Assigned.empty() ? All.Initial : All.Assigned) {
    Polynomial Number = in(*P);
    if (!isNumber(Number) || (Only && *Only != Number))
      return std::nullopt;
    Only = std::move(Number);
  }
  return Only;
}

std::optional<Polynomial> StoredNumbers::numberOf(FactorId Id) {
  Stored *Place = placeOf(Id);
  if (Place && !Place->Asked) {
    Place->Asked = true; // What is computed from itself is not looked for for ever.
    Place->Number = onlyOne(*Place);
  }
  return Place ? Place->Number : std::nullopt;
}

/// The key of the member that a factor was read from, or null.
const std::string *StoredNumbers::memberOf(FactorId Id) const {
  const Factor &F = Factors[Id];
  if (F.Member == None || F.Base == None)
    return nullptr;
  return &Units[Id.Unit == Units.size() ? F.Index : Id.Unit].Bases[F.Member].Key;
}

StoredNumbers::Stored *StoredNumbers::memberAt(FactorId Id) {
  const std::string *Member = memberOf(Id);
  const auto Found = Member ? Places.find({*Member, 0}) : Places.end();
  return Found == Places.end() ? nullptr : &Found->second;
}

llvm::SmallVector<const Polynomial *, 4> StoredNumbers::assigned(FactorId Id) {
  const Stored *Place = memberAt(Id);
  if (!Place || Place->Changes)
    return {};
  llvm::SmallVector<const Polynomial *, 4> All(Place->Assigned.begin(), Place->Assigned.end());
  llvm::append_range(All, Place->Initial);
  return All;
}

size_t StoredNumbers::degreeOf(const Polynomial &F) {
  size_t Most = 1;
  for (const Term &T : F.terms()) {
    size_t Sum = 0;
    for (const FactorId Id : T.Factors)
      Sum += degree(Id);
    Most = std::max(Most, Sum);
  }
  return Most;
}

size_t StoredNumbers::degree(FactorId Id) {
  constexpr size_t Largest = 8; // No array has so many dimensions.
  Stored *Place = memberAt(Id);
  if (!Place)
    return 1;
  if (Place->Degree == 0) {
    Place->Degree = 1; // What is computed from itself is not looked for for ever.
    for (const Polynomial *P : Place->Assigned.empty() ? Place->Initial : Place->Assigned)
      Place->Degree = std::clamp(degreeOf(*P), Place->Degree, Largest);
  }
  return Place->Degree;
}

Polynomial StoredNumbers::byMembers(const Polynomial &F) {
  Polynomial Result = F;
  for (const Term &T : F.terms())
    for (const FactorId Id : T.Factors)
      if (const std::string *Member = memberOf(Id)) {
        std::optional<FactorId> &Read = Places[{*Member, 0}].Read;
        if (!Read)
          Read = Id;
        Result = FactorTable::replaced(Result, Id, Polynomial(*Read));
      }
  return Result;
}

Polynomial StoredNumbers::in(Polynomial F) {
  llvm::SmallVector<FactorId, 8> Mentioned;
  for (const Term &T : F.terms())
    Mentioned.append(T.Factors.begin(), T.Factors.end());
  for (const FactorId Id : Mentioned)
    if (const std::optional<Polynomial> Number = numberOf(Id))
      F = FactorTable::replaced(F, Id, *Number);
  return F;
}
