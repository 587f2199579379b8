//===-- Construct.h - maps by matching, greedily, by Scotch -----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_SEARCH_CONSTRUCT_H
#define THREADMAP_SEARCH_CONSTRUCT_H

#include "threadmap/machine/Locations.h"
#include "threadmap/matrix/Matrix.h"

namespace threadmap {

/// Cruz et al. 2011: threads form the pairs that share most, by Edmonds' matching, pairs form pairs
/// of pairs, and so on up the memory hierarchy; what two groups share is the sum of what their
/// threads share.
Map matchingMap(const Matrix &Volumes, const Locations &At);

/// Fills one part of the machine after the other, each time with the thread that shares most with
/// those that are in it.
Map greedyMap(const Matrix &Volumes, const Locations &At);

enum class ScotchStrategy { Default, Recursive };

/// Whether this was built with Scotch.
bool hasScotch();

/// The static mapping of Scotch (Pellegrini and Roman 1996).  Where it puts several threads on one
/// location, some move to the nearest free ones.
/// @param Moved receives how many did
Map scotchMap(const Matrix &Volumes, const Locations &At, ScotchStrategy Strategy, uint64_t Seed,
              uint32_t &Moved);

} // namespace threadmap

#endif // THREADMAP_SEARCH_CONSTRUCT_H
