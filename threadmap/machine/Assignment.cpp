//===-- Assignment.cpp - a column for each row ------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The column after the last stands for the one from which a path starts.
//
//===----------------------------------------------------------------------===//

#include "Assignment.h"

#include <cstdint>
#include <limits>
#include <utility>

using namespace threadmap;

static constexpr size_t Nobody = SIZE_MAX;

Assignment::Assignment(std::vector<std::vector<double>> Costs)
    : Cost(std::move(Costs)), Columns(Cost[0].size()), RowOf(Columns + 1, Nobody),
      OfRow(Cost.size(), 0), OfColumn(Columns + 1, 0) {}

double Assignment::run() {
  for (size_t Row = 0; Row < Cost.size(); ++Row)
    assign(Row);
  double Sum = 0;
  for (size_t Column = 0; Column < Columns; ++Column)
    if (RowOf[Column] != Nobody)
      Sum += Cost[RowOf[Column]][Column];
  return Sum;
}

void Assignment::assign(size_t Row) {
  Least.assign(Columns, std::numeric_limits<double>::infinity());
  From.assign(Columns, Columns);
  Used.assign(Columns + 1, 0);
  size_t Column = Columns;
  RowOf[Column] = Row;
  do {
    Used[Column] = 1;
    Column = extend(Column);
  } while (RowOf[Column] != Nobody);
  for (; Column != Columns; Column = From[Column])
    RowOf[Column] = RowOf[From[Column]];
}

/// Looks from a column's row for the nearest unused column, and changes the prices by its way.
size_t Assignment::extend(size_t Column) {
  const size_t Row = RowOf[Column];
  size_t Next = Nobody;
  for (size_t J = 0; J < Columns; ++J) {
    if (Used[J])
      continue;
    const double Reduced = reduced(Row, J);
    if (Reduced < Least[J]) {
      Least[J] = Reduced;
      From[J] = Column;
    }
    if (Next == Nobody || Least[J] < Least[Next])
      Next = J;
  }
  const double Way = Least[Next];
  for (size_t J = 0; J <= Columns; ++J)
    if (Used[J]) {
      OfRow[RowOf[J]] += Way;
      OfColumn[J] -= Way;
    } else if (J < Columns) {
      Least[J] -= Way;
    }
  return Next;
}
