//===-- Places.h - where a number of threads may run ------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A machine offers places to threads.  No core gets a second thread while a core is free, so as
// long as there are cores enough a core is one place.  More threads than cores take the second CPUs
// of the cores, then the third; more threads than CPUs share CPUs, all of them equally.  Places are
// numbered in the order of the topology, so a part of the machine holds a range of them.
//
//===----------------------------------------------------------------------===//
#ifndef MAP_PLACES_H
#define MAP_PLACES_H

#include "Machine.h"

#include <limits>

namespace threadmap {

constexpr uint32_t None = std::numeric_limits<uint32_t>::max();

/// The place of each thread.
using Map = std::vector<uint32_t>;

struct Places {
  /// A part of the machine with several places, or one that stands among such parts.
  struct Part {
    uint32_t Parent;                ///< the root is its own
    uint32_t Level;                 ///< how many parts are above it
    uint32_t Begin;                 ///< its first place
    uint32_t End;                   ///< the place after its last
    double Weight;                  ///< what a unit of volume costs between two of its children
    std::vector<uint32_t> Children; ///< none where its children are places
  };
  std::vector<Part> Parts;       ///< a parent before its children; the root is first
  std::vector<uint32_t> Owner;   ///< by place: the part whose child it is
  std::vector<uint32_t> Cpu;     ///< by place: OS index
  std::vector<uint32_t> Unit;    ///< by place: the core or CPU that must not go short of threads
  std::vector<uint32_t> AtLeast; ///< by unit: how many of its places must be taken

  uint32_t count() const { return static_cast<uint32_t>(Owner.size()); }

  /// What a unit of volume costs between two different places.
  double weight(uint32_t A, uint32_t B) const;
};

/// The places that the machine has for so many threads: at least so many.
Places placesFor(const Machine &From, uint32_t Threads);

/// The same places with parts of many children made of halves, those of halves again, and so on.
/// Each of these costs `Factor` times as much as the one below it: this leads a search to divide
/// threads in two, where that cuts least, before it divides them further.
Places halved(const Places &At, double Factor);

/// Which thread is at each place, or None.
std::vector<uint32_t> threadsByPlace(const Places &At, const Map &Of);

} // namespace threadmap

#endif // MAP_PLACES_H
