//===-- FilledParameters.h - pointers that a function always sets -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `int allocate(double **p, int n) { *p = malloc(n * sizeof **p); return *p == NULL; }`: who calls
// this with `&u` finds in u what malloc() has returned, whatever happens.  MAi may be told of u
// there only if that is certain: else u could hold what it held before.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_FILLEDPARAMETERS_H
#define MAPP_FILLEDPARAMETERS_H

#include "clang/AST/Decl.h"

#include "llvm/ADT/SmallVector.h"

namespace mapp {

/// The positions of a function's parameters, pointers to pointers, through which it sets the
/// pointer once and always, and of which it keeps or hands on nothing. There is none in a function
/// that frees memory: it could be the block's.
llvm::SmallVector<unsigned, 2> filledParameters(const clang::FunctionDecl *Function);

} // namespace mapp

#endif // MAPP_FILLEDPARAMETERS_H
