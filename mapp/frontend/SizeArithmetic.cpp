//===-- SizeArithmetic.cpp - sizes that a form tells exactly ----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SizeArithmetic.h"

#include "LoopHeader.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace mapp;

//===-- Zero --------------------------------------------------------------------===//

static const Expr *bare(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  const auto *Opaque = dyn_cast<OpaqueValueExpr>(E);
  return Opaque && Opaque->getSourceExpr() ? bare(Opaque->getSourceExpr()) : E;
}

static bool isNumber(const Expr *E, uint64_t Value) {
  const auto *Literal = dyn_cast<IntegerLiteral>(bare(E)->IgnoreParenCasts());
  return Literal && Literal->getValue() == Value;
}

namespace {

/// A condition that tells whether a variable is 0, or not above it.
struct ZeroTest {
  const VarDecl *Variable = nullptr; ///< null: it tells something else
  bool Holds = false;                ///< when it is
};

} // namespace

static ZeroTest zeroTest(const Expr *Condition) {
  const Expr *E = bare(Condition);
  if (const auto *Not = dyn_cast<UnaryOperator>(E); Not && Not->getOpcode() == UO_LNot) {
    const ZeroTest Inner = zeroTest(Not->getSubExpr());
    return {Inner.Variable, !Inner.Holds};
  }
  const auto *Binary = dyn_cast<BinaryOperator>(E);
  if (!Binary)
    return {namedVariable(E), false};
  BinaryOperatorKind Operation = Binary->getOpcode();
  const Expr *Left = Binary->getLHS(), *Right = Binary->getRHS();
  if (isa<IntegerLiteral>(bare(Left)) && Binary->isComparisonOp()) {
    std::swap(Left, Right);
    Operation = BinaryOperator::reverseComparisonOp(Operation);
  }
  const bool Zero = isNumber(Right, 0), One = isNumber(Right, 1);
  const VarDecl *Variable = namedVariable(bare(Left));
  if (Zero && (Operation == BO_EQ || Operation == BO_LE))
    return {Variable, true};
  if (One && Operation == BO_LT)
    return {Variable, true};
  if (Zero && (Operation == BO_NE || Operation == BO_GT))
    return {Variable, false};
  if (One && Operation == BO_GE)
    return {Variable, false};
  return {};
}

/// Whether a value is 0 where a variable is.
static bool isMultipleOf(const Expr *E, const VarDecl *Variable) {
  E = bare(E)->IgnoreParenCasts();
  if (const auto *Binary = dyn_cast<BinaryOperator>(E); Binary && Binary->getOpcode() == BO_Mul)
    return isMultipleOf(Binary->getLHS(), Variable) || isMultipleOf(Binary->getRHS(), Variable);
  return namedVariable(E) == Variable;
}

//===-- What is assigned ----------------------------------------------------------===//

SizeArithmetic::SizeArithmetic(const ASTContext &Program, const FunctionDecl *Of)
    : Context(Program), Function(Of) {
  collect(Of->getBody());
}

void SizeArithmetic::collect(const Stmt *S) {
  if (!S)
    return;
  if (const auto *Declarations = dyn_cast<DeclStmt>(S)) {
    for (const Decl *D : Declarations->decls())
      if (const auto *Variable = dyn_cast<VarDecl>(D); Variable && Variable->getInit())
        Assigned[Variable].push_back(Variable->getInit());
  } else if (const auto *If = dyn_cast<IfStmt>(S)) {
    return collectIf(If);
  } else if (const auto *E = dyn_cast<Expr>(S)) {
    collectExpression(E);
  }
  for (const Stmt *Child : S->children())
    collect(Child);
}

/// The assignment that makes a 1 of a 0 is left out.
void SizeArithmetic::collectIf(const IfStmt *S) {
  const auto *Assignment = dyn_cast_or_null<BinaryOperator>(onlyStatement(S->getThen()));
  const ZeroTest Test = zeroTest(S->getCond());
  const bool IsOne = Assignment && Assignment->getOpcode() == BO_Assign && !S->getElse() &&
                     Test.Variable && Test.Holds &&
                     namedVariable(Assignment->getLHS()) == Test.Variable &&
                     isNumber(Assignment->getRHS(), 1);
  for (const Stmt *Child : S->children())
    if (!IsOne || Child != S->getThen())
      collect(Child);
}

/// `size = x` or `size *= x`, where the sum or product keeps all bits.
bool SizeArithmetic::isExactKind(const BinaryOperator *E) const {
  if (E->getOpcode() == BO_Assign)
    return true;
  const auto *Compound = dyn_cast<CompoundAssignOperator>(E);
  if (!Compound || !llvm::is_contained({BO_MulAssign, BO_AddAssign, BO_SubAssign}, E->getOpcode()))
    return false;
  const QualType Computed = Compound->getComputationResultType();
  return !wraps(Computed) && keepsBits(Computed, E->getType());
}

void SizeArithmetic::collectExpression(const Expr *E) {
  if (const auto *Binary = dyn_cast<BinaryOperator>(E); Binary && Binary->isAssignmentOp()) {
    const VarDecl *Variable = namedVariable(Binary->getLHS());
    if (Variable && isExactKind(Binary))
      Assigned[Variable].push_back(Binary->getRHS());
    else if (Variable)
      Unknown.insert(Variable);
  } else if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
    if (Unary->isIncrementDecrementOp() || Unary->getOpcode() == UO_AddrOf)
      if (const VarDecl *Variable = namedVariable(Unary->getSubExpr()))
        Unknown.insert(Variable);
  }
}

//===-- What is exact ---------------------------------------------------------------===//

bool SizeArithmetic::isExact(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(E))
    return Opaque->getSourceExpr() && isExact(Opaque->getSourceExpr());
  if (E->isIntegerConstantExpr(Context))
    return true;
  if (const auto *Cast = dyn_cast<CastExpr>(E))
    return isExactCast(Cast);
  if (const auto *Binary = dyn_cast<BinaryOperator>(E))
    return isExactBinary(Binary);
  if (const auto *Conditional = dyn_cast<AbstractConditionalOperator>(E))
    return isExactConditional(Conditional);
  const auto *Unary = dyn_cast<UnaryOperator>(E);
  return Unary && Unary->getOpcode() == UO_Plus && isExact(Unary->getSubExpr());
}

bool SizeArithmetic::keepsBits(QualType From, QualType To) const {
  return From->isIntegerType() && To->isIntegerType() && !To->isBooleanType() &&
         Context.getTypeSize(From) <= Context.getTypeSize(To);
}

bool SizeArithmetic::isExactCast(const CastExpr *E) {
  const Expr *Operand = E->getSubExpr();
  switch (E->getCastKind()) {
  case CK_LValueToRValue: {
    const VarDecl *Variable = namedVariable(Operand);
    return Variable && isExactVariable(Variable);
  }
  case CK_IntegralCast:
    return keepsBits(Operand->getType(), E->getType()) && isExact(Operand);
  case CK_NoOp:
    return isExact(Operand);
  default:
    return false;
  }
}

/// Parameters are what the caller passes, unless something else is assigned to them.
bool SizeArithmetic::isExactVariable(const VarDecl *Variable) {
  const auto [Known, IsNew] = Variables.try_emplace(Variable, false); // Of itself, it is not.
  if (!IsNew)
    return Known->second;
  if (Unknown.contains(Variable) || !Variable->hasLocalStorage() ||
      Variable->getDeclContext() != Function || Variable->getType().isVolatileQualified())
    return false;
  const auto Values = Assigned.lookup(Variable);
  const bool Exact = llvm::all_of(Values, [&](const Expr *Value) {
    return !isOne(Value) && keepsBits(Value->getType(), Variable->getType()) && isExact(Value);
  });
  return Variables[Variable] = Exact;
}

/// Polynomials take any 1 for one that stands for 0.
bool SizeArithmetic::isOne(const Expr *E) const {
  const std::optional<llvm::APSInt> Value = E->getIntegerConstantExpr(Context);
  return Value && *Value == 1;
}

/// Signed numbers must not overflow, and those of the size's own width do so for the caller, too.
bool SizeArithmetic::wraps(QualType Type) const {
  return Type->isUnsignedIntegerType() &&
         Context.getTypeSize(Type) < Context.getTypeSize(Context.getSizeType());
}

bool SizeArithmetic::isExactBinary(const BinaryOperator *E) {
  switch (E->getOpcode()) {
  case BO_Mul:
  case BO_Add:
  case BO_Sub:
    return !wraps(E->getType()) && isExact(E->getLHS()) && isExact(E->getRHS());
  default:
    return false;
  }
}

/// `bytes ? bytes : 1`
bool SizeArithmetic::isExactConditional(const AbstractConditionalOperator *E) {
  const ZeroTest Test = zeroTest(E->getCond());
  const Expr *WhenZero = Test.Holds ? E->getTrueExpr() : E->getFalseExpr();
  const Expr *Else = Test.Holds ? E->getFalseExpr() : E->getTrueExpr();
  return Test.Variable && isNumber(WhenZero, 1) && isMultipleOf(Else, Test.Variable) &&
         isExact(Else);
}
