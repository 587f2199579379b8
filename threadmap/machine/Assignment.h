//===-- Assignment.h - a column for each row, at the least cost -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_ASSIGNMENT_H
#define THREADMAP_ASSIGNMENT_H

#include <cstddef>
#include <vector>

namespace threadmap {

/// The least sum when every row gets a column of its own, by shortest augmenting paths (Jonker and
/// Volgenant 1987).
class Assignment {
public:
  /// @param Costs by row and column, of which there are at least as many
  explicit Assignment(std::vector<std::vector<double>> Costs);

  double run();

  /// How much more, at least, it costs that a row has another column.
  double reduced(size_t Row, size_t Column) const {
    return Cost[Row][Column] - OfRow[Row] - OfColumn[Column];
  }

private:
  void assign(size_t Row);
  size_t extend(size_t Column);

  std::vector<std::vector<double>> Cost;
  size_t Columns;
  std::vector<size_t> RowOf;           ///< by column
  std::vector<double> OfRow, OfColumn; ///< prices
  std::vector<double> Least;           ///< by column: how far it is from the row that is assigned
  std::vector<size_t> From;            ///< by column: the one before it on the way there
  std::vector<char> Used;              ///< by column
};

} // namespace threadmap

#endif // THREADMAP_ASSIGNMENT_H
