//===-- Cost.h - what a map costs, and the maps to compare with -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_SEARCH_COST_H
#define THREADMAP_SEARCH_COST_H

#include "threadmap/machine/Locations.h"
#include "threadmap/matrix/Matrix.h"

#include <random>

namespace threadmap {

/// The sum over all pairs of threads of the volume that they share x 10^(h - 1), h being the height
/// of the smallest part of the machine that has both; or x their distance, where that is told.
double costOf(const Matrix &Volumes, const Locations &At, const Map &Of);

/// The mean cost of all maps, each as likely as randomMap() gives it.
double meanCost(const Matrix &Volumes, const Locations &At);

/// Whether every thread has a location of its own and no core (or CPU) goes short of threads.
bool isValid(const Locations &At, const Map &Of);

/// Threads side by side in the order of the topology, as MAi pins them without a map.
Map compactMap(const Locations &At, uint32_t Threads);

/// Neighbouring threads as far apart as possible.
Map scatteredMap(const Locations &At, uint32_t Threads);

/// Any map, each as likely as any other.
Map randomMap(const Locations &At, uint32_t Threads, std::mt19937_64 &Random);

/// A number below `Bound`, the same everywhere for the same generator.
uint32_t below(uint32_t Bound, std::mt19937_64 &Random);

/// Shuffles, the same everywhere for the same generator.
template <typename T> void shuffle(std::vector<T> &Values, std::mt19937_64 &Random) {
  for (size_t I = Values.size(); I > 1; --I)
    std::swap(Values[I - 1], Values[below(static_cast<uint32_t>(I), Random)]);
}

} // namespace threadmap

#endif // THREADMAP_SEARCH_COST_H
