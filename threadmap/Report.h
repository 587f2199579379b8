//===-- Report.h - what a map costs beside others, its file -----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_REPORT_H
#define THREADMAP_REPORT_H

#include "threadmap/search/Algorithm.h"

#include <string>
#include <vector>

namespace threadmap {

/// A map and its cost in a table.
struct Row {
  std::string Name;
  double Cost;
};

/// The cost of a map, and those of compact, scattered and random (mean) maps.
std::vector<Row> costsBeside(const Matrix &Volumes, const Locations &At, double OfMap);

/// That of the worst map, which takes a search.
Row costOfWorst(const Matrix &Volumes, const Locations &At, Algorithm How, uint64_t Seed);

/// What every map costs at least, and whether this one is known to be a cheapest.
struct Proof {
  double Bound;
  bool IsCheapest;
};

/// @param IsCheapest whether that is known of the map
Proof proofOf(const Matrix &Volumes, const Locations &At, double Cost, bool IsCheapest);

/// How far a map of this cost may be from the cheapest, as a sentence.
std::string sentence(const Proof &Of, double Cost);

/// The rows as a table, with what each costs in proportion to random maps.
std::string table(const std::vector<Row> &Rows);

/// Lines behind a `#`.
std::string commented(const std::vector<std::string> &Comments);

/// The text of a map file: the CPU of each thread.
std::string mapFile(const Locations &At, const Map &Of);

} // namespace threadmap

#endif // THREADMAP_REPORT_H
