//===-- Canonical.h - an order that numbers do not decide -------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_SEARCH_CANONICAL_H
#define THREADMAP_SEARCH_CANONICAL_H

#include "threadmap/matrix/Matrix.h"

namespace threadmap {

/// The threads in an order that follows from what they share and not from their numbers: the one
/// first that shares most, then always the one that shares most with those before it.  Equals are
/// told apart by what they share with whom (Weisfeiler and Leman 1968), and by number where even
/// that is the same.
std::vector<uint32_t> canonicalOrder(const Matrix &Volumes);

} // namespace threadmap

#endif // THREADMAP_SEARCH_CANONICAL_H
