//===-- Choose.h - phase 3: policies for each array -------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The rules are explained in docs/policies.md.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_CHOOSE_H
#define MAPP_CHOOSE_H

#include "Candidate.h"

namespace mapp {

/// The choice for an array by what its accesses and the machine are like: nothing depends on how
/// its memory comes into being.
Choice choose(const ArrayDeclaration &Array, const std::vector<Use> &Uses, const Machine &On);

/// The array that a block is priced as: its size and its rows are known only when the program runs.
ArrayDeclaration priced(const ArrayDeclaration &Array, const std::vector<Use> &Uses);

} // namespace mapp

#endif // MAPP_CHOOSE_H
