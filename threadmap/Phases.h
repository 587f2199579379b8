//===-- Phases.h - a map for each parallel region ---------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Parallel regions may share in different ways, so that another map would be cheaper for one of
// them.  But threads that move there and back find their caches empty each time.
//
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_PHASES_H
#define THREADMAP_PHASES_H

#include "Input.h"
#include "threadmap/machine/Crowding.h"

namespace threadmap {

/// What it takes to give a region a map of its own.
struct PhaseMap {
  const Phase &Of;
  double CostOfOne; ///< under the map for all
  double CostOfOwn;
  uint32_t Moved;     ///< threads that are elsewhere
  double CostOfMoves; ///< there and back, each time that the region is entered
  Map Own;

  bool pays() const { return CostOfOne - CostOfOwn > CostOfMoves; }
};

/// What a move of a thread costs where the user does not say: a unit of volume at the greatest
/// distance for each of the 16384 lines that a cache of 1 MiB has.
double costOfMove(const Locations &At);

/// The regions' own maps, each improved from the map for all.
/// @param Entries how often regions were entered in all
std::vector<PhaseMap> mapsOfPhases(const std::vector<Phase> &Phases, const Locations &At,
                                   const Map &ForAll, uint64_t Entries, double CostOfMove,
                                   const Crowding *By, uint64_t Seed);

/// A table of the regions, and what own maps gain and cost.
std::string phaseTable(const std::vector<PhaseMap> &Maps, double CostOfMove);

} // namespace threadmap

#endif // THREADMAP_PHASES_H
