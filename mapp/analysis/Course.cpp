//===-- Course.cpp - which ways a run has taken -----------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Course.h"

#include "llvm/ADT/STLExtras.h"

using namespace mapp;

const Course::Choice *Course::at(ForkId Fork) const {
  const auto Found = llvm::find_if(Taken, [&](const Choice &C) { return C.Fork == Fork; });
  return Found == Taken.end() ? nullptr : Found;
}

void Course::take(ForkId Fork, uint64_t Which) {
  constexpr size_t Most = 8; // Nobody has options within options within so many.
  const auto Known = llvm::find_if(Taken, [&](const Choice &C) { return C.Fork == Fork; });
  if (Known != Taken.end())
    Known->Which &= Which;
  else if (Taken.size() < Most)
    Taken.push_back({Fork, Which});
}

bool Course::excludes(const Course &Other) const {
  return llvm::any_of(Taken, [&](const Choice &C) {
    const Choice *Same = Other.at(C.Fork);
    return Same && (Same->Which & C.Which) == 0;
  });
}

bool Course::isWithin(const Course &Other) const {
  return llvm::all_of(Other.Taken, [&](const Choice &C) {
    const Choice *Own = at(C.Fork);
    return Own && (Own->Which & ~C.Which) == 0;
  });
}
