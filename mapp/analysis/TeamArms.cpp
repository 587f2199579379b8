//===-- TeamArms.cpp - forks that matter to placement -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TeamArms.h"

#include "llvm/ADT/STLExtras.h"

using namespace mapp;

bool mapp::isInRegion(const Facts &Unit, uint32_t Scope) {
  while (Scope != None && Unit.Scopes[Scope].Kind != ScopeKind::Parallel)
    Scope = Unit.Scopes[Scope].Parent;
  return Scope != None;
}

void TeamArms::add(uint32_t Scope) {
  for (; Scope != None && !IsKnown[Scope]; Scope = Unit.Scopes[Scope].Parent) {
    IsKnown[Scope] = true;
    if (const Arms &By = Unit.Scopes[Scope].By; By.Fork != None)
      Found[By.Fork].push_back(By.Which);
  }
}

llvm::DenseSet<uint32_t> TeamArms::forks() const {
  llvm::DenseSet<uint32_t> Result;
  for (const auto &[Fork, All] : Found)
    for (const uint64_t One : All)
      if (llvm::any_of(All, [One](uint64_t Other) { return (One & Other) == 0; }))
        Result.insert(Fork);
  return Result;
}
