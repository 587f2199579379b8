//===-- TakenLocations.h - which locations have threads ---------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ways to make a map decide first which locations have threads, and then go down the machine's
// parts: how many threads a part has, and where a part without children has them.
//
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_TAKENLOCATIONS_H
#define THREADMAP_TAKENLOCATIONS_H

#include "Locations.h"

#include <algorithm>

namespace threadmap {

class TakenLocations {
public:
  TakenLocations(const Locations &At, const std::vector<uint32_t> &Those)
      : IsTaken(At.count(), false) {
    for (const uint32_t Location : Those)
      IsTaken[Location] = true;
  }

  /// How many locations of a part are taken.
  uint32_t countIn(const Locations::Part &Part) const {
    return static_cast<uint32_t>(
        std::count(IsTaken.begin() + Part.Begin, IsTaken.begin() + Part.End, true));
  }

  /// Calls Do(location) for what is taken of a part, in ascending order.
  template <typename Function> void forEach(const Locations::Part &Part, Function Do) const {
    for (uint32_t Location = Part.Begin; Location < Part.End; ++Location)
      if (IsTaken[Location])
        Do(Location);
  }

private:
  std::vector<bool> IsTaken; ///< by location
};

} // namespace threadmap

#endif // THREADMAP_TAKENLOCATIONS_H
