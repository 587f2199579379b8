//===-- Forest.h - what branches, among all that is shared ------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Threads that divide and conquer share as trees branch: between two of them there is one way or
// none.  Such a forest is divided in two as cheaply as can be in little time (Halves.h), whereas
// swaps of threads do not lead from one division to the next: whole branches would have to change
// vertices.
//
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_SEARCH_FOREST_H
#define THREADMAP_SEARCH_FOREST_H

#include "Graph.h"

#include <optional>

namespace threadmap {

struct Forest {
  std::vector<uint32_t> Item;   ///< by vertex; parents come before their children
  std::vector<uint32_t> Parent; ///< by vertex: the parent's vertex; size() of a root
  std::vector<float> Volume;    ///< by vertex: what it shares with its parent
  bool IsAll = true;            ///< nothing else is shared

  uint32_t size() const { return static_cast<uint32_t>(Item.size()); }
};

/// The forest in what items share that shares most (Boruvka 1926), where that is most of what is
/// shared beside what any two items share.
std::optional<Forest> forestIn(const Graph &Volumes);

/// By vertex: whether it is put together with its parent so that the pairs share most.
std::vector<bool> pairsIn(const Forest &Of, const std::vector<float> &Volume);

} // namespace threadmap

#endif // THREADMAP_SEARCH_FOREST_H
