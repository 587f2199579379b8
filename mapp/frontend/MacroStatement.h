//===-- MacroStatement.h - macros that are statements -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `ALLOCATE(a, n);` where the macro declares or sets the pointer a: the call that allocates has no
// text of its own that could be edited, but another statement can follow.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_MACROSTATEMENT_H
#define MAPP_MACROSTATEMENT_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ParentMap.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mapp {

/// What a macro expands to: one statement or more of a block, one of which sets a pointer.
struct MacroStatement {
  bool MayFollow = false; ///< the pointer is always set, and nothing is done to the block there
  bool IsPlaced = false;  ///< a statement that places the block follows
  const clang::Expr *Pointer = nullptr;             ///< that is set; null: the call itself sets one
  const clang::VarDecl *Declared = nullptr;         ///< ... or the pointer is declared there
  clang::SourceLocation End;                        ///< of the text that is the macro
  llvm::SmallPtrSet<const clang::VarDecl *, 4> Own; ///< variables that are not seen behind it
};

/// Those of one function.
class MacroStatements {
public:
  MacroStatements(const clang::ASTContext &Program, const clang::FunctionDecl *Of);

  /// The one that makes a call; nothing where the macro is but an expression, or less. A call that
  /// returns no pointer sets one by its address.
  std::optional<MacroStatement> around(const clang::CallExpr *Call) const;

private:
  const clang::ASTContext &Context;
  const clang::ParentMap Parents;
};

} // namespace mapp

#endif // MAPP_MACROSTATEMENT_H
