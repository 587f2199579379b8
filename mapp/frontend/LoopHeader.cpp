//===-- LoopHeader.cpp - what a for statement counts ------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LoopHeader.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

#include <utility>

using namespace clang;
using namespace mapp;

const VarDecl *mapp::namedVariable(const Expr *E) {
  const auto *Reference = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
}

namespace {

/// An amount that is added to the variable in every iteration.
struct Increment {
  const VarDecl *Variable;
  bool Upwards;
  const Expr *Step; ///< null: 1
};

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

/// The value that `Init` gives to `Variable`, or null.
const Expr *initialValue(const Stmt *Init, const VarDecl *Variable) {
  if (const auto *Declarations = dyn_cast<DeclStmt>(Init)) {
    for (const Decl *D : Declarations->decls())
      if (D == Variable)
        return Variable->getInit();
    return nullptr;
  }
  const auto *E = dyn_cast<Expr>(Init);
  const auto *Binary = E ? dyn_cast<BinaryOperator>(E->IgnoreParens()) : nullptr;
  if (!Binary)
    return nullptr;
  if (Binary->getOpcode() == BO_Comma) {
    if (const Expr *Right = initialValue(Binary->getRHS(), Variable))
      return Right;
    return initialValue(Binary->getLHS(), Variable);
  }
  const bool Assigns =
      Binary->getOpcode() == BO_Assign && namedVariable(Binary->getLHS()) == Variable;
  return Assigns ? Binary->getRHS() : nullptr;
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

} // namespace

std::optional<LoopHeader> mapp::recognise(const ForStmt *Loop) {
  if (!Loop->getInit() || !Loop->getCond() || !Loop->getInc())
    return std::nullopt;
  const std::optional<Increment> Change = recogniseIncrement(Loop->getInc());
  if (!Change)
    return std::nullopt;
  LoopHeader Header{Change->Variable, initialValue(Loop->getInit(), Change->Variable),
                    nullptr,          false,
                    Change->Upwards,  Change->Step};
  const bool IsCounting = Header.Start && (goesEitherWay(Loop->getCond(), Header) ||
                                           recogniseCondition(Loop->getCond(), Header));
  return IsCounting ? std::optional(Header) : std::nullopt;
}

static bool mayLeave(const Stmt *S) {
  return S && (isa<BreakStmt, ContinueStmt>(S) || llvm::any_of(S->children(), mayLeave));
}

const Stmt *mapp::doneOnce(const Stmt *S, const ASTContext &Context) {
  const auto *Do = dyn_cast<DoStmt>(S);
  const auto Again = Do ? Do->getCond()->getIntegerConstantExpr(Context) : std::nullopt;
  return Again && Again->isZero() && !mayLeave(Do->getBody()) ? Do->getBody() : nullptr;
}
