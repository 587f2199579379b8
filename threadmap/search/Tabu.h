//===-- Tabu.h - search on where every swap costs ---------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_SEARCH_TABU_H
#define THREADMAP_SEARCH_TABU_H

#include "threadmap/machine/Locations.h"
#include "threadmap/matrix/Matrix.h"

namespace threadmap {

/// Robust tabu search (Taillard 1991): makes the swap that costs least, again and again, but takes
/// no thread back to where it was not long ago.  The way to better maps where distances are as
/// mixed as volumes.
/// @return the cheapest map that it comes by, or the one that is given: where it is dearer, where
///   there are more than 256 locations, or where cores must not go short of threads
Map tabuMap(const Matrix &Volumes, const Locations &At, const Map &Of, uint64_t Seed);

} // namespace threadmap

#endif // THREADMAP_SEARCH_TABU_H
