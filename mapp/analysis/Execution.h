//===-- Execution.h - who runs a piece of code, and how often ---*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MAPP_EXECUTION_H
#define MAPP_EXECUTION_H

#include "Course.h"

#include <tuple>

namespace mapp {

/// A loop that encloses a piece of code, in its function or in those that called it.
struct EnclosingLoop {
  const Scope *Loop;
  Polynomial First; ///< of Loop->First, in terms of the callers
  Polynomial End;
  bool InParallel; ///< it runs inside a parallel region
  bool ByThread;   ///< First depends on the thread's number
};

/// Who executes a piece of code.
struct Execution {
  enum class Threads { All, One, Any };

  bool Parallel = false; ///< in a parallel region
  bool Never = false;    ///< a condition on arguments does not hold here
  /// Nobody among the files calls this function. If it divides a loop, a team was meant to run it.
  bool Unknown = false;
  bool IsOnce = false; ///< a run comes here once at most
  double Share = 1;    ///< of the times that the loops let it run: data decide whether it does
  Course Taken;
  Threads Who = Threads::All; ///< in a parallel region: who of the team
  const Scope *Divided = nullptr;
  Schedule Order = Schedule::Static; ///< of the divided loop
  std::vector<EnclosingLoop> Loops;  ///< outermost first
  int64_t Team = 0; ///< threads of the team, or of the next one; 0: the program's default
};

/// The loop whose index the factor is; null where none of those around the code has it.
const EnclosingLoop *loopOf(const Execution &By, FactorId Index);

constexpr double SomeThreads = 8; ///< of a team whose size the run decides

/// Each of so many threads does what is not divided.
double threadsOf(const Execution &By);

/// What becomes of `Outer` inside `Inner`.
/// @param First, End of the loop, in terms of the callers
/// @param ByThread First depends on the thread's number
Execution enter(const Execution &Outer, const Scope &Inner, Polynomial First, Polynomial End,
                bool ByThread);

/// Threads share out the loop by their numbers.
void divideByThread(Execution &Inner, const Scope &Loop);

/// A call that the program makes in one place.
struct CallSite {
  const Facts *Unit;
  const Function *In;
  const Call *At;
  auto place() const { return std::tuple(Unit->Unit, At->Begin); }
  bool operator<(const CallSite &Other) const { return place() < Other.place(); }
  bool operator==(const CallSite &Other) const { return place() == Other.place(); }
};

/// Calls inside one another that lead to a function, the innermost first: of these that tell its
/// callers apart.
using CallPath = std::vector<CallSite>;

/// The contexts in which a block is allocated.
struct Allocations {
  std::vector<std::vector<Polynomial>>
      Values;            ///< in each context those that the block's facts list
  bool ByThreads = true; ///< each thread of a team allocates one of its own
  bool InLoop = false;   ///< in some of them a loop is around it, of whichever function
  size_t RowLoops = 0;   ///< so many loops inside one another have stored pointers to parts of it
};

} // namespace mapp

#endif // MAPP_EXECUTION_H
