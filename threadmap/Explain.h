//===-- Explain.h - what the cost of a map is made of -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_EXPLAIN_H
#define THREADMAP_EXPLAIN_H

#include "threadmap/machine/Locations.h"
#include "threadmap/matrix/Matrix.h"

#include <string>

namespace threadmap {

/// What is shared at each distance, and the pairs of threads that cost most, as text.
std::string explained(const Matrix &Volumes, const Locations &At, const Map &Of);

} // namespace threadmap

#endif // THREADMAP_EXPLAIN_H
