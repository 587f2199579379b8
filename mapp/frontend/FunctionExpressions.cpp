//===-- FunctionExpressions.cpp - values and addresses ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The expressions of the walk; its statements are in FunctionWalker.cpp, calls are in
// FunctionCalls.cpp, arithmetic in FunctionArithmetic.cpp, memory in FunctionMemory.cpp.
//
//===----------------------------------------------------------------------===//

#include "FunctionWalker.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace clang;
using namespace mapp;

FunctionWalker::Result FunctionWalker::evaluate(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *Literal = dyn_cast<IntegerLiteral>(E)) {
    const llvm::APInt Value = Literal->getValue();
    if (Value.getActiveBits() < 64)
      return {None, Polynomial(static_cast<int64_t>(Value.getZExtValue())), true};
    return unknown();
  }
  if (const auto *Cast = dyn_cast<CastExpr>(E))
    return evaluateCast(Cast);
  if (const auto *Unary = dyn_cast<UnaryOperator>(E))
    return evaluateUnary(Unary);
  if (const auto *Binary = dyn_cast<BinaryOperator>(E))
    return evaluateBinary(Binary);
  if (const auto *Conditional = dyn_cast<AbstractConditionalOperator>(E))
    return evaluateConditional(Conditional);
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return evaluateCall(Call);
  if (const auto *Generic = dyn_cast<GenericSelectionExpr>(E))
    return evaluate(Generic->getResultExpr());
  if (const auto *Choose = dyn_cast<ChooseExpr>(E))
    return evaluate(Choose->getChosenSubExpr());
  if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(E))
    return Opaque->getSourceExpr() ? evaluate(Opaque->getSourceExpr()) : unknown();
  if (const auto *Block = dyn_cast<StmtExpr>(E)) {
    const CompoundStmt *Body = Block->getSubStmt();
    Result Last = unknown();
    for (const Stmt *S : Body->body())
      if (const auto *Value = dyn_cast<Expr>(S))
        Last = evaluate(Value);
      else
        visitIn(Body, S);
    return Last;
  }
  if (const auto *Atomic = dyn_cast<AtomicExpr>(E))
    return evaluateAtomic(Atomic);
  if (E->isGLValue()) { // An lvalue that nothing reads, such as in `(void)a;`.
    locate(E);
    return unknown();
  }
  Expr::EvalResult Constant;
  const bool MaybeConstant =
      isa<UnaryExprOrTypeTraitExpr, DeclRefExpr, CharacterLiteral, OffsetOfExpr>(E);
  if (MaybeConstant && E->getType()->isIntegerType() && E->EvaluateAsInt(Constant, U.Context) &&
      Constant.Val.getInt().getSignificantBits() <= 64)
    return {None, Polynomial(Constant.Val.getInt().getExtValue()), true};
  if (isa<UnaryExprOrTypeTraitExpr>(E)) // The operand is not evaluated.
    return unknown();
  return evaluateChildren(E);
}

FunctionWalker::Result FunctionWalker::evaluateChildren(const Expr *E) {
  Result All = unknown();
  for (const Stmt *Child : E->children())
    if (const auto *Operand = dyn_cast_or_null<Expr>(Child))
      All = inexact(All, evaluate(Operand));
    else
      visit(Child);
  All.Base = None;
  return All;
}

FunctionWalker::Result FunctionWalker::evaluateCast(const CastExpr *E) {
  const Expr *Operand = E->getSubExpr();
  switch (E->getCastKind()) {
  case CK_LValueToRValue:
    return load(locate(Operand), E->getType(), Operand);
  case CK_ArrayToPointerDecay:
    return locate(Operand).Address;
  case CK_FunctionToPointerDecay:
    if (const auto *Reference = dyn_cast<DeclRefExpr>(Operand->IgnoreParens()))
      if (const auto *Function = dyn_cast<FunctionDecl>(Reference->getDecl()))
        U.takeAddress(Function);
    return {None, {}, true};
  case CK_FloatingToIntegral:
    return inexact(followingFloats(Operand), {});
  case CK_IntegralToFloating:
    return inexact(evaluate(Operand), {});
  default: {
    const Result R = evaluate(Operand);
    if (E->getType()->isPointerType())
      noteElement(R, E->getType()->getPointeeType());
    return R;
  }
  }
}

/// What a number depends on, be it by floating-point numbers.
FunctionWalker::Result FunctionWalker::followingFloats(const Expr *E) {
  const bool WasFollowing = std::exchange(FollowFloats, true);
  Result R = evaluate(E);
  FollowFloats = WasFollowing;
  if (!FollowFloats)
    FloatValues.clear();
  return R;
}

FunctionWalker::Result FunctionWalker::evaluateUnary(const UnaryOperator *E) {
  const Expr *Operand = E->getSubExpr();
  if (E->isIncrementDecrementOp()) {
    const QualType Type = Operand->getType(), Int = U.Context.IntTy;
    const Location L = locate(Operand);
    const Result Old = L.Scalar ? variable(L.Scalar) : drawn(content(L, Type));
    const Result New =
        combine(E->isIncrementOp() ? BO_Add : BO_Sub, Type, Old, Int, {None, Polynomial(1), true});
    store(L, New, Type, E, AccessMode::ReadWrite);
    return E->isPrefix() ? New : Old;
  }
  switch (E->getOpcode()) {
  case UO_AddrOf: {
    const Location L = locate(Operand);
    if (!L.Scalar)
      return addressOf(L);
    // It may be changed behind our back from now on.
    if (!L.Scalar->getType()->isPointerType()) {
      Known[L.Scalar] = {None, Polynomial(U.symbol(L.Scalar)), true};
      return L.Address;
    }
    Known.erase(L.Scalar);
    return {U.cellBase(U.variableBase(L.Scalar)), {}, true};
  }
  case UO_Minus: {
    const QualType Type = E->getType();
    return combine(BO_Sub, Type, {None, {}, true}, Type, evaluate(Operand));
  }
  case UO_Plus:
  case UO_Extension:
    return evaluate(Operand);
  default:
    return inexact(evaluate(Operand), {});
  }
}

FunctionWalker::Result FunctionWalker::evaluateBinary(const BinaryOperator *E) {
  if (E->isAssignmentOp())
    return evaluateAssignment(E);
  // Long sums lean to the left: go down in a loop, not in a recursion.
  llvm::SmallVector<const BinaryOperator *, 8> Chain;
  const Expr *Leftmost = E;
  for (const auto *B = E; B && !B->isAssignmentOp(); B = dyn_cast<BinaryOperator>(Leftmost)) {
    Chain.push_back(B);
    Leftmost = B->getLHS()->IgnoreParens();
  }
  Result Left = evaluate(Leftmost);
  const auto IsLogical = [](const BinaryOperator *B) { return B->isLogicalOp(); };
  const bool IsCondition = llvm::any_of(Chain, IsLogical);
  bool ByData = IsCondition && isOfData(Leftmost);
  for (const BinaryOperator *B : llvm::reverse(Chain)) {
    Result Right;
    visitPart(ByData && B->isLogicalOp() ? Guarded : 1, B->getRHS(),
              [&] { Right = evaluate(B->getRHS()); });
    ByData |= IsCondition && B != E && isOfData(B->getRHS());
    if (B->getOpcode() == BO_Comma)
      Left = Right;
    else if (isFollowed(B->getType()))
      Left = combine(B->getOpcode(), B->getLHS()->getType(), Left, B->getRHS()->getType(), Right);
  }
  return Left;
}

FunctionWalker::Result FunctionWalker::evaluateAssignment(const BinaryOperator *E) {
  const QualType Type = E->getLHS()->getType();
  const Result Right = evaluate(E->getRHS());
  const Location L = locate(E->getLHS());
  if (!E->isCompoundAssignmentOp()) {
    nameBlock(Right, E->getLHS());
    store(L, Right, Type, E, AccessMode::Write);
    return Right;
  }
  const Result Old = content(L, Type);
  const BinaryOperatorKind Operation = BinaryOperator::getOpForCompoundAssignment(E->getOpcode());
  const Result New = combine(Operation, Type, Old, E->getRHS()->getType(), Right);
  store(L, New, Type, E, AccessMode::ReadWrite);
  return New;
}

FunctionWalker::Result FunctionWalker::evaluateConditional(const AbstractConditionalOperator *E) {
  if (const auto *Binary = dyn_cast<BinaryConditionalOperator>(E)) {
    const Result Common = evaluate(Binary->getCommon());
    return choose(E, Common, evaluate(Binary->getFalseExpr()));
  }
  Expr::EvalResult Condition; // Such as that of MIN(ROWS, 100).
  if (E->getCond()->EvaluateAsInt(Condition, U.Context))
    return evaluate(Condition.Val.getInt().getBoolValue() ? E->getTrueExpr() : E->getFalseExpr());
  const double Share = isOfData(E->getCond()) ? OneOfTwo : 1;
  evaluate(E->getCond());
  Result True, False;
  visitPart(Share, E->getTrueExpr(), [&] { True = evaluate(E->getTrueExpr()); });
  visitPart(Share, E->getFalseExpr(), [&] { False = evaluate(E->getFalseExpr()); });
  return choose(E, True, False);
}

static bool drawsNumber(const AtomicExpr *E) {
  switch (E->getOp()) {
  case AtomicExpr::AO__c11_atomic_fetch_add:
  case AtomicExpr::AO__c11_atomic_fetch_sub:
  case AtomicExpr::AO__atomic_fetch_add:
  case AtomicExpr::AO__atomic_fetch_sub:
  case AtomicExpr::AO__atomic_add_fetch:
  case AtomicExpr::AO__atomic_sub_fetch:
    return E->getType()->isIntegerType();
  default:
    return false;
  }
}

/// C11's atomic operations: the first operand points to what is changed.
FunctionWalker::Result FunctionWalker::evaluateAtomic(const AtomicExpr *E) {
  const Result Target = evaluate(E->getPtr());
  for (const Stmt *Operand : llvm::drop_begin(E->children()))
    visit(Operand);
  record({Target, nullptr, nullptr}, AccessMode::ReadWrite, E);
  return drawsNumber(E) ? drawn(contentAt(Target)) : unknown();
}

/// Of the integer there.
FunctionWalker::Result FunctionWalker::contentAt(const Result &Address) {
  return {None, Polynomial(U.loaded(value(Address))), true};
}
