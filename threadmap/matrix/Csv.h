//===-- Csv.h - sharing matrices as text ------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_CSV_H
#define THREADMAP_CSV_H

#include "Matrix.h"

#include <istream>
#include <optional>
#include <string>

namespace threadmap {

/// Reads a matrix that is written as text: one line a thread, in it the volumes that it shares with
/// thread 0, 1, 2, ..., separated by commas, semicolons, blanks or tabs.  Empty lines and what
/// follows a `#` are skipped.  Volumes are numbers from 0 to 1e18; the diagonal may hold any and
/// means nothing. Where the two volumes of a pair differ their mean is taken.
///
/// @param Name what messages call the input
/// @param Message receives what is wrong, or what was made symmetric, or ""
/// @return nothing where the input is not such a matrix
std::optional<Matrix> readCsv(std::istream &Input, const std::string &Name, std::string &Message);

/// Reads a square of numbers in the same form, row by row, of which the diagonal counts, too.
std::optional<std::vector<double>> readSquare(std::istream &Input, const std::string &Name,
                                              std::string &Message);

} // namespace threadmap

#endif // THREADMAP_CSV_H
