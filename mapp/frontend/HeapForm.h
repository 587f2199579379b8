//===-- HeapForm.h - may an array become a pointer? -------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `static T a[N][M]` and `static T (*a)[M]` mean the same in a[i][j] and wherever the array decays
// to a pointer, and something else everywhere else: in sizeof, under &, in OpenMP clauses that
// copy. An array is changed into a pointer only where every single use of it is one of the former.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_HEAPFORM_H
#define MAPP_HEAPFORM_H

#include "Unit.h"
#include "mapp/facts/Facts.h"

#include "llvm/ADT/ArrayRef.h"

namespace mapp {

/// One for each array, which is no member of another variable.
std::vector<HeapForm> describeHeapForms(const Unit &U,
                                        llvm::ArrayRef<const clang::VarDecl *> Arrays);

} // namespace mapp

#endif // MAPP_HEAPFORM_H
