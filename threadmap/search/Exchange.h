//===-- Exchange.h - improve a map by distances -----------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where the machine is no tree, as nodes in a ring, a map is improved by its distances themselves:
// the quadratic assignment problem (Koopmans and Beckmann 1957).
//
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_SEARCH_EXCHANGE_H
#define THREADMAP_SEARCH_EXCHANGE_H

#include "threadmap/machine/Crowding.h"
#include "threadmap/machine/Locations.h"
#include "threadmap/matrix/Matrix.h"

namespace threadmap {

/// Exchanges the contents of alike nodes, and single threads, as long as that makes the map
/// cheaper, and makes trials to leave where it ends.
/// @param Held by thread: whether it stays where it is; none does where this is empty
/// @param By where not null, this counts, too
Map exchanged(const Matrix &Volumes, const Locations &At, Map Of, uint64_t Seed,
              std::vector<bool> Held = {}, const Crowding *By = nullptr);

} // namespace threadmap

#endif // THREADMAP_SEARCH_EXCHANGE_H
