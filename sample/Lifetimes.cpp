//===-- Lifetimes.cpp - the heap blocks of a process as they come and go -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Lifetimes.h"

using namespace sample;

uint32_t Lifetimes::add(const Block &New) {
  if (Free.empty()) {
    List.push_back(New);
    return static_cast<uint32_t>(List.size() - 1);
  }
  const uint32_t Index = Free.back();
  Free.pop_back();
  List[Index] = New;
  return Index;
}

Lifetimes::Place Lifetimes::end(Place Its) {
  Block &Of = List[Its->second];
  Of.IsFreed = true;
  --OfChain[Of.Chain];
  if (!Of.IsKnown)
    Free.push_back(Its->second);
  return Alive.erase(Its);
}

/// Of the end of a block nothing may have been heard: what begins there ends all that was there.
void Lifetimes::take(const BlockEvent &Its) {
  if (Its.IsFreed) {
    if (const auto Old = Alive.find(Its.Address); Old != Alive.end())
      end(Old);
    return;
  }
  auto At = Alive.upper_bound(Its.Address);
  if (At != Alive.begin()) {
    const auto Before = std::prev(At);
    if (Its.Address - Before->first < List[Before->second].Bytes || Its.Address == Before->first)
      end(Before);
  }
  while (At != Alive.end() && At->first - Its.Address < Its.Bytes)
    At = end(At);
  Alive[Its.Address] = add({.Start = Its.Address,
                            .Bytes = Its.Bytes,
                            .Chain = Its.Chain,
                            .Number = OfChain[Its.Chain]++,
                            .IsOfMai = Its.IsOfMai,
                            .Name = Its.Name});
}

uint32_t Lifetimes::use(uint64_t Address, bool IsTouch) {
  auto After = Alive.upper_bound(Address);
  if (After == Alive.begin())
    return None;
  const uint32_t Index = (--After)->second;
  Block &Its = List[Index];
  if (Address - Its.Start >= Its.Bytes)
    return None;
  Its.IsKnown = true;
  Its.IsUsed |= !IsTouch;
  return Index;
}

void Lifetimes::inherit(const Lifetimes &Parent) {
  *this = {};
  OfChain = Parent.OfChain;
  for (const auto &[Address, Index] : Parent.Alive) {
    Block New = Parent.List[Index];
    New.IsKnown = New.IsUsed = false;
    Alive[Address] = add(New);
  }
}
