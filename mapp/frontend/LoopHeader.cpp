//===-- LoopHeader.cpp - what a loop counts ---------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LoopHeader.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

#include <utility>

using namespace clang;
using namespace mapp;

const Stmt *mapp::onlyStatement(const Stmt *S) {
  const auto *Braces = dyn_cast_or_null<CompoundStmt>(S);
  return Braces && Braces->size() == 1 ? Braces->body_front() : S;
}

const VarDecl *mapp::namedVariable(const Expr *E) {
  const auto *Reference = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
}

namespace {

std::optional<Increment> recogniseSum(const VarDecl *Variable, const Expr *Sum) {
  const auto *Operation = dyn_cast<BinaryOperator>(Sum->IgnoreParenImpCasts());
  if (!Operation || !Operation->isAdditiveOp())
    return std::nullopt;
  const bool Upwards = Operation->getOpcode() == BO_Add;
  if (namedVariable(Operation->getLHS()) == Variable)
    return Increment{Variable, Upwards, Operation->getRHS()};
  if (Upwards && namedVariable(Operation->getRHS()) == Variable)
    return Increment{Variable, Upwards, Operation->getLHS()};
  return std::nullopt;
}

std::optional<Increment> recogniseIncrement(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *Unary = dyn_cast<UnaryOperator>(E); Unary && Unary->isIncrementDecrementOp())
    if (const VarDecl *Variable = namedVariable(Unary->getSubExpr()))
      return Increment{Variable, Unary->isIncrementOp(), nullptr};
  const auto *Binary = dyn_cast<BinaryOperator>(E);
  if (!Binary)
    return std::nullopt;
  if (Binary->getOpcode() == BO_Comma) {
    if (std::optional<Increment> Left = recogniseIncrement(Binary->getLHS()))
      return Left;
    return recogniseIncrement(Binary->getRHS());
  }
  const VarDecl *Variable = namedVariable(Binary->getLHS());
  if (!Variable)
    return std::nullopt;
  switch (Binary->getOpcode()) {
  case BO_AddAssign:
    return Increment{Variable, true, Binary->getRHS()};
  case BO_SubAssign:
    return Increment{Variable, false, Binary->getRHS()};
  case BO_Assign:
    return recogniseSum(Variable, Binary->getRHS());
  default:
    return std::nullopt;
  }
}

/// `Init` is an assignment to `Variable`, or has one.
bool assigns(const Stmt *Init, const VarDecl *Variable) {
  const auto *E = dyn_cast_or_null<Expr>(Init);
  const auto *Binary = E ? dyn_cast<BinaryOperator>(E->IgnoreParens()) : nullptr;
  if (!Binary)
    return false;
  if (Binary->getOpcode() == BO_Comma)
    return assigns(Binary->getLHS(), Variable) || assigns(Binary->getRHS(), Variable);
  return Binary->getOpcode() == BO_Assign && namedVariable(Binary->getLHS()) == Variable;
}

/// Completes the header with the loop's condition; false when it does not compare the variable.
bool recogniseCondition(const Expr *Condition, LoopHeader &Header) {
  const auto *Comparison = dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts());
  if (!Comparison)
    return false;
  if (Comparison->getOpcode() == BO_LAnd) // `i < n && !found`: the other part only ends it early.
    return recogniseCondition(Comparison->getLHS(), Header) ||
           recogniseCondition(Comparison->getRHS(), Header);
  const Expr *Left = Comparison->getLHS(), *Right = Comparison->getRHS();
  BinaryOperatorKind Relation = Comparison->getOpcode();
  if (namedVariable(Left) != Header.Variable) {
    std::swap(Left, Right);
    if (BinaryOperator::isRelationalOp(Relation))
      Relation = BinaryOperator::reverseComparisonOp(Relation);
  }
  if (namedVariable(Left) != Header.Variable)
    return false;
  Header.Bound = Right;
  Header.Inclusive = Relation == BO_LE || Relation == BO_GE;
  switch (Relation) {
  case BO_LT:
  case BO_LE:
    return Header.Upwards;
  case BO_GT:
  case BO_GE:
    return !Header.Upwards;
  case BO_NE:
    return true;
  default:
    return false;
  }
}

/// The step is in a variable, and the condition has a bound for each direction.
bool goesEitherWay(const Expr *Condition, LoopHeader &Header) {
  const auto *Both = dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts());
  if (!Header.Step || isa<IntegerLiteral>(Header.Step->IgnoreParenImpCasts()) || !Both ||
      Both->getOpcode() != BO_LAnd)
    return false;
  LoopHeader Down = Header, Up = Header;
  Down.Upwards = false;
  Up.Upwards = true;
  const Expr *Left = Both->getLHS(), *Right = Both->getRHS();
  if (!recogniseCondition(Left, Down) || !recogniseCondition(Right, Up)) {
    if (!recogniseCondition(Right, Down) || !recogniseCondition(Left, Up))
      return false;
  }
  if (!Down.Inclusive)
    return false;
  Header = Up;
  Header.Least = Down.Bound;
  Header.Step = nullptr;
  return true;
}

std::optional<LoopHeader> recogniseBy(const std::optional<Increment> &Change,
                                      const LoopParts &Loop) {
  if (!Change)
    return std::nullopt;
  LoopHeader Header{Change->Variable, assigns(Loop.Init, Change->Variable),
                    nullptr,          false,
                    Change->Upwards,  Change->Step};
  const bool IsCounting =
      goesEitherWay(Loop.Condition, Header) || recogniseCondition(Loop.Condition, Header);
  return IsCounting ? std::optional(Header) : std::nullopt;
}

/// One of the variables that the condition compares is what the body counts.
std::optional<LoopHeader> countedInBody(const Expr *Condition, const LoopParts &Loop) {
  const auto *Comparison = dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts());
  if (!Comparison)
    return std::nullopt;
  const auto Of = [&](const Expr *Side) -> std::optional<LoopHeader> {
    if (Comparison->getOpcode() == BO_LAnd)
      return countedInBody(Side, Loop);
    const VarDecl *Variable = namedVariable(Side);
    return Variable ? recogniseBy(addedByEach(Loop, Variable), Loop) : std::nullopt;
  };
  std::optional<LoopHeader> Left = Of(Comparison->getLHS());
  return Left ? Left : Of(Comparison->getRHS());
}

/// It may end the iteration before what stands behind it.
bool goesOnEarly(const Stmt *S) {
  return S && !isa<ForStmt, WhileStmt, DoStmt>(S) &&
         (isa<ContinueStmt, GotoStmt>(S) || llvm::any_of(S->children(), goesOnEarly));
}

/// What `S` adds to the variable whenever it is executed.
std::optional<Increment> addedBy(const Stmt *S, const VarDecl *Variable) {
  if (!S)
    return std::nullopt;
  if (const auto *E = dyn_cast<Expr>(S))
    if (std::optional<Increment> Own = recogniseIncrement(E); Own && Own->Variable == Variable)
      return Own;
  if (!isa<Expr, CompoundStmt, DeclStmt>(S) || isa<AbstractConditionalOperator>(S))
    return std::nullopt;
  const auto *Binary = dyn_cast<BinaryOperator>(S);
  for (const Stmt *Part : S->children()) {
    if (std::optional<Increment> Found = addedBy(Part, Variable))
      return Found;
    if (Binary && Binary->isLogicalOp()) // What stands behind is not always asked.
      break;
  }
  return std::nullopt;
}

} // namespace

LoopParts mapp::partsOf(const Stmt *Loop) {
  if (const auto *For = dyn_cast<ForStmt>(Loop))
    return {For->getInit(), For->getCond(), For->getInc(), For->getBody(), false};
  if (const auto *While = dyn_cast<WhileStmt>(Loop))
    return {nullptr, While->getCond(), nullptr, While->getBody(), false};
  const auto *Do = cast<DoStmt>(Loop);
  return {nullptr, Do->getCond(), nullptr, Do->getBody(), true};
}

std::optional<Increment> mapp::addedByEach(const LoopParts &Loop, const VarDecl *Variable) {
  if (std::optional<Increment> Last = addedBy(Loop.Increment, Variable))
    return Last;
  return goesOnEarly(Loop.Body) ? std::nullopt : addedBy(Loop.Body, Variable);
}

std::optional<LoopHeader> mapp::recognise(const LoopParts &Loop) {
  if (!Loop.Condition)
    return std::nullopt;
  if (Loop.Increment)
    return recogniseBy(recogniseIncrement(Loop.Increment), Loop);
  return countedInBody(Loop.Condition, Loop);
}

static bool mayLeave(const Stmt *S) {
  return S && (isa<BreakStmt, ContinueStmt>(S) || llvm::any_of(S->children(), mayLeave));
}

const Stmt *mapp::doneOnce(const Stmt *S, const ASTContext &Context) {
  const auto *Do = dyn_cast<DoStmt>(S);
  const auto Again = Do ? Do->getCond()->getIntegerConstantExpr(Context) : std::nullopt;
  return Again && Again->isZero() && !mayLeave(Do->getBody()) ? Do->getBody() : nullptr;
}
