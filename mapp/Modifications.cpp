//===-- Modifications.cpp - which statement changes what --------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Modifications.h"

#include "LoopHeader.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/StmtOpenMP.h"

using namespace clang;
using namespace mapp;

const Stmt *mapp::associatedStatement(const Stmt *Directive) {
  const auto *D = cast<OMPExecutableDirective>(Directive);
  return D->hasAssociatedStmt() && D->getAssociatedStmt() ? D->getRawStmt() : nullptr;
}

llvm::ArrayRef<Modifications::Modification> Modifications::of(const Stmt *S) const {
  const auto Range = RangeOf.find(S);
  if (Range == RangeOf.end())
    return {};
  const auto [Begin, End] = Range->second;
  return llvm::ArrayRef(InOrder).slice(Begin, End - Begin);
}

void Modifications::note(const Expr *Modified, bool Increment) {
  if (const VarDecl *Variable = namedVariable(Modified))
    InOrder.push_back({Variable, Increment});
}

void Modifications::scanChildren(const Stmt *S) {
  for (const Stmt *Child : S->children())
    if (Child)
      scan(Child);
}

void Modifications::scanRange(const Stmt *S) {
  if (!S)
    return;
  const size_t Begin = InOrder.size();
  scan(S);
  RangeOf[S] = {Begin, InOrder.size()};
}

void Modifications::scan(const Stmt *S) {
  if (const auto *Binary = dyn_cast<BinaryOperator>(S); Binary && Binary->isAssignmentOp())
    note(Binary->getLHS(),
         Binary->getOpcode() == BO_AddAssign || Binary->getOpcode() == BO_SubAssign);
  else if (const auto *Unary = dyn_cast<UnaryOperator>(S); Unary && Unary->isIncrementDecrementOp())
    note(Unary->getSubExpr(), true);

  if (isa<OMPExecutableDirective>(S)) {
    if (const Stmt *Associated = associatedStatement(S))
      scan(Associated);
  } else if (const auto *Captured = dyn_cast<CapturedStmt>(S)) {
    scan(Captured->getCapturedStmt());
  } else if (const auto *If = dyn_cast<IfStmt>(S)) {
    scan(If->getCond());
    scanRange(If->getThen());
    scanRange(If->getElse());
  } else if (isa<ForStmt, WhileStmt, DoStmt, SwitchStmt>(S)) {
    const size_t Begin = InOrder.size();
    scanChildren(S);
    RangeOf[S] = {Begin, InOrder.size()};
  } else {
    scanChildren(S);
  }
}
