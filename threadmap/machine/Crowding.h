//===-- Crowding.h - what it costs that threads are together ----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a map costs beside what threads share: for each group of locations, such as a node or a
// core, something that follows from what the threads in it weigh; and for each location something
// for each unit of weight.
//
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_CROWDING_H
#define THREADMAP_CROWDING_H

#include "Locations.h"

#include <string>

namespace threadmap {

struct Crowding {
  std::vector<double> Weight;    ///< by thread
  std::vector<uint32_t> GroupOf; ///< by location
  size_t Groups = 0;
  std::vector<double> Slowness = {}; ///< by location, what a unit of weight costs; or none

  virtual ~Crowding() = default;

  /// What a load of a group costs, in units of unitPrice().
  virtual double excess(size_t Group, double Load) const = 0;

  /// What a unit costs where what threads share costs so much.
  virtual double unitPrice(double Cost) const = 0;

  /// What is to be said of a map: as a sentence, and as lines behind the table of costs.
  virtual std::string sentence(const Map &Of) const = 0;
  virtual std::string table(const Map &Of) const = 0;

  /// What the threads of each group weigh.
  std::vector<double> loads(const Map &Of) const;

  /// A cost, and what crowding adds to it.
  double priced(double Cost, const Map &Of) const;
};

} // namespace threadmap

#endif // THREADMAP_CROWDING_H
