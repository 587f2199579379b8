//===-- Bound.h - what every map costs at least -----------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_BOUND_H
#define THREADMAP_BOUND_H

#include "Locations.h"
#include "threadmap/matrix/Matrix.h"

namespace threadmap {

/// What no map of these threads can cost less than (Gilmore 1962, Lawler 1963): each thread has
/// what it shares most nearest to it; threads have locations in the way that makes the sum of that
/// least. Volumes are not negative.
double lowerBound(const Matrix &Volumes, const Locations &At);

} // namespace threadmap

#endif // THREADMAP_BOUND_H
