//===-- Branch.h - the cheapest map of few threads by distances -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_SEARCH_BRANCH_H
#define THREADMAP_SEARCH_BRANCH_H

#include "threadmap/machine/Locations.h"
#include "threadmap/matrix/Matrix.h"

namespace threadmap {

/// The cheapest map of at most 16 threads where distances are told, or some threads are held.
/// Nothing where a second or two did not suffice to know it.
/// @param Known the cheapest so far, which is returned where none is cheaper
/// @param Held by thread: whether it stays where `Known` has it; empty: none does
std::optional<Map> provenMap(const Matrix &Volumes, const Locations &At, const Map &Known,
                             const std::vector<bool> &Held = {});

} // namespace threadmap

#endif // THREADMAP_SEARCH_BRANCH_H
