//===-- PartSums.h - what items share with parts of the machine -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The sums that a search keeps by part of the machine and item.  As a table they are found at once,
// but thousands of items times thousands of parts take gigabytes; items that share with few others
// share with few parts, so each keeps a small hash table of these then.
//
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_SEARCH_PARTSUMS_H
#define THREADMAP_SEARCH_PARTSUMS_H

#include "threadmap/machine/Locations.h"

namespace threadmap {

class PartSums {
public:
  /// Nothing is shared yet.  `Most[i]` is with how many parts item i can share; empty: with any.
  PartSums(size_t Parts, size_t Items, const std::vector<size_t> &Most);

  /// Whether it is a table.
  bool isTable() const { return Begin.empty(); }

  double at(uint32_t Part, uint32_t Item) const {
    return isTable() ? Table[Part * Stride + Item] : find(Part, Item);
  }

  /// The sums of a part by item; of a table.
  double *row(uint32_t Part) { return Table.data() + Part * Stride; }

  /// Something that an item shares comes into a part, or leaves it; where this is no table.
  void add(uint32_t Part, uint32_t Item, double Volume);
  void remove(uint32_t Part, uint32_t Item, double Volume);

  /// How much is kept, in numbers.
  size_t size() const { return Table.size() + 2 * Entries.size(); }

private:
  struct Entry {
    uint32_t Part = None;
    uint32_t Count = 0; ///< of what was added and not removed
    double Sum = 0;
  };

  static size_t hash(uint32_t Part) { return Part * 0x9e3779b1U; }

  double find(uint32_t Part, uint32_t Item) const;
  Entry &entry(uint32_t Part, uint32_t Item);
  void erase(uint32_t Item, size_t Index);

  size_t Stride;
  std::vector<double> Table;
  std::vector<size_t> Begin; ///< by item: its entries, a power of two, linearly probed
  std::vector<Entry> Entries;
};

} // namespace threadmap

#endif // THREADMAP_SEARCH_PARTSUMS_H
