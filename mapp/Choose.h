//===-- Choose.h - phase 3: a policy for each array -------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The rules are explained in docs/policies.md.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_CHOOSE_H
#define MAPP_CHOOSE_H

#include "Classify.h"
#include "Machine.h"

namespace mapp {

enum class Policy { LeaveAlone, Block, BlockCyclic, Cyclic, Given };

/// A policy that was considered, with its price.
struct Alternative {
  Policy What = Policy::LeaveAlone;
  uint64_t Chunk = 0;     ///< BlockCyclic: units dealt at once
  unsigned Dimension = 0; ///< Block: along which; 0: rows, 1: columns
  double Remote = 0;      ///< estimate of the bytes fetched from other nodes, see docs/policies.md
};

/// What to do with one array, and why.
struct Choice {
  Policy What = Policy::LeaveAlone;
  std::string Reason;      ///< in words, for the report and a comment
  Place Evidence;          ///< the loop or access that decided; line 0 where there is none
  uint64_t Before = 0;     ///< units in front of those the loop runs over
  uint64_t Count = 0;      ///< units that it runs over; 0: all
  uint64_t Chunk = 0;      ///< BlockCyclic
  unsigned Dimension = 0;  ///< Block
  int64_t Team = 0;        ///< threads of the loop's team; 0: the run decides
  std::string Initialiser; ///< Given: in MAi's words
  std::string Text;        ///< Given: in the user's words
  Topic Number = Topic::None;
  std::vector<Alternative> Considered;
};

/// A choice to do nothing.
inline Choice leaveAlone(Topic Number, std::string Reason, Place Evidence = {}) {
  Choice C;
  C.Number = Number;
  C.Reason = std::move(Reason);
  C.Evidence = std::move(Evidence);
  return C;
}

Choice choose(const ArrayDeclaration &Array, const std::vector<Use> &Uses, const Machine &On);

/// In the words of mai_policy_parse(), see mai.h; "left alone".
std::string policyText(const Choice &C);
std::string policyText(const Alternative &A);

/// The pattern of a use, in words that go on after the array's name.
std::string describe(const Use &U, bool Rows);

} // namespace mapp

#endif // MAPP_CHOOSE_H
