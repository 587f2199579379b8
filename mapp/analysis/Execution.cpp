//===-- Execution.cpp - who runs a piece of code, and how often -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Execution.h"

#include "llvm/ADT/STLExtras.h"

using namespace mapp;

const EnclosingLoop *mapp::loopOf(const Execution &By, FactorId Index) {
  const auto Found =
      llvm::find_if(By.Loops, [&](const EnclosingLoop &L) { return L.Loop->Factor == Index; });
  return Found == By.Loops.end() ? nullptr : &*Found;
}

double mapp::threadsOf(const Execution &By) {
  return By.Team > 0 ? static_cast<double>(By.Team) : SomeThreads;
}

/// The loop's directive finds a team to divide it among. A team inside a team has one thread.
static bool hasTeam(const Execution &Outer, const Scope &Loop) {
  if (Outer.Divided || Outer.Who == Execution::Threads::Any)
    return false;
  if (Outer.Parallel)
    return Outer.Who == Execution::Threads::All || Loop.Order == Schedule::Tasks;
  return Outer.Unknown;
}

static void divide(Execution &Inner, const Scope &Loop, Schedule Order) {
  Inner.Parallel = true;
  Inner.Who = Execution::Threads::All;
  Inner.Divided = &Loop;
  Inner.Order = Order;
}

void mapp::divideByThread(Execution &Inner, const Scope &Loop) {
  divide(Inner, Loop, Loop.Step == 0 ? Schedule::Spread : Schedule::Static);
}

/// Several threads go through it, or one does several times.
static bool repeats(const Scope &Inner) {
  switch (Inner.Kind) {
  case ScopeKind::Loop:
    return !Inner.Once;
  case ScopeKind::Divided:
  case ScopeKind::Parallel:
    return true;
  case ScopeKind::OneThread:
  case ScopeKind::AnyThread:
  case ScopeKind::Branch:
    return false;
  }
  return true;
}

Execution mapp::enter(const Execution &Outer, const Scope &Inner, Polynomial First, Polynomial End,
                      bool ByThread) {
  Execution Result = Outer;
  Result.IsOnce &= !repeats(Inner);
  switch (Inner.Kind) {
  case ScopeKind::Divided:
    if (hasTeam(Outer, Inner))
      divide(Result, Inner, Inner.Order);
    break;
  case ScopeKind::Loop:
    // Shares computed from the thread's number: `for (i = start[me]; i < start[me + 1]; i++)`.
    if (ByThread && Outer.Parallel && !Outer.Divided)
      divideByThread(Result, Inner);
    break;
  case ScopeKind::Parallel:
    if (!Outer.Parallel)
      Result.Who = Execution::Threads::All;
    Result.Parallel = true;
    return Result;
  case ScopeKind::OneThread:
    Result.Who = Execution::Threads::One;
    return Result;
  case ScopeKind::AnyThread:
    Result.Who = Execution::Threads::Any;
    return Result;
  case ScopeKind::Branch:
    Result.Share *= Inner.Share;
    return Result;
  }
  constexpr size_t MaxLoops = 64; // As deep as anybody nests them; deeper ones move nothing.
  if (Result.Loops.size() < MaxLoops || Result.Divided == &Inner)
    Result.Loops.push_back({&Inner, std::move(First), std::move(End), Result.Parallel, ByThread});
  return Result;
}
