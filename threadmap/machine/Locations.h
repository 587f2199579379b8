//===-- Locations.h - where a number of threads may run ------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A machine offers locations to threads.  No core gets a second thread while a core is free, so as
// long as there are cores enough a core is one location.  More threads than cores take the second
// CPUs of the cores, then the third; more threads than CPUs share CPUs, all of them equally.
// Locations are numbered in the order of the topology, so a part of the machine holds a range of
// them.
//
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_LOCATIONS_H
#define THREADMAP_LOCATIONS_H

#include "Machine.h"

#include <limits>

namespace threadmap {

constexpr uint32_t None = std::numeric_limits<uint32_t>::max();

/// The location of each thread.
using Map = std::vector<uint32_t>;

struct Locations {
  /// A part of the machine with several locations, or one that stands among such parts.
  struct Part {
    uint32_t Parent;                ///< the root is its own
    uint32_t Level;                 ///< how many parts are above it
    uint32_t Begin;                 ///< its first location
    uint32_t End;                   ///< the location after its last
    double Weight;                  ///< what a unit of volume costs between two of its children
    std::vector<uint32_t> Children; ///< none where its children are locations
  };
  std::vector<Part> Parts;       ///< a parent before its children; the root is first
  std::vector<uint32_t> Owner;   ///< by location: the part whose child it is
  std::vector<uint32_t> Cpu;     ///< by location: OS index
  std::vector<uint32_t> Unit;    ///< by location: the core or CPU that must not go short of threads
  std::vector<uint32_t> AtLeast; ///< by unit: how many of its locations must be taken

  /// Where distances are told of nodes or CPUs (Distances.h): which one each location is in, and
  /// what a unit of volume costs between two different ones, row by row; equal in both directions.
  /// The weights of parts that have several of them are means then.
  std::vector<uint32_t> Domain;
  std::vector<double> Between;
  uint32_t Domains = 0; ///< 0: levels alone count

  uint32_t count() const { return static_cast<uint32_t>(Owner.size()); }

  /// What a unit of volume costs between two different locations.
  double weight(uint32_t A, uint32_t B) const;
};

/// Whether a core may have a second thread while another has none.
enum class Cores { OneEach, Shared };

/// The locations that the machine has for so many threads: at least so many.
Locations slotsFor(const Machine &From, uint32_t Threads, Cores Use = Cores::OneEach);

/// Which thread is at each location, or None.
std::vector<uint32_t> threadsByLocation(const Locations &At, const Map &Of);

} // namespace threadmap

#endif // THREADMAP_LOCATIONS_H
