//===-- Forks.cpp - where a run takes one way of several --------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Forks.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace clang;
using namespace mapp;

static bool neverReturns(const Expr *E) {
  const auto *Call = dyn_cast<CallExpr>(E->IgnoreParenImpCasts());
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && Callee->isNoReturn();
}

/// Control goes elsewhere from one of these, or from both branches of an `if`.
static bool leavesBy(const Stmt *S, llvm::function_ref<bool(const Stmt *)> Leaves) {
  const auto Inside = [&](const Stmt *Each) { return leavesBy(Each, Leaves); };
  if (const auto *Block = dyn_cast<CompoundStmt>(S))
    return llvm::any_of(Block->body(), Inside);
  if (const auto *If = dyn_cast<IfStmt>(S))
    return If->getElse() && Inside(If->getThen()) && Inside(If->getElse());
  return Leaves(S);
}

static bool isEnd(const Stmt *S) {
  const auto *E = dyn_cast<Expr>(S);
  return E ? neverReturns(E) : isa<ReturnStmt>(S);
}

bool mapp::endsFunction(const Stmt *S) { return leavesBy(S, isEnd); }

bool mapp::leavesBlock(const Stmt *S) {
  return leavesBy(S, [](const Stmt *Each) {
    return isEnd(Each) || isa<ContinueStmt, BreakStmt, GotoStmt>(Each);
  });
}

/// It is of the program, or may be.
static bool isOfProgram(const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  return !Callee ||
         (Callee->getBuiltinID() == 0 &&
          !Callee->getASTContext().getSourceManager().isInSystemHeader(Callee->getLocation()));
}

bool mapp::mayRunTeam(const Stmt *S) {
  const auto *Call = dyn_cast<CallExpr>(S);
  return isa<OMPExecutableDirective>(S) || (Call && isOfProgram(Call)) ||
         llvm::any_of(S->children(), [](const Stmt *Child) { return Child && mayRunTeam(Child); });
}

/// The variable that an lvalue is, or is a part of; null where a pointer leads there.
static const VarDecl *variableAround(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return Member->isArrow() ? nullptr : variableAround(Member->getBase());
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E))
    return variableAround(Element->getBase()->IgnoreImpCasts());
  const auto *Named = dyn_cast<DeclRefExpr>(E);
  return Named ? dyn_cast<VarDecl>(Named->getDecl()) : nullptr;
}

/// What an expression stores to, or makes an address of; null where it does neither.
static const Expr *handledBy(const Stmt *S) {
  if (const auto *Binary = dyn_cast<BinaryOperator>(S))
    return Binary->isAssignmentOp() ? Binary->getLHS() : nullptr;
  if (const auto *Unary = dyn_cast<UnaryOperator>(S))
    return Unary->isIncrementDecrementOp() || Unary->getOpcode() == UO_AddrOf ? Unary->getSubExpr()
                                                                              : nullptr;
  const auto *Cast = dyn_cast<CastExpr>(S);
  return Cast && Cast->getCastKind() == CK_ArrayToPointerDecay ? Cast->getSubExpr() : nullptr;
}

static void addChanged(const Stmt *S, Variables &To) {
  if (const auto *Declarations = dyn_cast<DeclStmt>(S)) {
    for (const Decl *D : Declarations->decls())
      if (const auto *Variable = dyn_cast<VarDecl>(D))
        To.insert(Variable);
  } else if (const Expr *Handled = handledBy(S)) {
    if (const VarDecl *Variable = variableAround(Handled))
      To.insert(Variable);
  }
  for (const Stmt *Child : S->children())
    if (Child)
      addChanged(Child, To);
}

Variables mapp::variablesChangedIn(const Stmt *S) {
  Variables Result;
  addChanged(S, Result);
  return Result;
}

bool mapp::isSteady(const Expr *E, const Variables &Changed) {
  E = E->IgnoreParenImpCasts();
  if (isa<IntegerLiteral, CharacterLiteral>(E))
    return true;
  if (const auto *Unary = dyn_cast<UnaryOperator>(E))
    return Unary->isArithmeticOp() && isSteady(Unary->getSubExpr(), Changed);
  if (const auto *Binary = dyn_cast<BinaryOperator>(E))
    return !Binary->isAssignmentOp() && isSteady(Binary->getLHS(), Changed) &&
           isSteady(Binary->getRHS(), Changed);
  const auto *Named = dyn_cast<DeclRefExpr>(E);
  if (Named && isa<EnumConstantDecl>(Named->getDecl()))
    return true;
  const VarDecl *Variable = variableAround(E);
  return Variable && Variable->hasLocalStorage() && !isa<ArraySubscriptExpr>(E) &&
         !Changed.contains(Variable);
}
