//===-- Search.h - improve a map by swaps -----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_SEARCH_SEARCH_H
#define THREADMAP_SEARCH_SEARCH_H

#include "Graph.h"
#include "PartSums.h"
#include "Tree.h"

#include <random>

namespace threadmap {

/// Swaps items between slots as long as a swap makes the map cheaper.
///
/// For each part of the machine and each item the search keeps what the item shares with the items
/// in that part.  What a swap gains follows from the few of these on the two paths from the slots
/// to their common part, and only what the two items share with others changes by it.
class Search {
public:
  /// `Slot[i]` is where item i is; `Empty[i]` how many of its locations have no thread.
  Search(const Tree &Locations, const Graph &Volumes, const std::vector<uint32_t> &Empty,
         std::vector<uint32_t> &Slot);

  /// Swaps until no item has a swap that gains, starting with items in random order.
  void improve(std::mt19937_64 &Random);

  /// Makes trials, until so much work is done, to leave a map that no swap improves: a swap at
  /// random that brings an item to one it shares with; mostly some more the same way, each the best
  /// that there is (Kernighan and Lin 1970); then all swaps that gain, with these items held where
  /// they are at first.  Taken back where the whole did not pay (iterated local search, Lourenço et
  /// al. 2003).
  void explore(uint64_t Limit, std::mt19937_64 &Random);

  /// A count that is about proportional to the time spent.
  uint64_t work() const { return Work; }

private:
  struct Swap {
    uint32_t Other = None;
    double Gain = 0;
  };

  void countShared();
  void listShared();
  void listSlots();
  double shared(uint32_t Part, uint32_t Item) const { return Shared.at(Part, Item); }
  double benefit(uint32_t Item, uint32_t Part) const;
  Swap bestSwap(uint32_t Item);
  void tryAll(uint32_t Item, double Here, Swap &Best);
  void tryShared(uint32_t Item, double Here, Swap &Best);
  void trySome(uint32_t Item, double Here, Swap &Best);
  void tryPart(uint32_t Item, uint32_t Part, double Difference, Swap &Best);
  void collectPath(uint32_t Part, uint32_t Top, double Sign);
  bool isAllowed(uint32_t A, uint32_t B) const;
  bool leavesEnough(uint32_t From, uint32_t To) const;
  double descend();
  bool begin(uint32_t Item, uint32_t Part, uint32_t Neighbour, double &Gain);
  void follow(uint32_t From, uint32_t To, uint32_t Swaps, double &Gain, std::mt19937_64 &Random);
  uint32_t readiest(uint32_t From, uint32_t To, const double *Volume, std::mt19937_64 &Random);
  double gainOf(uint32_t Item, uint32_t Other);
  void swapAndHold(uint32_t Item, uint32_t Other);
  std::vector<uint32_t> release();
  double settle();
  uint32_t childWith(uint32_t Top, uint32_t Part) const;
  bool trial(uint32_t Item, std::mt19937_64 &Random);
  uint32_t randomNeighbour(uint32_t Item, std::mt19937_64 &Random);
  void loadRow(uint32_t Item);
  void clearRow(uint32_t Item);
  void swap(uint32_t A, uint32_t B);
  void addRow(uint32_t Item, uint32_t Part, uint32_t Top, double Sign);
  void addDifference(uint32_t Part, uint32_t Top, double Sign);
  void look(uint32_t Item);
  void lookAtNeighbours(uint32_t Item);

  const Tree &T;
  const Graph &G;
  const std::vector<uint32_t> &Empty;
  std::vector<uint32_t> &Slot;
  std::vector<uint32_t> ItemAt;      ///< by slot
  std::vector<uint32_t> EmptyOfUnit; ///< locations without a thread
  PartSums Shared; ///< by part and item: what the item shares with those in the part
  std::vector<std::vector<uint32_t>> SlotsIn; ///< by part; of a table
  std::vector<uint32_t> Leaves;               ///< parts without children
  std::vector<uint32_t> TriedIn;              ///< by part: the last round in which it was tried
  uint32_t Round = 0;
  size_t NextLeaf = 0;
  std::vector<double> Row;     ///< what the item in hand shares with each other, or a difference
  std::vector<uint32_t> Queue; ///< items to look at, a ring
  std::vector<bool> Queued;
  size_t Head = 0, Length = 0;
  std::vector<std::pair<uint32_t, double>> Stack;  ///< parts to visit, and the benefit there
  std::vector<std::pair<uint32_t, double>> Path;   ///< parts between two slots and their common one
  std::vector<bool> IsHeld;                        ///< by item: it stays where it is
  std::vector<uint32_t> Held;                      ///< these
  std::vector<std::pair<uint32_t, uint32_t>> Done; ///< swaps of a trial
  double Least;                                    ///< gains below are rounding
  bool Signed = false;
  uint64_t Work = 0;
};

} // namespace threadmap

#endif // THREADMAP_SEARCH_SEARCH_H
