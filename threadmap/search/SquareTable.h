//===-- SquareTable.h - a number for each two of some ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_SEARCH_SQUARETABLE_H
#define THREADMAP_SEARCH_SQUARETABLE_H

#include <cstddef>
#include <vector>

namespace threadmap {

/// What two members of a group share, or how far two locations are from one another.
class SquareTable {
public:
  explicit SquareTable(size_t Rows) : Size(Rows), Values(Rows * Rows) {}
  double &operator()(size_t A, size_t B) { return Values[A * Size + B]; }
  double operator()(size_t A, size_t B) const { return Values[A * Size + B]; }
  size_t size() const { return Size; }

private:
  size_t Size;
  std::vector<double> Values;
};

} // namespace threadmap

#endif // THREADMAP_SEARCH_SQUARETABLE_H
