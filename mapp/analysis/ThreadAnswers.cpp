//===-- ThreadAnswers.cpp - functions that say whose share it is -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ThreadAnswers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mapp;

/// It gives a number back: `*first = n / team * me;`.
static bool isResult(const Access &A, const Facts &Unit) {
  return A.Address.Base != None && Unit.Bases[A.Address.Base].Kind == BaseKind::Parameter &&
         (A.Mode == AccessMode::Write || A.Mode == AccessMode::Clear) &&
         A.Address.Offset.constant();
}

/// Who computes a share is short and changes nothing else: not a solver that returns its status,
/// nor the next random number of a thread.
static bool mayBeShare(const Function &F, const Facts &Unit) {
  constexpr size_t Long = 32; // accesses and calls
  return F.Accesses.size() + F.Calls.size() <= Long &&
         llvm::all_of(F.Accesses, [&](const Access &A) {
           return A.Mode == AccessMode::Read || isResult(A, Unit);
         });
}

ThreadAnswers::ThreadAnswers(const std::vector<Facts> &Program) {
  llvm::StringMap<llvm::SmallVector<llvm::StringRef, 4>> CallersOf;
  llvm::SmallVector<llvm::StringRef> New;
  for (const Facts &Unit : Program)
    for (const Function &F : Unit.Functions) {
      if (!mayBeShare(F, Unit))
        continue;
      for (const Call &C : F.Calls)
        CallersOf[C.Callee].push_back(F.Key);
      if (F.AsksForThread)
        New.push_back(F.Key);
      if (F.ReturnsThread)
        Returning.insert(F.Key);
    }
  while (!New.empty()) {
    const llvm::StringRef Key = New.pop_back_val();
    if (Asking.insert(Key).second)
      llvm::append_range(New, CallersOf.lookup(Key));
  }
}
