//===-- Modifications.cpp - which statement changes what --------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Modifications.h"

#include "LoopHeader.h"

#include "clang/AST/Expr.h"
#include "clang/AST/StmtOpenMP.h"

using namespace clang;
using namespace mapp;

Modifications::Modifications(const FunctionDecl *Of) : Context(Of->getASTContext()) { include(Of); }

void Modifications::include(const FunctionDecl *Definition) {
  if (Included.insert(Definition).second)
    scan(Definition->getBody());
}

const Stmt *mapp::associatedStatement(const Stmt *Directive) {
  const auto *D = cast<OMPExecutableDirective>(Directive);
  return D->hasAssociatedStmt() && D->getAssociatedStmt() ? D->getRawStmt() : nullptr;
}

const Modifications::Changed &Modifications::of(const Stmt *S) const {
  static const Changed Nothing;
  const auto Found = ChangedBy.find(S);
  return Found == ChangedBy.end() ? Nothing : Found->second;
}

void Modifications::add(const VarDecl *Variable, const Modification &More) {
  Modification &Sum = Open[Variable];
  Sum.Times += More.Times;
  Sum.Increment &= More.Increment;
  Sum.Afresh &= More.Afresh;
}

static bool mentions(const Stmt *S, const VarDecl *Variable) {
  const auto *Reference = dyn_cast<DeclRefExpr>(S);
  return (Reference && Reference->getDecl() == Variable) ||
         llvm::any_of(S->children(),
                      [Variable](const Stmt *Child) { return Child && mentions(Child, Variable); });
}

/// @param From what is assigned, if that is all
void Modifications::note(const Expr *Modified, bool Increment, const Expr *From) {
  if (const VarDecl *Variable = namedVariable(Modified))
    add(Variable,
        {1, Increment, From && Variable->getType()->isPointerType() && !mentions(From, Variable)});
}

/// Of a struct: the part is assigned to, or may be through a pointer.
void Modifications::noteHandled(const Expr *Part) {
  Part = Part->IgnoreParens();
  if (const auto *Member = dyn_cast<MemberExpr>(Part); Member && !Member->isArrow())
    return noteHandled(Member->getBase());
  if (const VarDecl *Variable = namedVariable(Part))
    Handled.insert(Variable);
}

void Modifications::scanChildren(const Stmt *S) {
  for (const Stmt *Child : S->children())
    if (Child)
      scan(Child);
}

/// Scans a statement of which `of` will be asked. What it modifies, the one around it does, too,
/// but for variables that live no longer.
void Modifications::scanWhole(const Stmt *S, llvm::function_ref<void()> Scan) {
  if (!S)
    return;
  Changed Own;
  const size_t Before = Locals.size();
  std::swap(Open, Own);
  Scan();
  std::swap(Open, Own);
  for (const auto &[Variable, Change] : Own)
    if (const auto Local = Locals.find(Variable); Local == Locals.end() || Local->second < Before)
      add(Variable, Change);
  ChangedBy[S] = std::move(Own);
}

void Modifications::scanExpression(const Expr *E) {
  if (const auto *Binary = dyn_cast<BinaryOperator>(E); Binary && Binary->isAssignmentOp()) {
    note(Binary->getLHS(),
         Binary->getOpcode() == BO_AddAssign || Binary->getOpcode() == BO_SubAssign,
         Binary->getOpcode() == BO_Assign ? Binary->getRHS() : nullptr);
    noteHandled(Binary->getLHS());
  } else if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
    if (Unary->isIncrementDecrementOp())
      note(Unary->getSubExpr(), true);
    if (Unary->isIncrementDecrementOp() || Unary->getOpcode() == UO_AddrOf)
      noteHandled(Unary->getSubExpr());
  } else if (const auto *Cast = dyn_cast<CastExpr>(E);
             Cast && Cast->getCastKind() == CK_ArrayToPointerDecay) {
    noteHandled(Cast->getSubExpr());
  }
  scanChildren(E);
}

void Modifications::scanDeclarations(const DeclStmt *S) {
  for (const Decl *D : S->decls())
    if (const auto *Variable = dyn_cast<VarDecl>(D); Variable && Variable->hasLocalStorage())
      Locals.try_emplace(Variable, Locals.size());
  scanChildren(S);
}

static bool isScannedWhole(const Stmt *S) {
  return isa_and_nonnull<ForStmt, WhileStmt, DoStmt, SwitchStmt>(S);
}

/// A loop without braces has variables of its own, which those of the branch would leave out.
void Modifications::scanBranch(const Stmt *S) {
  if (isScannedWhole(S) && !doneOnce(S, Context))
    scan(S);
  else
    scanWhole(S, [&] { scan(S); });
}

void Modifications::scan(const Stmt *S) {
  if (const auto *E = dyn_cast<Expr>(S)) {
    scanExpression(E);
  } else if (const auto *Declarations = dyn_cast<DeclStmt>(S)) {
    scanDeclarations(Declarations);
  } else if (isa<OMPExecutableDirective>(S)) {
    if (const Stmt *Associated = associatedStatement(S))
      scan(Associated);
  } else if (const auto *Captured = dyn_cast<CapturedStmt>(S)) {
    scan(Captured->getCapturedStmt());
  } else if (const auto *If = dyn_cast<IfStmt>(S)) {
    scan(If->getCond());
    for (const Stmt *Branch : {If->getThen(), If->getElse()})
      scanBranch(Branch);
  } else if (const Stmt *Body = doneOnce(S, Context)) {
    scan(Body);
  } else if (isScannedWhole(S)) {
    scanWhole(S, [&] { scanChildren(S); });
  } else {
    scanChildren(S);
  }
}
