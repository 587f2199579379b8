//===-- Entries.h - matrices of which only some pairs are listed -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Of threads that share with few others a matrix as text is nearly all zeros.
//
//   triples         a line of names, such as thread,thread,volume, then a line a pair; threads are
//                   numbered from 0, and there are as many as the greatest number says
//   Matrix Market   "%%MatrixMarket matrix coordinate real symmetric", the sizes, then a line a
//                   pair; threads are numbered from 1 (Boisvert et al. 1996)
//
// Pairs that are not listed share nothing.  Where a pair is listed in both orders with different
// volumes, the mean of both is taken; below the names from,to,... their sum, as each is what one
// sends to the other. A fourth column, such as of messages, is passed over.
//
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_ENTRIES_H
#define THREADMAP_ENTRIES_H

#include "Matrix.h"

#include <istream>
#include <optional>
#include <string>

namespace threadmap {

/// @param Message receives what is wrong, or what was made symmetric, or ""
/// @return nothing where the input is no such text
std::optional<Matrix> readTriples(std::istream &Input, const std::string &Name,
                                  std::string &Message);
std::optional<Matrix> readMatrixMarket(std::istream &Input, const std::string &Name,
                                       std::string &Message);

} // namespace threadmap

#endif // THREADMAP_ENTRIES_H
