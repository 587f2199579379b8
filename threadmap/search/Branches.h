//===-- Branches.h - maps that keep branches together -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_SEARCH_BRANCHES_H
#define THREADMAP_SEARCH_BRANCHES_H

#include "Forest.h"
#include "threadmap/machine/Locations.h"

#include <random>

namespace threadmap {

/// A map that divides a forest of threads among the largest parts of the machine, then among the
/// parts of these, and so on.  Halves of halves come first; then two parts that share are divided
/// anew as long as that cuts less, and again after a few parts were divided at random.
/// @param Limit of the work, which is counted up
Map branchMap(const Forest &Of, const Locations &At, uint64_t Limit, std::mt19937_64 &Random,
              uint64_t &Work);

} // namespace threadmap

#endif // THREADMAP_SEARCH_BRANCHES_H
