//===-- Modifications.h - which statement changes what ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// To know a variable's value inside and after a loop or a branch, one must know whether the loop
// or branch assigns to it.  One pass over a function answers that for all its statements.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_MODIFICATIONS_H
#define MAPP_MODIFICATIONS_H

#include "clang/AST/Stmt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

#include <utility>
#include <vector>

namespace mapp {

class Modifications {
public:
  explicit Modifications(const clang::Stmt *Body) { scan(Body); }

  struct Modification {
    const clang::VarDecl *Variable;
    bool Increment; ///< by ++, --, += or -=: a pointer still points into the same array
  };

  /// Everything that `S` (a loop, a branch of an `if`, the body of a `switch`) modifies.
  llvm::ArrayRef<Modification> of(const clang::Stmt *S) const;

private:
  void scan(const clang::Stmt *S);
  void scanChildren(const clang::Stmt *S);
  void scanRange(const clang::Stmt *S);
  void note(const clang::Expr *Modified, bool Increment);

  std::vector<Modification> InOrder;
  llvm::DenseMap<const clang::Stmt *, std::pair<size_t, size_t>> RangeOf;
};

/// The statement that an OpenMP directive applies to, or null.
const clang::Stmt *associatedStatement(const clang::Stmt *Directive);

} // namespace mapp

#endif // MAPP_MODIFICATIONS_H
