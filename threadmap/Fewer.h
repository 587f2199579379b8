//===-- Fewer.h - places that can matter ------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MAP_FEWER_H
#define MAP_FEWER_H

#include "Places.h"

namespace threadmap {

/// Some of the places of a machine, in their order.
struct FewerPlaces {
  Places Few;
  std::vector<uint32_t> Whole; ///< by place: its number on the whole machine
};

/// Leaves out places of a machine with more cores than threads, but none that all cheapest maps
/// (with `Worst`, all dearest ones) of any matrix without negative volumes need.  What two places
/// cost stays as it was.
FewerPlaces fewerPlaces(const Places &At, uint32_t Threads, bool Worst);

} // namespace threadmap

#endif // MAP_FEWER_H
