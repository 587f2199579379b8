//===-- Layout.h - where the threads of all ranks are -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ranks are divided among hosts by what they send, and the threads of a host's ranks mapped
// together: by what threads of a rank share, and what each pair of threads of two ranks sends,
// which is the part of these ranks' messages that comes upon it.
//
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_RANKS_LAYOUT_H
#define THREADMAP_RANKS_LAYOUT_H

#include "Job.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace threadmap {

/// Hosts that are alike.
struct Cluster {
  uint32_t Hosts;
  std::function<Locations(uint32_t Threads)> LocationsFor; ///< of one host
};

/// The cheapest layout that is found, of several divisions.
/// @param Alike whether the n-th rank of each host is to have the same CPUs: launchers take one
///   list for all hosts
/// @return nothing where that cannot be, as these ranks have different numbers of threads
std::optional<Layout> layoutOf(const Job &Of, const Cluster &On, bool Alike, uint64_t Seed);

/// What ranks get who do not know what is sent and shared, by name: `block`, `cyclic`, and
/// `topology`, as mpibind has it: each rank has an equal part of its host, and its threads the
/// cores of that as far apart as they may be.
std::vector<std::pair<std::string, double>> costsOfOthers(const Job &Of, const Cluster &On);

/// The host of each rank.
Division divisionOf(const Layout &Of, uint32_t Ranks);

/// The CPU of each thread, by rank.
std::vector<std::vector<uint32_t>> cpusByRank(const Job &Of, const Layout &At);

} // namespace threadmap

#endif // THREADMAP_RANKS_LAYOUT_H
