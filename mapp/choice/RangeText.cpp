//===-- RangeText.cpp - which units of an array, in its own words -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RangeText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mapp;

const std::string &mapp::written(const ArrayDeclaration &Array) {
  return Array.Object.empty() ? Array.Name : Array.Written;
}

namespace {

std::string rangeCount(const ArrayDeclaration &Array, const Candidate &C, Mode M) {
  const uint64_t Units = Array.Extents[0], Outside = Units - C.Count;
  const bool Literal = llvm::all_of(Array.FirstExtent, llvm::isDigit);
  // A few rows at the edges stay a few rows when a macro changes the extent; a part of the array
  // need not.
  if (Outside > Units / 4 || (Literal && !Array.FirstExtent.empty()))
    return std::to_string(C.Count);
  const std::string Less = Outside == 0 ? "" : " - " + std::to_string(Outside);
  if (!Array.FirstExtent.empty())
    return "(" + Array.FirstExtent + ")" + Less;
  if (M == Mode::InPlace)
    return "sizeof " + written(Array) + " / sizeof " + written(Array) + "[0]" + Less;
  return std::to_string(C.Count);
}

/// So many parts of the array's units, whatever its size, where the text can say so.
std::string unitsOfParts(const ArrayDeclaration &Array, unsigned Parts, uint64_t Units, Mode M) {
  const std::string &Extent = Array.FirstExtent;
  const bool IsNumber = !Extent.empty() && llvm::all_of(Extent, llvm::isDigit);
  if (Parts == 0 || IsNumber || (Extent.empty() && M == Mode::Heap))
    return std::to_string(Units);
  const std::string All = M == Mode::Heap
                              ? "1UL * (" + Extent + ")"
                              : "sizeof " + written(Array) + " / sizeof " + written(Array) + "[0]";
  return All + " * " + std::to_string(Parts) + " / " + std::to_string(PartsOfArray);
}

std::string beforeText(const ArrayDeclaration &Array, const Candidate &C, Mode M) {
  return C.InParts ? unitsOfParts(Array, C.BeforeParts, C.Before, M) : std::to_string(C.Before);
}

std::string lengthText(const ArrayDeclaration &Array, const Candidate &C, Mode M) {
  if (C.Count == 0)
    return "0";
  return C.InParts ? unitsOfParts(Array, C.CountParts, C.Count, M) : rangeCount(Array, C, M);
}

} // namespace

std::optional<RangeText> mapp::rangeText(const ArrayDeclaration &Array, const Candidate &C,
                                         Mode M) {
  const bool IsPart = C.Before > 0 || C.Count > 0;
  if (!IsPart || !takesRange(C) || Array.Extents.empty())
    return std::nullopt;
  return RangeText{beforeText(Array, C, M), lengthText(Array, C, M)};
}
