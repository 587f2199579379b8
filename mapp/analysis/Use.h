//===-- Use.h - how threads use an array ------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Terms.  The *parallel index* of an access is the variable of the loop whose iterations are
// divided among the threads.  In a subscript the *slowest* part is the one that moves furthest
// through memory in one step.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_USE_H
#define MAPP_USE_H

#include "Execution.h"
#include "StoredNumbers.h"

#include <map>
#include <memory>
#include <set>

namespace mapp {

enum class Pattern {
  Block,      ///< each thread has a contiguous share, in the order of the threads
  Mirrored,   ///< the same, but the last thread has the first share
  Scattered,  ///< shares are small, or their order is known only at run time
  Across,     ///< every thread gets a piece of every row: the parallel index is not the slowest
  Indirect,   ///< where depends on data
  Everyone,   ///< every thread goes over the same elements
  PerThread,  ///< the thread's number is the slowest index
  SomeThread, ///< a task or a section does it
  OneThread   ///< serial code, or single and master
};

/// A loop moves an access by so many bytes in each of so many steps.
struct Walk {
  int64_t Bytes; ///< positive
  double Steps;
  bool Outside; ///< of what the threads divide: they make each step together
  bool operator==(const Walk &) const = default;
};

/// How a divided loop moves over an array, in terms of the program's variables.
struct Sweep {
  Polynomial Unit;    ///< bytes that one iteration is from the next; Across: bytes of a row
  Polynomial Element; ///< Across: bytes that one iteration is from the next
  bool Rows = false;  ///< the units are what a table of pointers points to: no Unit then ...
  unsigned Level = 0; ///< ... that of the pointers to it, and so on, so many tables on
  std::optional<Polynomial>
      First; ///< the units (Across: elements of a row) that all iterations touch
  std::optional<Polynomial> Count;
  std::optional<InUse> Used = {}; ///< what tells the count
  bool IsVarying = false;         ///< the program changes these as it runs
  /// Of a part of the array, behind others: bytes that lie in front of it. None: that is not known.
  std::optional<Polynomial> Begin = Polynomial();
  bool operator==(const Sweep &) const = default;
};

/// Row pointers that delimit what one iteration of a divided loop goes over:
/// `for (k = start[i]; ...)`.
struct RowPointers {
  FactorId Read;                        ///< one of them
  int64_t EntryBytes;                   ///< from that of one iteration to that of the next
  int64_t Offset;                       ///< that of iteration 0 is so far from its variable's start
  int64_t Bytes;                        ///< of the array, that one counts
  std::optional<int64_t> First, End;    ///< of the loop, where constant
  std::set<std::string> Variables = {}; ///< keys of those that hold them
  bool operator==(const RowPointers &) const = default;
};

/// What few uses have, kept beside them.
template <typename T> class Beside {
public:
  Beside() = default;
  Beside(T Value) : Held(std::make_shared<const T>(std::move(Value))) {}
  explicit operator bool() const { return Held != nullptr; }
  const T &operator*() const { return *Held; }
  const T *operator->() const { return Held.get(); }
  bool operator==(const Beside &Other) const {
    return Held == Other.Held || (Held && Other.Held && *Held == *Other.Held);
  }

private:
  std::shared_ptr<const T> Held;
};

/// One thread that writes so many, hardly has a page of its own.
constexpr double MostFewElements = 128;

/// The manner in which one access uses an array. It refers to the facts.
struct Manner {
  Pattern How = Pattern::OneThread;
  AccessMode Mode = AccessMode::Read;
  const Function *In = nullptr;
  unsigned Line = 0;
  const Scope *Loop = nullptr; ///< the divided loop, if any: its variable is the parallel index
  unsigned Sample = 0;         ///< which of the steps of an outer loop that moves its range
  std::string Through;         ///< array of indices or row pointers that guides the access
  bool IsDelimited = false;    ///< by numbers, as the rows of a sparse matrix are
  bool IsListed = false;       ///< Indirect: a list tells the row of the parallel index
  Beside<RowPointers> Rows;    ///< by which, where that is so simple
  unsigned Dimension = 0;      ///< Across: which dimension the parallel index drives, from 1
  bool HasRange = false;
  bool IsShifted = false; ///< where in the array its first unit is, the run decides: `&a[begin[k]]`
  bool IsBehind = false;  ///< ... and at least as far in it as the whole loop goes
  int64_t First = 0;      ///< the units that the whole loop touches, where constant
  int64_t Count = 0;
  int64_t Chunk = 0;     ///< Scattered: units distributed at once in turn, where constant
  bool InOrder = true;   ///< Across: shares along the dimension are in the order of the threads ...
  bool Reversed = false; ///< ... or in the reverse one; so of what is divided, and of chunks
  Beside<Sweep> Moves;
  Beside<Course> Taken;       ///< by runs that come to it; none: there is no fork before it
  int64_t Team = 0;           ///< threads of the team; 0: the run decides
  double Pass = 1;            ///< steps of the loops that move it: once over what it goes over ...
  bool IsGuessedPass = false; ///< ... of which some have no constant length
  bool ComesBack = false;     ///< ... which go over the same elements several times
  const Scope *CountsIn =
      nullptr;                  ///< the outermost loop that counts its subscript on, `a[n++]` ...
  int64_t Within = 0;           ///< ... and bytes from the start of what that counts
  bool IsOfFewElements = false; ///< ... of which it is known that these are few
  bool DividesMany = false;     ///< the divided loop is not just taken for a short one
  int64_t Start = 0;            ///< bytes from the array's start to the least address ...
  llvm::SmallVector<Walk, 2> Walks; ///< ... from which these go; none where it is not so regular

  /// Each thread has a contiguous share, in the order of the threads or the reverse one.
  bool isDivided() const { return How == Pattern::Block || How == Pattern::Mirrored; }
  bool operator==(const Manner &) const = default;
};

/// One of several fields that lie one behind the other in a block, in bytes for each of what the
/// block's size counts.
struct Field {
  int64_t Begin = 0, End = 0;
  int64_t Whole = 0; ///< the block; 0: there are no fields

  explicit operator bool() const { return Whole > 0; }
};

/// An access to an array, from wherever its function is called in the same manner.
struct Use : Manner {
  double Bytes = 0;      ///< estimate of the traffic
  double Steps = 1;      ///< of the loops around it, all together
  bool Estimated = true; ///< some of these loops have no constant length
  size_t Order = 0;      ///< of the first access, as far as it is known ...
  size_t Last = 0;       ///< ... and of the last one
  Field InField = {};    ///< of a block, once that is looked for
};

} // namespace mapp

#endif // MAPP_USE_H
