//===-- Phases.cpp - a map for each parallel region -------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Phases.h"

#include "Start.h"
#include "threadmap/machine/Formatted.h"
#include "threadmap/search/Cost.h"

#include <algorithm>

using namespace threadmap;

namespace {

constexpr double LinesOfCache = 16384;

/// Lets threads that stay in a part stay where they are in it, as far as that costs nothing.
void stay(const Locations &At, const Map &Before, const Crowding *By, Map &Of) {
  std::vector<uint32_t> ThreadAt = threadsByLocation(At, Of);
  const auto AreAlike = [&](uint32_t A, uint32_t B) {
    return At.Owner[A] == At.Owner[B] && (!At.Domains || At.Domain[A] == At.Domain[B]) &&
           (!By || By->GroupOf[A] == By->GroupOf[B]);
  };
  for (uint32_t Thread = 0; Thread < Of.size(); ++Thread) {
    const uint32_t Here = Of[Thread], There = Before[Thread], Other = ThreadAt[There];
    if (Other == None || Other == Thread || !AreAlike(Here, There))
      continue;
    std::swap(Of[Thread], Of[Other]);
    std::swap(ThreadAt[Here], ThreadAt[There]);
  }
}

uint32_t movedThreads(const Locations &At, const Map &From, const Map &To) {
  uint32_t Moved = 0;
  for (uint32_t Thread = 0; Thread < From.size(); ++Thread)
    Moved += At.Cpu[From[Thread]] != At.Cpu[To[Thread]];
  return Moved;
}

} // namespace

double threadmap::costOfMove(const Locations &At) {
  double Greatest = At.Parts[0].Weight;
  if (!At.Between.empty())
    Greatest = std::max(Greatest, *std::max_element(At.Between.begin(), At.Between.end()));
  return LinesOfCache * Greatest;
}

std::vector<PhaseMap> threadmap::mapsOfPhases(const std::vector<Phase> &Phases, const Locations &At,
                                              const Map &ForAll, uint64_t Entries,
                                              double CostOfMove, const Crowding *By,
                                              uint64_t Seed) {
  std::vector<PhaseMap> Result;
  // The profile does not tell how often each was entered.
  const double Times = std::max(1.0, static_cast<double>(Entries) /
                                         static_cast<double>(std::max<size_t>(1, Phases.size())));
  for (const Phase &P : Phases) {
    const double One = costOf(P.Volumes, At, ForAll);
    Map Own = mapByHand(P.Volumes, At, {}, fixedBy(At, ForAll), By, Seed);
    stay(At, ForAll, By, Own);
    const uint32_t Moved = movedThreads(At, ForAll, Own);
    Result.push_back({P, One, costOf(P.Volumes, At, Own), Moved, 2 * Times * Moved * CostOfMove,
                      std::move(Own)});
  }
  return Result;
}

std::string threadmap::phaseTable(const std::vector<PhaseMap> &Maps, double CostOfMove) {
  std::string Result = formatted("\n%-6s  %14s  %14s  %7s  %14s  %-4s  %s\n", "region", "one map",
                                 "own map", "moved", "moves", "pays", "where");
  for (const PhaseMap &M : Maps)
    Result +=
        formatted("%-6u  %14.8g  %14.8g  %7u  %14.8g  %-4s  %.200s\n", M.Of.Number, M.CostOfOne,
                  M.CostOfOwn, M.Moved, M.CostOfMoves, M.pays() ? "yes" : "no", M.Of.Name.c_str());
  return Result + formatted("a move of a thread costs %.8g\n", CostOfMove);
}
