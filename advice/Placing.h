//===-- Placing.h - which memory has which part of an array -----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_ADVICE_PLACING_H
#define MINAS_ADVICE_PLACING_H

#include "Alternative.h"
#include "Machine.h"

namespace advice {

/// What policies divide.
struct Shape {
  uint64_t Bytes = 0;
  uint64_t UnitBytes = 0;        ///< of one row, one element of a 1-D array; 0: not known
  std::vector<uint64_t> Extents; ///< slowest first; empty: not known

  double units() const;
};

/// Block by rows: the units on each node of the team. Those outside of the range are with its first
/// and last.
/// @param Team of the alternative, the nodes in the order of the threads
Segments blocks(const Alternative &A, const Shape &Array, Segments Team);

/// How much of the array each memory holds that a policy gives something; of LeaveAlone: as if
/// distributed.
/// @param Team as in blocks()
Shares placed(const Alternative &A, const Shape &Array, const Machine &On, const Segments &Team);

/// Whether each memory can hold that share of the array, or the copy that the policy has it hold.
bool fits(const Alternative &A, const Shares &Placed, const Shape &Array, const Machine &On);

} // namespace advice

#endif // MINAS_ADVICE_PLACING_H
