//===-- Graph.h - what items share, for searching ---------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A sharing matrix in the form that suits it: whole rows where most pairs share something, lists of
// neighbours where few do.  Items are threads, groups of threads, or stand-ins for threads at
// locations that stay empty; these share nothing.
//
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_SEARCH_GRAPH_H
#define THREADMAP_SEARCH_GRAPH_H

#include "threadmap/matrix/Matrix.h"

namespace threadmap {

class Graph {
public:
  Graph() = default;

  /// The threads of a matrix, then items that share nothing, up to `Items`.
  Graph(const Matrix &Volumes, uint32_t Items);

  /// The graph of groups: item i of this belongs to group Group[i].
  Graph grouped(const std::vector<uint32_t> &Group, uint32_t Groups) const;

  /// The graph of some items and what these share among one another: item i of it is Items[i].
  Graph among(const std::vector<uint32_t> &Items) const;

  uint32_t size() const { return Size; }
  bool isDense() const { return Dense; }

  /// The volumes that an item shares with all items; dense graphs only.
  const double *row(uint32_t Item) const { return Full.data() + static_cast<size_t>(Item) * Size; }

  /// Calls Do(other item, volume) for what an item shares, in ascending order of the other.
  template <typename Function> void forEach(uint32_t Item, Function Do) const {
    if (Dense) {
      const double *Row = row(Item);
      for (uint32_t I = 0; I < Size; ++I)
        Do(I, Row[I]);
    } else {
      for (size_t I = Begin[Item]; I < Begin[Item + 1]; ++I)
        Do(Other[I], Volume[I]);
    }
  }

  /// How many calls forEach() makes.
  size_t degree(uint32_t Item) const { return Dense ? Size : Begin[Item + 1] - Begin[Item]; }

private:
  Graph groupedDense(const std::vector<uint32_t> &Group, uint32_t Groups) const;
  Graph groupedSparse(const std::vector<uint32_t> &Group, uint32_t Groups) const;

  uint32_t Size = 0;
  bool Dense = false;
  std::vector<double> Full;
  std::vector<size_t> Begin;
  std::vector<uint32_t> Other;
  std::vector<double> Volume;
};

} // namespace threadmap

#endif // THREADMAP_SEARCH_GRAPH_H
