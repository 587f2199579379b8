//===-- Report.cpp - what a map costs beside others, its file ---*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "threadmap/machine/Bound.h"
#include "threadmap/search/Cost.h"
#include "threadmap/search/Exact.h"

#include <algorithm>
#include <cstdio>

using namespace threadmap;

namespace {

/// The worst map is there to compare with: half of the time is enough for it, and less where that
/// is long, as maps of many threads are nearly as bad as can be wherever these are.
double effortForWorst(uint32_t Threads) { return 0.4 * std::min(1.0, 256.0 / Threads); }

constexpr const char *RandomName = "random (mean)";

template <typename... Values> std::string formatted(const char *Format, Values... V) {
  char Text[160];
  std::snprintf(Text, sizeof Text, Format, V...);
  return Text;
}

} // namespace

std::vector<Row> threadmap::costsBeside(const Matrix &Volumes, const Locations &At, double OfMap) {
  const auto Cost = [&](const Map &M) { return costOf(Volumes, At, M); };
  return {{"this map", OfMap},
          {"compact", Cost(compactMap(At, Volumes.threads()))},
          {"scatter", Cost(scatteredMap(At, Volumes.threads()))},
          {RandomName, meanCost(Volumes, At)}};
}

Row threadmap::costOfWorst(const Matrix &Volumes, const Locations &At, Algorithm How,
                           uint64_t Seed) {
  const double Effort = effortForWorst(Volumes.threads());
  return {"worst", costOf(Volumes, At, mapOf(Volumes, At, How, /*Worst=*/true, Seed, Effort))};
}

Proof threadmap::proofOf(const Matrix &Volumes, const Locations &At, double Cost, bool IsCheapest) {
  double Bound = Cost;
  if (!IsCheapest)
    Bound = std::min(Cost, hasExactMap(Volumes, At) ? costOf(Volumes, At, exactMap(Volumes, At))
                                                    : lowerBound(Volumes, At));
  return {Bound, Cost - Bound <= 1e-9 * Cost};
}

std::string threadmap::sentence(const Proof &Of, double Cost) {
  if (Of.IsCheapest)
    return "no map is cheaper";
  return formatted("no map costs less than %.8g, which is %.3g %% less", Of.Bound,
                   100 * (Cost - Of.Bound) / Cost);
}

std::string threadmap::table(const std::vector<Row> &Rows) {
  double Random = 0;
  for (const Row &R : Rows)
    if (R.Name == RandomName)
      Random = R.Cost;
  std::string Result = formatted("%-20s  %14s  %9s\n", "map", "cost", "/ random");
  for (const Row &R : Rows) {
    Result += formatted("%-20s  %14.8g", R.Name.c_str(), R.Cost);
    Result += Random > 0 ? formatted("  %9.3f\n", R.Cost / Random) : "\n";
  }
  return Result;
}

std::string threadmap::commented(const std::vector<std::string> &Comments) {
  std::string Result;
  for (const std::string &Comment : Comments) {
    Result += "# ";
    for (const char C : Comment) // A line end would end the comment.
      Result += C >= ' ' && C != 0x7f ? C : '?';
    Result += '\n';
  }
  return Result;
}

std::string threadmap::mapFile(const Locations &At, const Map &Of) {
  constexpr size_t PerLine = 16;
  std::string Result;
  for (size_t Thread = 0; Thread < Of.size(); ++Thread) {
    Result += std::to_string(At.Cpu[Of[Thread]]);
    const bool EndsLine = Thread % PerLine == PerLine - 1 || Thread + 1 == Of.size();
    Result += EndsLine ? '\n' : ' ';
  }
  return Result;
}
