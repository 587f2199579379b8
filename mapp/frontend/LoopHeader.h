//===-- LoopHeader.h - what a loop counts -----------------------*- C++ -*-===//
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

/// `for (Variable = ...; Variable < Bound; Variable += Step)` in one of its spellings, or
/// `while (Variable < Bound) { ... Variable += Step; ... }`.
struct LoopHeader {
  const clang::VarDecl *Variable;
  bool Assigns; ///< it sets the variable first; else this starts from what it has
  const clang::Expr *Bound;
  bool Inclusive;          ///< the bound is a value of the variable
  bool Upwards;            ///< the variable grows
  const clang::Expr *Step; ///< its size; null: 1
  /// `k >= Least && k < Bound` where the sign of a step in a variable decides whether the loop goes
  /// up or down, by one most likely; null for others.
  const clang::Expr *Least = nullptr;
};

/// The statements of a loop. Each may be null.
struct LoopParts {
  const clang::Stmt *Init;
  const clang::Expr *Condition;
  const clang::Expr *Increment;
  const clang::Stmt *Body;
  bool BodyFirst; ///< before the condition
};

LoopParts partsOf(const clang::Stmt *Loop);

/// @return what the loop counts, if its body does nothing else to the variable
std::optional<LoopHeader> recognise(const LoopParts &Loop);

/// An amount that is added to a variable.
struct Increment {
  const clang::VarDecl *Variable;
  bool Upwards;
  const clang::Expr *Step; ///< null: 1
};

/// What each iteration adds to the variable, no condition being asked, if nothing else in it
/// changes the variable: in `*to++ = 0`, too.
std::optional<Increment> addedByEach(const LoopParts &Loop, const clang::VarDecl *Variable);

/// The body of `do { ... } while (0)`, as macros have it, that nothing leaves before its end; null
/// of whatever else.
const clang::Stmt *doneOnce(const clang::Stmt *S, const clang::ASTContext &Context);

/// What is in braces alone; else the statement itself.
const clang::Stmt *onlyStatement(const clang::Stmt *S);

/// The variable that an expression names, or null.
const clang::VarDecl *namedVariable(const clang::Expr *E);

} // namespace mapp

#endif // MAPP_LOOPHEADER_H
