//===-- Course.h - which ways a run has taken -------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MAPP_COURSE_H
#define MAPP_COURSE_H

#include "mapp/facts/Facts.h"

#include "llvm/ADT/SmallVector.h"

namespace mapp {

/// The arms of forks by which a run of the program comes to a piece of code.
class Course {
public:
  /// Each fork of a program has another number in a unit; those of calls are in none.
  struct ForkId {
    uint32_t Unit;
    uint32_t Number;
    bool operator==(const ForkId &) const = default;
  };

  /// Goes on by one of these arms. Of very many forks the first count.
  void take(ForkId Fork, uint64_t Which);
  bool isEmpty() const { return Taken.empty(); }
  /// No run comes to both.
  bool excludes(const Course &Other) const;
  /// All runs that come to this have come to the other's end, too.
  bool isWithin(const Course &Other) const;
  bool operator==(const Course &) const = default;

  /// As words of a signature.
  template <typename Function> void forEachWord(Function Of) const {
    for (const Choice &C : Taken) {
      Of(uint64_t(C.Fork.Unit) << 32 | C.Fork.Number);
      Of(C.Which);
    }
  }

private:
  struct Choice {
    ForkId Fork;
    uint64_t Which; ///< a bit for each arm
    bool operator==(const Choice &) const = default;
  };

  const Choice *at(ForkId Fork) const;

  llvm::SmallVector<Choice, 0> Taken;
};

} // namespace mapp

#endif // MAPP_COURSE_H
