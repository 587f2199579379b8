//===-- ReturnedParameter.cpp - functions that give back what they get -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ReturnedParameter.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace mapp;

namespace {

const ParmVarDecl *namedParameter(const Expr *E) {
  const auto *Reference = dyn_cast<DeclRefExpr>(E->IgnoreParenCasts());
  return Reference ? dyn_cast<ParmVarDecl>(Reference->getDecl()) : nullptr;
}

/// What a function does with its parameters.
class Returns {
public:
  explicit Returns(const FunctionDecl *Of) : Context(Of->getASTContext()) {
    collect(Of->getBody());
  }

  /// The one that is returned; null where something else may be.
  const ParmVarDecl *parameter() const { return IsOther ? nullptr : Returned; }

private:
  void collect(const Stmt *S) {
    if (!S || IsOther)
      return;
    if (const auto *Return = dyn_cast<ReturnStmt>(S))
      note(Return->getRetValue());
    else if (const auto *Unary = dyn_cast<UnaryOperator>(S);
             Unary && (Unary->isIncrementDecrementOp() || Unary->getOpcode() == UO_AddrOf))
      IsOther |= namedParameter(Unary->getSubExpr()) != nullptr;
    else if (const auto *Binary = dyn_cast<BinaryOperator>(S); Binary && Binary->isAssignmentOp())
      IsOther |= namedParameter(Binary->getLHS()) != nullptr;
    for (const Stmt *Child : S->children())
      collect(Child);
  }

  void note(const Expr *Value) {
    if (!Value || Value->isNullPointerConstant(Context, Expr::NPC_ValueDependentIsNotNull))
      return;
    const ParmVarDecl *Own = namedParameter(Value);
    IsOther |= !Own || (Returned && Returned != Own);
    Returned = Own;
  }

  ASTContext &Context;
  const ParmVarDecl *Returned = nullptr;
  bool IsOther = false;
};

} // namespace

std::optional<unsigned> mapp::returnedParameter(const FunctionDecl *Callee) {
  const FunctionDecl *Definition = nullptr;
  if (!Callee->hasBody(Definition) || !Callee->getReturnType()->isPointerType())
    return std::nullopt;
  const ParmVarDecl *Returned = Returns(Definition).parameter();
  if (!Returned || !Returned->getType()->isPointerType())
    return std::nullopt;
  return Returned->getFunctionScopeIndex();
}
