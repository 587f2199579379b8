//===-- Bisect.h - divide threads in two, and again -------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_SEARCH_BISECT_H
#define THREADMAP_SEARCH_BISECT_H

#include "Graph.h"
#include "threadmap/machine/Locations.h"

#include <random>

namespace threadmap {

/// A map that divides the threads among the halves of the machine, where that cuts least, then
/// among the halves of these, and so on (Kernighan and Lin 1970).  A half grows from a thread at
/// random, with the thread next that adds least to the cut; swaps improve it; the best of several
/// is taken.
/// @param Volumes is what the threads share, and nobody else
/// @param Work is counted up
Map bisectedMap(const Graph &Volumes, const Locations &At, uint32_t Threads,
                std::mt19937_64 &Random, uint64_t &Work);

/// Divides the threads of some siblings, parts of one part at random, among these anew, the same
/// way; all others stay.  For them it does not matter which sibling a thread is in.
Map dividedAnew(const Graph &Volumes, const Locations &At, const Map &Of, std::mt19937_64 &Random,
                uint64_t &Work);

} // namespace threadmap

#endif // THREADMAP_SEARCH_BISECT_H
