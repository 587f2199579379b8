//===-- Exact.h - the cheapest map of few threads ---------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_SEARCH_EXACT_H
#define THREADMAP_SEARCH_EXACT_H

#include "threadmap/machine/Locations.h"
#include "threadmap/matrix/Matrix.h"

namespace threadmap {

/// Whether exactMap() can be asked: there are at most 16 threads, and levels tell the costs.
bool hasExactMap(const Matrix &Volumes, const Locations &At);

/// A map than which none is cheaper.
Map exactMap(const Matrix &Volumes, const Locations &At);

} // namespace threadmap

#endif // THREADMAP_SEARCH_EXACT_H
