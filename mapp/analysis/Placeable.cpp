//===-- Placeable.cpp - what accesses may go to -----------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Placeable.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mapp;

static Shape shapeOf(const ArrayDeclaration &Array) {
  constexpr uint64_t SomeBlock = 1 << 26; // One whose size is known only at run time.
  const bool Unknown = Array.Allocated && Array.Bytes == 0;
  Shape S{Unknown ? SomeBlock : Array.Bytes, std::max<uint64_t>(Array.UnitBytes, 1), {}};
  uint64_t Stride = Array.Bytes;
  for (const uint64_t Extent : Array.Extents) {
    Stride = Extent == 0 ? 0 : Stride / Extent;
    S.Strides.push_back(Stride);
  }
  S.IsRow = Array.Allocated && !Array.Allocated->Rows.empty();
  S.IsGuessed = Unknown;
  return S;
}

Placeable::Placeable(const std::vector<Facts> &Units) {
  for (const Facts &Unit : Units)
    for (const ArrayDeclaration &Array : Unit.Arrays)
      add(Array);
}

llvm::SmallVector<const Placeable::Part *, 1>
Placeable::at(const std::string &Variable, const Polynomial &Offset, int64_t Passed) const {
  const auto Found = Parts.find(Variable);
  if (Found == Parts.end())
    return {};
  const std::vector<Part> &All = Found->getValue();
  if (All.size() == 1 && Keys[All[0].Number] == Variable)
    return {&All[0]};
  // Where indices begin at 1 what is constant lies before the array: a[i + j * n - 1 - n].
  const int64_t Start = std::max(Offset.constantTerm(), Passed);
  llvm::SmallVector<const Part *, 1> Result;
  for (const Part &P : All)
    if (Start >= static_cast<int64_t>(P.Within) &&
        Start < static_cast<int64_t>(P.Within + P.Declared.Bytes))
      Result.push_back(&P);
  return Result;
}

void Placeable::add(const ArrayDeclaration &Array) {
  const auto [Numbered, New] = NumberOf.try_emplace(Array.Key, Keys.size());
  if (New)
    Keys.push_back(Array.Key);
  const size_t Number = Numbered->second;
  std::vector<Part> &All = Parts[Array.Object.empty() ? Array.Key : Array.Object];
  const auto Known = llvm::find_if(All, [&](const Part &P) { return P.Number == Number; });
  if (Known == All.end())
    All.push_back({Number, Array.Within, shapeOf(Array), Array.Allocated.has_value()});
  else if (Known->Declared.Bytes == 0)
    Known->Declared = shapeOf(Array);
}
