//===-- PartSums.cpp - what items share with parts of the machine *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PartSums.h"

#include <algorithm>
#include <bit>

using namespace threadmap;

PartSums::PartSums(size_t Parts, size_t Items, const std::vector<size_t> &Most)
    : Stride(Items | 7U) { // odd, so that a column does not fall on few lines of the cache
  if (Most.empty()) {
    Table.assign(Parts * Stride, 0);
    return;
  }
  Begin.push_back(0);
  for (const size_t Count : Most) // at most half full
    Begin.push_back(Begin.back() + std::bit_ceil(2 * std::min(Count, Parts) + 1));
  Entries.resize(Begin.back());
}

double PartSums::find(uint32_t Part, uint32_t Item) const {
  const Entry *Of = Entries.data() + Begin[Item];
  const size_t Mask = Begin[Item + size_t{1}] - Begin[Item] - 1;
  for (size_t I = hash(Part) & Mask;; I = (I + 1) & Mask) {
    if (Of[I].Part == Part)
      return Of[I].Sum;
    if (Of[I].Part == None)
      return 0;
  }
}

/// The entry of a part, or the empty one that could become it.
PartSums::Entry &PartSums::entry(uint32_t Part, uint32_t Item) {
  Entry *Of = Entries.data() + Begin[Item];
  const size_t Mask = Begin[Item + size_t{1}] - Begin[Item] - 1;
  size_t I = hash(Part) & Mask;
  while (Of[I].Part != Part && Of[I].Part != None)
    I = (I + 1) & Mask;
  return Of[I];
}

void PartSums::add(uint32_t Part, uint32_t Item, double Volume) {
  Entry &E = entry(Part, Item);
  E.Part = Part;
  ++E.Count;
  E.Sum += Volume;
}

void PartSums::remove(uint32_t Part, uint32_t Item, double Volume) {
  Entry &E = entry(Part, Item);
  E.Sum -= Volume;
  if (--E.Count == 0)
    erase(Item, static_cast<size_t>(&E - (Entries.data() + Begin[Item])));
}

/// Moves entries that a search would no longer reach into the gap (Knuth 1973, algorithm 6.4 R).
void PartSums::erase(uint32_t Item, size_t Index) {
  Entry *Of = Entries.data() + Begin[Item];
  const size_t Mask = Begin[Item + size_t{1}] - Begin[Item] - 1;
  size_t Gap = Index;
  for (size_t I = (Gap + 1) & Mask; Of[I].Part != None; I = (I + 1) & Mask)
    if (((I - hash(Of[I].Part)) & Mask) >= ((I - Gap) & Mask)) {
      Of[Gap] = Of[I];
      Gap = I;
    }
  Of[Gap] = {};
}
