//===-- Arrange.h - neighbours that share -----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_SEARCH_ARRANGE_H
#define THREADMAP_SEARCH_ARRANGE_H

#include "threadmap/machine/Locations.h"
#include "threadmap/matrix/Matrix.h"

namespace threadmap {

/// Orders what is alike in each part of the machine, threads in a cache or packages of a machine,
/// so that neighbours share.  This leaves the cost of the map as it is: caches, rings and meshes
/// that the topology does not tell of often favour neighbours.
void arrange(const Matrix &Volumes, const Locations &At, Map &Of);

} // namespace threadmap

#endif // THREADMAP_SEARCH_ARRANGE_H
