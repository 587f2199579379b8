//===-- PatternFinder.h - the pattern of one access -------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// From the form of a subscript, and from the loops around it, follows in which pattern the threads
// make the access: which of its parts follow the threads, how fast the others move, and how far all
// of it goes.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_PATTERNFINDER_H
#define MAPP_PATTERNFINDER_H

#include "Classify.h"
#include "FactorTable.h"
#include "Placeable.h"
#include "StoredNumbers.h"

namespace mapp {

/// What is known of one access.
struct SizedAddress {
  const Polynomial &Offset; ///< in the array
  const Polynomial &Row;    ///< bytes of a row of the type that it is made through, if not constant
  const Execution &By;
};

/// Fills in all of a use that depends on the subscript.
/// @return what was read from the array that guides the access, if there is one
FactorId findPattern(FactorTable &Factors, StoredNumbers &Numbers, const Shape &Array,
                     const SizedAddress &At, Use &Out);

} // namespace mapp

#endif // MAPP_PATTERNFINDER_H
