//===-- Tree.h - locations for groups of threads -------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The search moves single threads, pairs, pairs of pairs and so on, so it needs locations for
// these. A slot is a location, or two slots of one part of the machine put together; coarse() puts
// the slots of a tree together and so makes the tree for larger groups.  Two slots of the same kind
// hold alike locations: whatever group of threads is in one costs as much inside itself when it is
// in the other.
//
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_SEARCH_TREE_H
#define THREADMAP_SEARCH_TREE_H

#include "threadmap/machine/Locations.h"

#include <array>
#include <map>
#include <tuple>

namespace threadmap {

struct Tree {
  struct Part {
    uint32_t Parent; ///< the root is its own
    uint32_t Level;
    double Weight;
    double Step;  ///< what a unit of volume costs less in this part than in its parent
    double Least; ///< the least weight of parts in it
    std::vector<uint32_t> Children;
    std::vector<uint32_t> Slots; ///< of a part without children
  };
  struct Slot {
    uint32_t Owner;
    uint32_t Kind;
    uint32_t Unit; ///< the unit it is in, or None where it holds whole units
  };
  std::vector<Part> Parts; ///< a parent before its children; the root is first
  std::vector<Slot> Slots;
  std::vector<uint32_t> MayBeEmpty; ///< by unit: how many of its locations need no thread
  bool Single = false;              ///< slots are single locations: threads may go to any kind

  uint32_t count() const { return static_cast<uint32_t>(Slots.size()); }

  /// The smallest part that has both parts in it.
  uint32_t common(uint32_t A, uint32_t B) const;
};

/// The tree of single locations.
Tree treeOf(const Locations &At);

/// The tree of the same slots without the parts that have more than `Depth` parts above them.  What
/// was in one of these costs as if no two were in the same.
Tree withoutPartsBelow(const Tree &Of, uint32_t Depth);

/// The tree of two parts that have so many locations.
Tree treeOfTwo(uint32_t First, uint32_t Second);

/// A tree of slots put together, and what became of each slot.
struct CoarseTree {
  Tree Above;
  std::vector<uint32_t> Into; ///< by slot of the finer tree: slot of the coarser one
  /// By slot of the coarser tree: those that are in it; the second is None where there is one.
  std::vector<std::array<uint32_t, 2>> From;
};

/// The kinds of slots that have been made, so that what is put together in the same step from the
/// same is the same kind.  In another step it is another: items are taken apart step by step.
using Kinds = std::map<std::tuple<size_t, uint32_t, uint32_t, double>, uint32_t>;

/// @param Step counts the trees
CoarseTree coarse(const Tree &Fine, size_t Step, Kinds &Known);

} // namespace threadmap

#endif // THREADMAP_SEARCH_TREE_H
