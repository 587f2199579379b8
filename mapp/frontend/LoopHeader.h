//===-- LoopHeader.h - what a for statement counts --------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Recognises counting loops, those that OpenMP calls canonical and a few more, and those that are
// none.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_LOOPHEADER_H
#define MAPP_LOOPHEADER_H

#include "clang/AST/Stmt.h"

#include <optional>

namespace mapp {

/// `for (Variable = Start; Variable < Bound; Variable += Step)` in one of its spellings.
struct LoopHeader {
  const clang::VarDecl *Variable;
  const clang::Expr *Start;
  const clang::Expr *Bound;
  bool Inclusive;          ///< the bound is a value of the variable
  bool Upwards;            ///< the variable grows
  const clang::Expr *Step; ///< its size; null: 1
  /// `k >= Least && k < Bound` where the sign of a step in a variable decides whether the loop goes
  /// up or down, by one most likely; null for others.
  const clang::Expr *Least = nullptr;
};

std::optional<LoopHeader> recognise(const clang::ForStmt *Loop);

/// The body of `do { ... } while (0)`, as macros have it, that nothing leaves before its end; null
/// of whatever else.
const clang::Stmt *doneOnce(const clang::Stmt *S, const clang::ASTContext &Context);

/// The variable that an expression names, or null.
const clang::VarDecl *namedVariable(const clang::Expr *E);

} // namespace mapp

#endif // MAPP_LOOPHEADER_H
