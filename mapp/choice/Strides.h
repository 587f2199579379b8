//===-- Strides.h - uses that leave pages out -------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where a loop's strides leave pages out, the memories do not serve what they hold: that depends on
// the order in which pages are distributed.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_STRIDES_H
#define MAPP_STRIDES_H

#include "advice/Alternative.h"
#include "advice/Machine.h"
#include "mapp/analysis/Classify.h"

#include <optional>

namespace mapp {

/// Too few pages follow each other for any distribution to do.
bool leavesPagesOut(const Use &U, uint64_t ArrayBytes, const advice::Machine &On);

/// What the memories have of a use that leaves pages out.
struct StridedShares {
  advice::Shares Of;
  double Unevenness; ///< of the best distribution of so few pages
};

/// Of a policy that distributes pages; nothing where any distribution would do.
/// @param Placed how much of the array each memory holds
std::optional<StridedShares> stridedShares(const Use &U, const advice::Alternative &A,
                                           uint64_t ArrayBytes, const advice::Machine &On,
                                           const advice::Shares &Placed);

/// The least prime that is greater.
uint64_t primeAbove(uint64_t Number);

} // namespace mapp

#endif // MAPP_STRIDES_H
