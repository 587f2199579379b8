//===-- Graph.cpp - what items share, for searching -------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Graph.h"

#include <algorithm>

using namespace threadmap;

/// Walking a list costs several times as much an entry as walking a row.
static constexpr size_t ListFactor = 5;

Graph::Graph(const Matrix &Volumes, uint32_t Items) : Size(Items) {
  const uint32_t Threads = Volumes.threads();
  size_t Entries = 0;
  Volumes.forEachPair([&](uint32_t, uint32_t, double) { Entries += 2; });
  Dense = Entries * ListFactor > static_cast<size_t>(Items) * Items;
  if (Dense) {
    Full.assign(static_cast<size_t>(Items) * Items, 0);
    for (uint32_t A = 0; A < Threads; ++A) {
      double *Row = Full.data() + static_cast<size_t>(A) * Items;
      Volumes.forEach(A, [&](uint32_t B, double Value) { Row[B] = Value; });
    }
    return;
  }
  Other.reserve(Entries);
  Volume.reserve(Entries);
  Begin.reserve(Items + size_t{1});
  for (uint32_t A = 0; A < Items; ++A) {
    Begin.push_back(Other.size());
    if (A >= Threads)
      continue;
    Volumes.forEach(A, [&](uint32_t B, double Value) {
      if (Value == 0)
        return;
      Other.push_back(B);
      Volume.push_back(Value);
    });
  }
  Begin.push_back(Other.size());
}

Graph Graph::grouped(const std::vector<uint32_t> &Group, uint32_t Groups) const {
  const bool StaysSparse = !Dense && Other.size() * ListFactor <= size_t{Groups} * Groups;
  return StaysSparse ? groupedSparse(Group, Groups) : groupedDense(Group, Groups);
}

Graph Graph::groupedDense(const std::vector<uint32_t> &Group, uint32_t Groups) const {
  Graph Result;
  Result.Size = Groups;
  Result.Dense = true;
  Result.Full.assign(static_cast<size_t>(Groups) * Groups, 0);
  for (uint32_t A = 0; A < Size; ++A) {
    double *Row = Result.Full.data() + static_cast<size_t>(Group[A]) * Groups;
    forEach(A, [&](uint32_t B, double Value) { Row[Group[B]] += Value; });
  }
  for (uint32_t A = 0; A < Groups; ++A)
    Result.Full[static_cast<size_t>(A) * Groups + A] = 0;
  return Result;
}

Graph Graph::groupedSparse(const std::vector<uint32_t> &Group, uint32_t Groups) const {
  std::vector<uint32_t> Order(Size); // items by group
  std::vector<uint32_t> First(Groups + size_t{1}, 0);
  for (const uint32_t G : Group)
    ++First[G + size_t{1}];
  for (uint32_t G = 0; G < Groups; ++G)
    First[G + size_t{1}] += First[G];
  std::vector<uint32_t> Next(First.begin(), First.end() - 1);
  for (uint32_t Item = 0; Item < Size; ++Item)
    Order[Next[Group[Item]]++] = Item;

  Graph Result;
  Result.Size = Groups;
  Result.Begin.push_back(0);
  std::vector<double> Sum(Groups, 0);
  std::vector<uint32_t> Touched;
  for (uint32_t G = 0; G < Groups; ++G) {
    Touched.clear();
    for (uint32_t I = First[G]; I < First[G + size_t{1}]; ++I)
      forEach(Order[I], [&](uint32_t B, double Value) {
        if (Sum[Group[B]] == 0)
          Touched.push_back(Group[B]);
        Sum[Group[B]] += Value;
      });
    std::sort(Touched.begin(), Touched.end());
    for (const uint32_t H : Touched) {
      if (H != G && Sum[H] != 0) {
        Result.Other.push_back(H);
        Result.Volume.push_back(Sum[H]);
      }
      Sum[H] = 0;
    }
    Result.Begin.push_back(Result.Other.size());
  }
  return Result;
}

Graph Graph::among(const std::vector<uint32_t> &Items) const {
  Graph Result;
  Result.Size = static_cast<uint32_t>(Items.size());
  Result.Dense = Dense;
  if (Dense) {
    Result.Full.reserve(Items.size() * Items.size());
    for (const uint32_t A : Items)
      for (const uint32_t B : Items)
        Result.Full.push_back(row(A)[B]);
    return Result;
  }
  constexpr uint32_t Outside = UINT32_MAX;
  std::vector<uint32_t> Index(Size, Outside);
  for (uint32_t I = 0; I < Result.Size; ++I)
    Index[Items[I]] = I;
  Result.Begin.push_back(0);
  for (const uint32_t A : Items) {
    forEach(A, [&](uint32_t B, double Value) {
      if (Index[B] == Outside)
        return;
      Result.Other.push_back(Index[B]);
      Result.Volume.push_back(Value);
    });
    Result.Begin.push_back(Result.Other.size());
  }
  return Result;
}
