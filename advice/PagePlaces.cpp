//===-- PagePlaces.cpp - the memory of each page by a policy ----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PagePlaces.h"

#include "Slices.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace advice;
using maiprof::ArrayCounts;

PagePlaces::PagePlaces(const Alternative &A, const Access &All, const Shape &Whole,
                       const Machine &Wanted, std::vector<ArrayCounts::Part> Of_)
    : Of(A), By(All), Array(Whole), On(Wanted), Parts(std::move(Of_)) {
  llvm::sort(Parts, [](const auto &L, const auto &R) { return L.Start < R.Start; });
  for (const ArrayCounts::Part &P : Parts) {
    Lengths.resize(std::max<size_t>(Lengths.size(), size_t(P.Array) + 1), 0);
    Lengths[P.Array] = std::max(Lengths[P.Array], P.Before + P.Bytes);
  }
  if (isRows(Of))
    Blocks = blocks(Of, Array, By.Nodes);
}

double PagePlaces::position(uint64_t Address) const {
  const uint64_t Middle = Address + static_cast<uint64_t>(On.PageBytes / 2);
  const auto Behind = llvm::upper_bound(
      Parts, Middle, [](uint64_t Value, const ArrayCounts::Part &P) { return Value < P.Start; });
  const ArrayCounts::Part &P = Behind == Parts.begin() ? *Behind : *(Behind - 1);
  const uint64_t Offset = Middle < P.Start ? 0 : std::min(Middle - P.Start, P.Bytes);
  return static_cast<double>(P.Before + Offset) /
         static_cast<double>(std::max<uint64_t>(1, Lengths[P.Array]));
}

size_t PagePlaces::memoryOfRow(uint64_t Row) const {
  const uint64_t Turn = (Row - std::min(Row, Of.Before)) / std::max<uint64_t>(1, Of.Value);
  return On.Nearest[By.nodeOf(static_cast<uint32_t>(Turn % By.Threads))];
}

size_t PagePlaces::memoryInSlice(uint64_t Address) const {
  return On.Nearest[By.nodeOf(static_cast<uint32_t>(inSlice(Of, position(Address)) * By.Threads))];
}

/// The one at the end of the array; where it is divided backwards that is the first.
static const Segment &lastOf(const Segments &Blocks) {
  return *std::max_element(Blocks.begin(), Blocks.end(),
                           [](const Segment &A, const Segment &B) { return A.End < B.End; });
}

size_t PagePlaces::memoryOf(uint64_t Address) const {
  if (Of.What == Policy::Bind)
    return Of.Value;
  if (Of.What == Policy::BlockCyclic && Array.UnitBytes > 0)
    return memoryOfRow(static_cast<uint64_t>(position(Address) * Array.units()));
  if (Of.Slices > 0)
    return memoryInSlice(Address);
  if (!isRows(Of))
    return Distributed;
  const double Unit = position(Address) * Array.units();
  const auto Found =
      llvm::find_if(Blocks, [&](const Segment &S) { return S.Begin <= Unit && Unit < S.End; });
  return On.Nearest[Found == Blocks.end() ? lastOf(Blocks).Node : Found->Node];
}
