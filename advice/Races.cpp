//===-- Races.cpp - pages for whose first touch threads race -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Races.h"

#include <algorithm>
#include <map>
#include <numeric>

using namespace advice;
using maiprof::None;

namespace {

/// What threads of a team write of a page when one of them touches it first.
struct FirstWrites {
  uint32_t Toucher = None; ///< its number
  uint32_t Phase = None;   ///< in which it does so
  bool IsSerial = false;
  Shares ByNode;

  /// It may as well have been another node's thread, and this one's write less than half of it.
  bool isRace(unsigned TouchersNode) const {
    const double All = std::accumulate(ByNode.begin(), ByNode.end(), 0.0);
    return !IsSerial && !ByNode.empty() && ByNode[TouchersNode] < All / 2;
  }
};

} // namespace

Races advice::racesOf(const maiprof::Profile &P, const Access &Of) {
  if (!P.HasPhases)
    return {};
  std::map<uint32_t, FirstWrites> Known;
  const std::vector<uint32_t> Numbers = maiprof::numbers(P);
  for (const maiprof::ArrayCounts::Entry &E : Of.Counts.entries()) {
    const uint32_t Writer = E.Page == None ? None : P.Pages[E.Page].FirstWriter;
    if (Writer == None || Numbers[Writer] != E.Thread || E.Writes <= 0)
      continue;
    FirstWrites &Its = Known[E.Page];
    Its.Toucher = E.Thread;
    Its.Phase = std::min(Its.Phase, E.Phase);
    Its.IsSerial |= E.Serial;
  }
  for (const maiprof::ArrayCounts::Entry &E : Of.Counts.entries())
    if (const auto At = Known.find(E.Page); At != Known.end() && At->second.Phase == E.Phase) {
      At->second.ByNode.resize(Of.Parallel.size());
      At->second.ByNode[Of.nodeOf(E.Thread)] += E.Writes;
    }
  Races Result;
  for (const auto &[Page, Its] : Known) {
    if (!Its.isRace(Of.nodeOf(Its.Toucher)))
      continue;
    Result.Pages.insert(Page);
    for (unsigned Node = 0; Node < Its.ByNode.size(); ++Node)
      if (Its.ByNode[Node] > 0)
        Result.Nodes.insert(Node);
  }
  return Result;
}
