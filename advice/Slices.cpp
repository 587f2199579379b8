//===-- Slices.cpp - equal slices of an array that are divided alike *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Slices.h"

#include <cmath>

using namespace advice;

/// More of them look like slices by chance, and would have less than a page for each thread.
static constexpr unsigned MostSlices = 64;

/// Of the parallel accesses those of threads to their own parts of so many slices.
static double ownPart(const maiprof::ArrayCounts &Counts, unsigned Slices) {
  double Own = 0;
  for (uint32_t Cell = 0; Cell < Counts.cells(); ++Cell) {
    const double Position = (Cell + 0.5) / Counts.cells() * Slices;
    const double InSlice = Position - std::floor(Position);
    Own += Counts.parallel(static_cast<uint32_t>(InSlice * Counts.threads()), Cell);
  }
  return Own / Counts.parallelAccesses();
}

/// The fewest that are about as good as the best: where each of n slices is divided in order, parts
/// of 2 n slices may seem to be.
unsigned advice::slicesOf(const maiprof::ArrayCounts &Counts) {
  constexpr double Clear = 0.6, AboutAsGood = 0.02;
  double Best = Clear;
  unsigned Found = 0;
  if (Counts.threads() < 2 || Counts.parallelAccesses() <= 0)
    return 0;
  for (unsigned Slices = 2; Slices <= MostSlices && Slices * 2 * Counts.threads() <= Counts.cells();
       ++Slices)
    if (const double Own = ownPart(Counts, Slices); Own > Best + (Found ? AboutAsGood : 0)) {
      Best = Own;
      Found = Slices;
    }
  return Found;
}
