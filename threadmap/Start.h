//===-- Start.h - maps with threads on preferred CPUs -------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_START_H
#define THREADMAP_START_H

#include "threadmap/machine/Crowding.h"
#include "threadmap/machine/Hand.h"
#include "threadmap/machine/Locations.h"
#include "threadmap/matrix/Matrix.h"

namespace threadmap {

/// A map that gives threads the CPUs that they prefer, in this order, where a location there is
/// free and enough threads are left for the cores and CPUs that must have some; the others have
/// any.
Map mapWith(const Locations &At, uint32_t Threads, const std::vector<Fixed> &Preferred);

/// The CPU of each thread of a map, for another map that begins with them.
std::vector<Fixed> fixedBy(const Locations &At, const Map &Of);

/// The cheapest map that is found in which threads are where they are fixed; from the map of `From`
/// where there is one, else from one that the search by levels finds.
/// @param By where not null, this counts, too
Map mapByHand(const Matrix &Volumes, const Locations &At, const std::vector<Fixed> &Wanted,
              const std::vector<Fixed> &From, const Crowding *By, uint64_t Seed);

/// The cheapest map that is found, threads on CPUs of one core included; no dearer than one in
/// which no core has two threads while another has none.
/// @param Apart the locations for such a map, and `By` what threads pay that share a core
Map mapWithSiblings(const Matrix &Volumes, const Locations &At, const Locations &Apart,
                    const std::vector<Fixed> &Wanted, const std::vector<Fixed> &From,
                    const Crowding &By, uint64_t Seed);

} // namespace threadmap

#endif // THREADMAP_START_H
