//===-- PageFigures.h - what the page draws ---------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The figures of the report's page as data, in bins where there are many threads or pages: page.js
// draws them. Each is an object with its kind: "traffic" (local and remote accesses by row and
// column), "bars" (the same, a bar each), "amounts" (numbers by row and column), and "pairs" (the
// sharing matrix, its rows in another order).
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_PAGEFIGURES_H
#define MINAS_TRACE_PAGEFIGURES_H

#include "Regions.h"
#include "Verdicts.h"

#include "llvm/Support/JSON.h"

namespace maiprof {

/// Who uses which pages of an array, by node, and on which node these are.
llvm::json::Object pagesFigure(const ArrayUse &A, const Profile &P, const Layout &L);

/// Accesses of each thread; of an array, or of the program.
llvm::json::Object threadsFigure(const std::vector<Split> &OfThreads, const Profile &P);

/// Accesses of each thread in each region.
llvm::json::Object regionsFigure(const std::vector<RegionUse> &Regions, const Profile &P);

/// How alike regions are.
llvm::json::Object similarityFigure(const std::vector<RegionUse> &Regions);

/// Rows of a matrix as the page has them: its threads, in bins where they are too many.
class MatrixRows {
public:
  /// @param Most so many rows
  explicit MatrixRows(size_t ThreadRows, size_t Most = 512);

  std::vector<std::string> names(const Sharing &S, const Profile &P) const;

  /// The numbers by rows, 7 bits a byte, least significant first, the high bit set in all bytes but
  /// a number's last; of symmetric matrices from the diagonal on.
  std::string packed(const Matrix &M, bool IsSymmetric) const;

  /// A matrix with threads of one node side by side: the page's first, or what "matrix" names.
  /// @param NodeOf of each thread
  llvm::json::Object figure(const Sharing &S, const std::vector<uint32_t> &NodeOf,
                            const Layout &L) const;

private:
  size_t Each, Count, Threads; ///< of a row; rows; all
};

} // namespace maiprof
#endif
