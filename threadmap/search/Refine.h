//===-- Refine.h - the cheapest map that is found ---------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_SEARCH_REFINE_H
#define THREADMAP_SEARCH_REFINE_H

#include "threadmap/machine/Locations.h"
#include "threadmap/matrix/Matrix.h"

namespace threadmap {

/// A map that no swap of two threads and no swap of two alike groups of threads makes cheaper, the
/// cheapest of many.
///
/// @param Effort multiplies the work that is done; 1 takes about 15 ms for 256 threads, half a
///   second for 1024
Map refinedMap(const Matrix &Volumes, const Locations &At, uint64_t Seed, double Effort = 1);

} // namespace threadmap

#endif // THREADMAP_SEARCH_REFINE_H
