//===-- Forks.h - where a run takes one way of several ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Programs that measure, or that know several methods, do one of several things in a run: an option
// says which. What the text of an `if` or a `switch` tells of that.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_FORKS_H
#define MAPP_FORKS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseSet.h"

namespace mapp {

/// Nothing runs behind the statement: there is a `return` in it, or the call of a function that
/// does not come back, such as exit(), and no way around that.
bool endsFunction(const clang::Stmt *S);

/// The same of the block around it, which a `break` or `continue` leaves, too.
bool leavesBlock(const clang::Stmt *S);

/// A directive stands in it, or the call of a function that may have some.
bool mayRunTeam(const clang::Stmt *S);

using Variables = llvm::DenseSet<const clang::VarDecl *>;

/// The variables that a statement declares, stores to, all or a part of them, or lets others store
/// to.
Variables variablesChangedIn(const clang::Stmt *S);

/// Nothing changes the value of an expression but what changes its automatic variables, of which
/// these are none.
bool isSteady(const clang::Expr *E, const Variables &Changed);

} // namespace mapp

#endif // MAPP_FORKS_H
