//===-- SizeArithmetic.h - sizes that a form tells exactly ------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Polynomials follow addresses, for which it is enough to be right nearly always: a remainder or a
// mask leaves an index as it is, and numbers fit into their types.  What a function such as
// xmalloc() passes on as a size must be right always, or MAi would place memory behind the block's
// end.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_SIZEARITHMETIC_H
#define MAPP_SIZEARITHMETIC_H

#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mapp {

/// The arithmetic of one function.
class SizeArithmetic {
public:
  SizeArithmetic(const clang::ASTContext &Program, const clang::FunctionDecl *Of);

  /// Whether an integer expression of the function has the value that its form tells, if that is a
  /// product of parameters: there is nothing in it, nor in what was assigned to its variables, but
  /// products and sums that keep all bits.  A 1 instead of a 0 is allowed.
  bool isExact(const clang::Expr *E);

private:
  void collect(const clang::Stmt *S);
  void collectIf(const clang::IfStmt *S);
  void collectExpression(const clang::Expr *E);
  bool isExactVariable(const clang::VarDecl *Variable);
  bool isExactCast(const clang::CastExpr *E);
  bool isExactBinary(const clang::BinaryOperator *E);
  bool isExactConditional(const clang::AbstractConditionalOperator *E);
  bool isExactKind(const clang::BinaryOperator *Assignment) const;
  bool isOne(const clang::Expr *E) const;
  bool wraps(clang::QualType Type) const;
  bool keepsBits(clang::QualType From, clang::QualType To) const;

  const clang::ASTContext &Context;
  const clang::FunctionDecl *Function;
  llvm::DenseMap<const clang::VarDecl *, llvm::SmallVector<const clang::Expr *, 2>> Assigned;
  llvm::DenseSet<const clang::VarDecl *> Unknown;         ///< changed in other ways
  llvm::DenseMap<const clang::VarDecl *, bool> Variables; ///< what has been found of them
};

} // namespace mapp

#endif // MAPP_SIZEARITHMETIC_H
