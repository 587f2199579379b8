//===-- Job.h - processes that run together, and where ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_RANKS_JOB_H
#define THREADMAP_RANKS_JOB_H

#include "threadmap/machine/Locations.h"
#include "threadmap/matrix/Matrix.h"

#include <vector>

namespace threadmap {

/// The most ranks of a job.
constexpr uint32_t MaxRanks = 4096;

/// The ranks of a program and what they exchange, all in one unit.
struct Job {
  std::vector<Matrix> Shared; ///< by rank: the volumes that its threads share
  Matrix Sent{0};             ///< what each pair of ranks sends, both directions together

  uint32_t ranks() const { return static_cast<uint32_t>(Shared.size()); }
  uint32_t threadsOf(uint32_t Rank) const { return Shared[Rank].threads(); }
};

/// The host that each rank is on.
using Division = std::vector<uint32_t>;

/// The ranks of one host, ascending, and where their threads are: those of the first rank first.
struct HostMap {
  std::vector<uint32_t> Ranks;
  Locations At;
  Map Of;
};

/// Where all threads of a job are.
struct Layout {
  std::vector<HostMap> Hosts;
  double Cost = 0; ///< as of a map; hosts are one level above the machine
};

} // namespace threadmap

#endif // THREADMAP_RANKS_JOB_H
