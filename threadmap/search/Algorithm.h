//===-- Algorithm.h - from a matrix to a map --------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_SEARCH_ALGORITHM_H
#define THREADMAP_SEARCH_ALGORITHM_H

#include "Construct.h"

#include <optional>
#include <string>

namespace threadmap {

enum class Algorithm { Refine, Matching, Greedy, Scotch };

const char *nameOf(Algorithm How);

/// The cheapest map that the algorithm finds, or with `Worst` the dearest, threads arranged.  The
/// same input and seed give the same map.
/// @param Effort multiplies the work that refining does
Map mapOf(const Matrix &Volumes, const Locations &At, Algorithm How, bool Worst, uint64_t Seed,
          double Effort = 1);

} // namespace threadmap

#endif // THREADMAP_SEARCH_ALGORITHM_H
