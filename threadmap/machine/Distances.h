//===-- Distances.h - how far apart nodes and CPUs are ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_DISTANCES_H
#define THREADMAP_DISTANCES_H

#include "Locations.h"

namespace threadmap {

/// What a unit of volume costs between each pair of nodes or CPUs, row by row, in ascending order
/// of OS indices.
struct Distances {
  std::vector<double> Values;
  bool OfCpus = false;
};

/// The distances that a machine has.
/// @param Source `slit`, `latency`, `bandwidth`; `measured` for the machine that this runs on; or
/// the
///   name of a file that has as many rows as the machine has nodes with CPUs, or CPUs
/// @return nothing where there are none, and `Error` says why
std::optional<Distances> distancesOf(const Machine &On, const std::string &Source,
                                     std::string &Error);

/// Has the costs of a machine's locations told by distances: between nodes these, the mean of both
/// directions; within a node its distance to itself, and a tenth of that for each level further
/// down.
void useDistances(const Machine &On, const Distances &Told, Locations &At);

} // namespace threadmap

#endif // THREADMAP_DISTANCES_H
