//===-- Views.h - extents that the run decides ------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A function with parameters `int n, double x[n + 2][n + 2]` serves arrays of all sizes.  Of an
// array that it is known to get, the declaration tells what n is: the value for which rows are as
// long as declared.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_VIEWS_H
#define MAPP_VIEWS_H

#include "mapp/facts/Facts.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mapp {

/// What a factor is, if a view has the shape of the array.
struct Extent {
  FactorId Factor;
  int64_t Value;
};

/// The factors that have just one value for which a view has the shape of an array; none where the
/// view has another shape.
/// @param Sizes bytes of the array, of one of its rows, and so on down to a single element
/// @param IsFixed whether a factor has one value while the view exists
llvm::SmallVector<Extent, 2> extentsOf(const View &Through, llvm::ArrayRef<uint64_t> Sizes,
                                       llvm::function_ref<bool(FactorId)> IsFixed);

/// `F` with these values.
Polynomial with(llvm::ArrayRef<Extent> Known, Polynomial F);

} // namespace mapp

#endif // MAPP_VIEWS_H
