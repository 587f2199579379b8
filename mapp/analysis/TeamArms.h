//===-- TeamArms.h - forks that matter to placement -------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Most branches only check for errors. To tell the arms of all of them apart would have functions
// followed in very many contexts that differ in nothing.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_TEAMARMS_H
#define MAPP_TEAMARMS_H

#include "mapp/facts/Facts.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace mapp {

/// The scope is in a parallel region of its function.
bool isInRegion(const Facts &Unit, uint32_t Scope);

/// The arms of a unit's forks in which teams run.
class TeamArms {
public:
  explicit TeamArms(const Facts &Of) : Unit(Of), IsKnown(Of.Scopes.size(), false) {}

  /// A team runs in the scope, and so in all around it.
  void add(uint32_t Scope);

  /// The forks of which a run with teams in one arm has none in another.
  llvm::DenseSet<uint32_t> forks() const;

private:
  const Facts &Unit;
  std::vector<bool> IsKnown;
  llvm::DenseMap<uint32_t, llvm::SmallVector<uint64_t, 4>> Found; ///< by fork
};

} // namespace mapp

#endif // MAPP_TEAMARMS_H
