//===-- Regions.h - what regions, slices and tasks access -------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_REGIONS_H
#define MINAS_TRACE_REGIONS_H

#include "trace/profile/Analysis.h"

namespace maiprof {

/// What one parallel region does; of region 0, what is done outside of all.
struct RegionUse {
  uint32_t Phase = 0; ///< as Series has it
  std::string Name;
  Counts Accesses;
  Split Where;
  std::vector<Split> ByThread;
  /// Of the accesses whose place is known, those that would be remote if each page were on the node
  /// that uses it most in this region.
  double LeastRemote = 0;
  /// How alike it and each of the regions use the memory that both use, from 0 to 1; less than 0:
  /// they use none together.
  std::vector<double> Likeness;
};

/// Below, two regions divide their memory among the threads in different ways.
inline constexpr double AlikeLeast = 0.5;

/// The same of slices of time; Phase is the number of the slice. Empty where the run is one.
std::vector<RegionUse> slices(const Profile &P, const Layout &L);

/// What the tasks of one place do.
struct TaskUse {
  RegionUse Use;               ///< Phase is the number of the place
  std::vector<uint64_t> Begun; ///< how many, by thread
  uint64_t number() const;
};

/// The places that make the tasks that access most, 64 at most, in the order in which the program
/// first came to them; empty where the profile does not tell tasks apart.
std::vector<TaskUse> tasks(const Profile &P, const Layout &L);

/// The 64 that access most, in the order in which the program first came to them; empty where the
/// profile does not tell them apart.
std::vector<RegionUse> regions(const Profile &P, const Layout &L);

/// Where a region uses memory in another way than the last that used it: indices of the two.
/// Regions with less than 2 % of the accesses are left out.
std::vector<std::pair<size_t, size_t>> changes(const std::vector<RegionUse> &Regions);

} // namespace maiprof
#endif
