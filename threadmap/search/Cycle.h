//===-- Cycle.h - improve a map at all sizes of groups ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A cycle puts threads together to pairs, pairs to fours and so on, as the slots of the machine are
// put together (Tree.h), and then takes them apart again, searching for swaps at every size: so
// whole groups move first, single threads last.  This is the multilevel method of graph
// partitioning (Karypis and Kumar 1998), with groups that fit the machine instead of free ones, so
// that every map on the way is one.
//
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_SEARCH_CYCLE_H
#define THREADMAP_SEARCH_CYCLE_H

#include "Graph.h"
#include "Tree.h"

#include <limits>
#include <random>

namespace threadmap {

class Cycles {
public:
  Cycles(const Matrix &Volumes, const Locations &At);

  /// A new map: all threads may be put together, wherever they are.
  void construct(Map &Of, std::mt19937_64 &Random) { run(Of, true, Random); }

  /// Makes a map cheaper or leaves it: just threads that are together are put together.
  void improve(Map &Of, std::mt19937_64 &Random) { run(Of, false, Random); }

  /// Divides the threads anew, first among the largest parts of the machine, then with the parts in
  /// these, and so on, but for the smallest; each time any thread may still go anywhere.  Where
  /// levels differ much the map is mostly decided so, and with few parts a trial costs little.
  /// @param First how many steps are left out: the threads stay near where they are then
  void divide(Map &Of, uint32_t First, std::mt19937_64 &Random);

  /// The steps that divide() has; 0 where the machine has but one level of parts.
  uint32_t divisions() const { return static_cast<uint32_t>(Upper.size()); }

  /// Swaps single threads only.
  void swapThreads(Map &Of, std::mt19937_64 &Random);

  /// How much work goes into trials (Search.h), as a multiple of that of the search without.
  double Exploration = 0;
  uint64_t MostExploration = std::numeric_limits<uint64_t>::max(); ///< work of one search's trials

  /// A count that is about proportional to the time spent so far.
  uint64_t work() const { return Work; }

private:
  /// The groups of one size.
  struct Items {
    Graph Volumes;
    std::vector<uint32_t> Empty; ///< by item: how many of its locations have no thread
    std::vector<uint32_t> Slot;  ///< by item
    std::vector<std::array<uint32_t, 2>> From; ///< by item: what was put together
  };

  Items itemsOf(const Map &Of) const;
  void run(Map &Of, bool Everywhere, std::mt19937_64 &Random);
  Items putTogether(const Items &Fine, size_t Level, bool Everywhere, std::mt19937_64 &Random);
  void search(Items &Of, const Tree &On, const Graph &Volumes, std::mt19937_64 &Random);
  void takeApart(const Items &From, size_t Level, Items &Into) const;

  const Locations &At;
  uint32_t Threads;
  Graph Finest;
  std::vector<Tree> Trees;
  std::vector<Tree> Upper;       ///< the first of `Trees` without smaller parts, fewer each time
  std::vector<CoarseTree> Links; ///< from each tree to the next; their trees are in `Trees`
  uint64_t Work = 0;
};

} // namespace threadmap

#endif // THREADMAP_SEARCH_CYCLE_H
