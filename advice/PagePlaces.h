//===-- PagePlaces.h - the memory of each page by a policy ------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Prices take arrays to be divided exactly. Here pages stay whole: where the parts of two threads
// meet within a page, a policy leaves one of them remote, and may save less than its price says.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_ADVICE_PAGEPLACES_H
#define MINAS_ADVICE_PAGEPLACES_H

#include "Access.h"
#include "Placing.h"

namespace advice {

class PagePlaces {
public:
  /// @param Of anything but LeaveAlone
  /// @param Parts where the arrays lie that are placed so
  PagePlaces(const Alternative &Of, const Access &By, const Shape &Array, const Machine &On,
             std::vector<maiprof::ArrayCounts::Part> Parts);

  /// The memory of the page that begins there; Distributed: any of those that are nearest to a
  /// node.
  size_t memoryOf(uint64_t Address) const;
  static constexpr size_t Distributed = SIZE_MAX;

private:
  /// Where the middle of the page lies in its array, as a part of that.
  double position(uint64_t Address) const;
  size_t memoryOfRow(uint64_t Row) const;
  size_t memoryInSlice(uint64_t Address) const;

  const Alternative &Of;
  const Access &By;
  const Shape &Array;
  const Machine &On;
  std::vector<maiprof::ArrayCounts::Part> Parts; ///< by address
  std::vector<uint64_t> Lengths;                 ///< of the arrays
  Segments Blocks;
};

} // namespace advice

#endif // MINAS_ADVICE_PAGEPLACES_H
