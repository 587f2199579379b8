//===-- Fewer.h - locations that can matter ------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_FEWER_H
#define THREADMAP_FEWER_H

#include "Locations.h"

namespace threadmap {

/// Some of the locations of a machine, in their order.
struct FewerLocations {
  Locations Few;
  std::vector<uint32_t> Whole; ///< by location: its number on the whole machine
};

/// Leaves out locations of a machine with more cores than threads, but none that all cheapest maps
/// (with `Worst`, all dearest ones) of any matrix without negative volumes need.  What two
/// locations cost stays as it was.
FewerLocations fewerLocations(const Locations &At, uint32_t Threads, bool Worst);

} // namespace threadmap

#endif // THREADMAP_FEWER_H
