//===-- Near.h - locations near one another ---------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_NEAR_H
#define THREADMAP_NEAR_H

#include "Locations.h"

namespace threadmap {

/// So many locations that are near one another, whoever gets which, in the order of the topology:
/// the smallest part of the machine with room for all that may be chosen, or else the largest
/// whole, and the others likewise.  With those that must be taken.
std::vector<uint32_t> nearLocations(const Locations &At, uint32_t Threads);

} // namespace threadmap

#endif // THREADMAP_NEAR_H
