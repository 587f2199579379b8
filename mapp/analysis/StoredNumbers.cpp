//===-- StoredNumbers.cpp - numbers in variables of the whole program -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "StoredNumbers.h"

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

StoredNumbers::Stored *StoredNumbers::placeOf(FactorId Id) {
  const Factor &F = Factors[Id];
  const bool IsOwn = Id.Unit == Units.size();
  const std::optional<int64_t> At = F.Of.constant();
  if ((F.Kind != FactorKind::Symbol && F.Kind != FactorKind::Loaded) || F.Base == None || !At ||
      F.Bound != None)
    return nullptr;
  const Base &Variable = Units[IsOwn ? F.Index : Id.Unit].Bases[F.Base];
  const auto Found = Places.find({Variable.Key, *At});
  return Variable.Kind == BaseKind::Object && Found != Places.end() ? &Found->second : nullptr;
}

/// An initialiser counts where nothing else is stored.
std::optional<int64_t> StoredNumbers::onlyOne(const Stored &All) {
  if (All.Changes)
    return std::nullopt;
  std::optional<int64_t> Only;
  for (const Polynomial *P : All.Assigned.empty() ? All.Initial : All.Assigned) {
    const std::optional<int64_t> Number = in(*P).constant();
    if (!Number || (Only && *Only != *Number))
      return std::nullopt;
    Only = Number;
  }
  return Only;
}

std::optional<int64_t> StoredNumbers::numberOf(FactorId Id) {
  Stored *Place = placeOf(Id);
  if (Place && !Place->Asked) {
    Place->Asked = true; // What is computed from itself is not looked for for ever.
    Place->Number = onlyOne(*Place);
  }
  return Place ? Place->Number : std::nullopt;
}

Polynomial StoredNumbers::in(Polynomial F) {
  llvm::SmallVector<FactorId, 8> Mentioned;
  for (const Term &T : F.terms())
    Mentioned.append(T.Factors.begin(), T.Factors.end());
  for (const FactorId Id : Mentioned)
    if (const std::optional<int64_t> Number = numberOf(Id))
      F = FactorTable::replaced(F, Id, Polynomial(*Number));
  return F;
}
