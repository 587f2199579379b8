//===-- FilledParameters.cpp - pointers that a function always sets -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FilledParameters.h"

#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace mapp;

namespace {

bool anyPart(const Stmt *S, llvm::function_ref<bool(const Stmt *)> Is) {
  return S && (Is(S) || llvm::any_of(S->children(), [&](const Stmt *C) { return anyPart(C, Is); }));
}

bool holds(const Stmt *S, const Stmt *Part) {
  return anyPart(S, [&](const Stmt *Of) { return Of == Part; });
}

bool isCallOf(const Stmt *S, llvm::ArrayRef<llvm::StringRef> Names) {
  const auto *Call = dyn_cast<CallExpr>(S);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && Callee->getIdentifier() && llvm::is_contained(Names, Callee->getName());
}

bool frees(const Stmt *S) { return isCallOf(S, {"free", "realloc", "reallocarray"}); }

/// What is behind it may not be reached.
bool leaves(const Stmt *S) {
  return isa<ReturnStmt, GotoStmt, IndirectGotoStmt, LabelStmt, GCCAsmStmt>(S);
}

bool names(const Expr *E, const ParmVarDecl *Parameter) {
  const auto *Reference = dyn_cast<DeclRefExpr>(E->IgnoreParenCasts());
  return Reference && Reference->getDecl() == Parameter;
}

/// `*p`, `p[0]`
bool isPointee(const Stmt *S, const ParmVarDecl *Parameter) {
  if (const auto *Unary = dyn_cast<UnaryOperator>(S))
    return Unary->getOpcode() == UO_Deref && names(Unary->getSubExpr(), Parameter);
  const auto *Subscript = dyn_cast<ArraySubscriptExpr>(S);
  const auto *Index =
      Subscript ? dyn_cast<IntegerLiteral>(Subscript->getIdx()->IgnoreParenCasts()) : nullptr;
  return Index && Index->getValue() == 0 && names(Subscript->getBase(), Parameter);
}

bool isAssignmentTo(const Stmt *S, const ParmVarDecl *Parameter) {
  const auto *Assignment = dyn_cast<BinaryOperator>(S);
  return Assignment && Assignment->isAssignmentOp() &&
         isPointee(Assignment->getLHS()->IgnoreParens(), Parameter);
}

/// posix_memalign(p, ...)
bool isSetByCall(const Stmt *S, const ParmVarDecl *Parameter) {
  return isCallOf(S, {"posix_memalign"}) && cast<CallExpr>(S)->getNumArgs() > 0 &&
         names(cast<CallExpr>(S)->getArg(0), Parameter);
}

/// One parameter, and what the function does with it.
class Filling {
public:
  explicit Filling(const ParmVarDecl *Of) : Parameter(Of) {}

  bool isAlwaysIn(const Stmt *Body) {
    collect(Body);
    return Stores.size() == 1 && !Escapes && isAlways(Body, Stores[0]);
  }

private:
  void collect(const Stmt *S) {
    if (!S)
      return;
    if (isAssignmentTo(S, Parameter) || isSetByCall(S, Parameter))
      Stores.push_back(S);
    if (isSetByCall(S, Parameter))
      return collectArguments(cast<CallExpr>(S));
    if (const auto *Unary = dyn_cast<UnaryOperator>(S); Unary && Unary->getOpcode() == UO_AddrOf)
      Escapes |= isPointee(Unary->getSubExpr()->IgnoreParens(), Parameter);
    if (isPointee(S, Parameter))
      return;
    if (const auto *Reference = dyn_cast<DeclRefExpr>(S))
      Escapes |= Reference->getDecl() == Parameter;
    for (const Stmt *Child : S->children())
      collect(Child);
  }

  void collectArguments(const CallExpr *Call) {
    for (unsigned I = 1; I < Call->getNumArgs(); ++I)
      collect(Call->getArg(I));
  }

  /// Whoever gets to `S` gets to `Store` in it.
  static bool isAlways(const Stmt *S, const Stmt *Store) {
    if (S == Store)
      return true;
    if (const auto *Statements = dyn_cast<CompoundStmt>(S))
      return isAlwaysAmong(Statements, Store);
    if (const auto *If = dyn_cast<IfStmt>(S))
      return If->getCond() && holds(If->getCond(), Store) && isAlways(If->getCond(), Store);
    if (const auto *Logical = dyn_cast<BinaryOperator>(S); Logical && Logical->isLogicalOp())
      return isAlwaysPart(Logical->getLHS(), Store);
    if (const auto *Choice = dyn_cast<AbstractConditionalOperator>(S))
      return isAlwaysPart(Choice->getCond(), Store);
    return (isa<Expr>(S) || isa<ReturnStmt, DeclStmt>(S)) &&
           llvm::any_of(S->children(), [&](const Stmt *C) { return C && isAlwaysPart(C, Store); });
  }

  static bool isAlwaysPart(const Stmt *S, const Stmt *Store) {
    return holds(S, Store) && isAlways(S, Store);
  }

  static bool isAlwaysAmong(const CompoundStmt *Statements, const Stmt *Store) {
    for (const Stmt *S : Statements->body()) {
      if (holds(S, Store))
        return isAlways(S, Store);
      if (anyPart(S, leaves))
        return false;
    }
    return false;
  }

  const ParmVarDecl *Parameter;
  llvm::SmallVector<const Stmt *, 1> Stores;
  bool Escapes = false;
};

bool isPointerToPointer(QualType Type) {
  return Type->isPointerType() && Type->getPointeeType()->isPointerType();
}

} // namespace

llvm::SmallVector<unsigned, 2> mapp::filledParameters(const FunctionDecl *Function) {
  llvm::SmallVector<unsigned, 2> Found;
  const Stmt *Body = Function->getBody();
  for (unsigned I = 0; I < Function->getNumParams(); ++I)
    if (const ParmVarDecl *P = Function->getParamDecl(I);
        isPointerToPointer(P->getType()) && Filling(P).isAlwaysIn(Body))
      Found.push_back(I);
  return Found.empty() || anyPart(Body, frees) ? llvm::SmallVector<unsigned, 2>() : Found;
}
