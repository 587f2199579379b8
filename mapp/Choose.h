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

namespace mapp {

enum class Policy { LeaveAlone, Block, BlockRange, Cyclic };

/// What to do with one array, and why.
struct Choice {
  Policy What = Policy::LeaveAlone;
  std::string Reason;  ///< in words, for the report and a comment
  Place Evidence;      ///< the loop or access that decided; line 0 where there is none
  uint64_t Before = 0; ///< BlockRange: units in front of those the loop runs over
  uint64_t Count = 0;  ///< BlockRange: units that it runs over
};

Choice choose(const ArrayDeclaration &Array, const std::vector<Use> &Uses);

} // namespace mapp

#endif // MAPP_CHOOSE_H
