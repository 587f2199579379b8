//===-- FunctionArithmetic.cpp - sums, products and other numbers *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FunctionWalker.h"

#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallSet.h"

using namespace clang;
using namespace mapp;

/// A form for the value, even if it says no more than what the value depends on.
Polynomial FunctionWalker::exactly(const Result &R) {
  return R.Exact ? R.Offset : Polynomial(U.computed(R.Offset));
}

/// A value that depends on both operands in a way that is not followed.
FunctionWalker::Result FunctionWalker::inexact(const Result &Left, const Result &Right) {
  const Result &Address = Left.Base != None ? Left : Right;
  Result Mixed{Address.Base, {}, false, 0, Address.Inner};
  llvm::SmallSet<FactorId, 8> Seen;
  for (const Result *Operand : {&Left, &Right})
    for (const Term &T : Operand->Offset.terms())
      for (const FactorId Factor : T.Factors)
        if (Seen.insert(Factor).second)
          if (std::optional<Polynomial> More = Mixed.Offset.plus(Polynomial(Factor)))
            Mixed.Offset = std::move(*More);
  return Mixed;
}

FunctionWalker::Result FunctionWalker::sum(bool Plus, const Result &Left, const Result &Right) {
  const Polynomial L = exactly(Left), R = exactly(Right);
  std::optional<Polynomial> Total = Plus ? L.plus(R) : L.minus(R);
  if (!Total)
    return inexact(Left, Right);
  if (!Plus && Right.Base != None) // Between two addresses that were made numbers.
    return {None, std::move(*Total), Left.Base == Right.Base};
  const Result &Address = Left.Base != None ? Left : Right;
  return {Address.Base, std::move(*Total), true, Address.Start, Address.Inner};
}

/// Nobody asks for nothing: `bytes ? bytes : 1`, or `if (bytes == 0) bytes = 1;`, is bytes.
static bool isJustNotZero(const Polynomial &Value, const Polynomial &Otherwise) {
  return Otherwise == Polynomial(1) && !Value.constant();
}

/// Of `i > 0 ? end[i - 1] : 0` the number: where the first begins no table says.
bool FunctionWalker::isFirstOfTable(const Polynomial &Number, const Polynomial &Other) const {
  const llvm::SmallVector<Term, 2> &Terms = Other.terms();
  return Number.constant() && Terms.size() == 1 && Terms[0].Factors.size() == 1 &&
         U.Out.Factors[Terms[0].Factors.begin()->Index].Kind == FactorKind::Loaded;
}

/// One of two values, depending on the path. Boundary treatments such as `i ? i - 1 : n - 1` say
/// most in the branch that follows a loop.
FunctionWalker::Result FunctionWalker::join(const Result &Left, const Result &Right) {
  if (Left.Base == None && Right.Base == None && Left.Exact && Right.Exact) {
    if (isJustNotZero(Left.Offset, Right.Offset))
      return Left;
    if (isJustNotZero(Right.Offset, Left.Offset))
      return Right;
  }
  if (Left.Base == Right.Base && Left.Exact && Right.Exact) {
    if (Left.Offset == Right.Offset)
      return Left;
    const auto MovingTerms = [&](const Result &R) {
      return llvm::count_if(R.Offset.terms(), [&](const Term &T) {
        return llvm::any_of(T.Factors, [&](FactorId Factor) {
          const FactorKind Kind = U.Out.Factors[Factor.Index].Kind;
          return Kind == FactorKind::Loop || Kind == FactorKind::Thread;
        });
      });
    };
    const auto OfLeft = MovingTerms(Left), OfRight = MovingTerms(Right);
    if (OfLeft != OfRight)
      return OfLeft > OfRight ? Left : Right;
    if (OfLeft > 0)
      return Left;
    if (isFirstOfTable(Left.Offset, Right.Offset))
      return Right;
    if (isFirstOfTable(Right.Offset, Left.Offset))
      return Left;
  }
  return inexact(Left, Right);
}

/// Nobody goes through a null pointer: of two pointers the other is meant.
bool FunctionWalker::isNull(const Result &R) {
  return R.Base == None && R.Exact && R.Offset == Polynomial();
}

/// One of two values, as `join`; of pointers into different arrays it may be each.
FunctionWalker::Result FunctionWalker::choose(const Expr *Choice, const Result &Left,
                                              const Result &Right) {
  if (Choice->getType()->isPointerType() && isNull(Left) != isNull(Right))
    return isNull(Left) ? Right : Left;
  if (!Choice->getType()->isPointerType() || Left.Base == Right.Base || Left.Base == None ||
      Right.Base == None)
    return join(Left, Right);
  const uint32_t Either = U.choiceBase(Choice);
  storePointer(Either, Left);
  storePointer(Either, Right);
  return {Either, {}, true};
}

FunctionWalker::Result FunctionWalker::sizeOf(QualType Type) {
  if (const VariableArrayType *Array = U.Context.getAsVariableArrayType(Type)) {
    const Result Element = sizeOf(Array->getElementType());
    if (!Array->getSizeExpr())
      return {None, Polynomial(U.computed({})), true};
    const bool WasSilent = std::exchange(Silent, true);
    const Result Count = evaluate(Array->getSizeExpr());
    Silent = WasSilent;
    return combine(BO_Mul, U.Context.IntTy, Count, U.Context.IntTy, Element);
  }
  if (Type->isIncompleteType() || Type->isFunctionType() || Type->isDependentType())
    return {None, Polynomial(1), true};
  return {None, Polynomial(U.Context.getTypeSizeInChars(Type).getQuantity()), true};
}

FunctionWalker::Result FunctionWalker::scaled(const Result &Index, QualType Element) {
  const QualType Int = U.Context.IntTy;
  return combine(BO_Mul, Int, {None, exactly(Index), true}, Int, sizeOf(Element));
}

/// A neighbour around the edge, (i + 1) % n, is i + 1 nearly always, and (i - 1 + n) % n is i - 1.
static Polynomial aroundEdge(const Polynomial &Index, int64_t Extent) {
  const int64_t Shift = Index.constantTerm();
  if (Shift <= 0)
    return Index;
  const int64_t Rest = Shift % Extent;
  const int64_t Nearest = Rest > Extent / 2 ? Rest - Extent : Rest;
  const std::optional<Polynomial> Without = Index.minus(Polynomial(Shift));
  return Without ? Without->plus(Polynomial(Nearest)).value_or(Index) : Index;
}

static Polynomial aroundEdge(const Polynomial &Index, const Polynomial &Extent) {
  const std::optional<Polynomial> Without = Index.minus(Extent);
  return Without && Without->terms().size() < Index.terms().size() ? *Without : Index;
}

/// An operation of two integers, the right one constant; nothing where the result is no form.
std::optional<Polynomial> FunctionWalker::combineConstant(BinaryOperatorKind Operation,
                                                          const Polynomial &Left, int64_t Right) {
  constexpr int64_t Few = 8; // Indices modulo few are not near the index.
  const auto OneOf = [&](int64_t Values) {
    return Polynomial(U.computed(Left, static_cast<uint32_t>(Values)));
  };
  if (const std::optional<int64_t> Value = Left.constant(); Value && *Value >= 0 && Right > 0) {
    if (Operation == BO_Div)
      return Polynomial(*Value / Right);
    if (Operation == BO_Rem)
      return Polynomial(*Value % Right);
  }
  switch (Operation) {
  case BO_Shl:
    return Right >= 0 && Right < 62 ? Left.times(Polynomial(int64_t(1) << Right)) : std::nullopt;
  case BO_Shr:
    return Right > 0 && Right < 62 ? quotient(Left, Polynomial(int64_t(1) << Right)) : std::nullopt;
  case BO_Div:
    if (std::optional<Polynomial> Exactly = Left.dividedBy(Right))
      return Exactly;
    return quotient(Left, Polynomial(Right));
  case BO_Rem:
    if (Right <= 0)
      return std::nullopt;
    return Right > Few ? aroundEdge(Left, Right) : OneOf(Right);
  case BO_And:
    if (Right <= 0 || Right == INT64_MAX || (Right & (Right + 1)) != 0)
      return std::nullopt;
    return Right > Few ? Left : OneOf(Right + 1);
  default:
    return std::nullopt;
  }
}

/// `Left` divided by something that does not move, in loops over two indices at once:
/// `a[ij / m][ij % m]`. Where each step of an index goes further than the divisor it may be a hash.
std::optional<Polynomial> FunctionWalker::quotient(const Polynomial &Left,
                                                   const Polynomial &Divisor) {
  const bool Moves = llvm::any_of(Divisor.terms(), [&](const Term &T) {
    return llvm::any_of(T.Factors, [&](FactorId Id) {
      const FactorKind Kind = U.Out.Factors[Id.Index].Kind;
      return Kind != FactorKind::Symbol && Kind != FactorKind::Parameter;
    });
  });
  const int64_t Least = Divisor.constant().value_or(1);
  const bool Far = llvm::any_of(Left.terms(), [&](const Term &T) {
    return !T.Factors.empty() && (T.Coefficient > Least || T.Coefficient < -Least);
  });
  if (Moves || Far)
    return std::nullopt;
  const bool Constant = Divisor.constant() && Least > 0 && Least < None;
  const std::optional<Polynomial> On = Constant ? Left : Left.plus(Divisor);
  const uint32_t By = Constant ? static_cast<uint32_t>(Least) : None;
  return On ? std::optional(Polynomial(U.quotient(*On, By))) : std::nullopt;
}

std::optional<Polynomial> FunctionWalker::combineIntegers(BinaryOperatorKind Operation,
                                                          const Result &Left, const Result &Right) {
  if (Operation == BO_Mul)
    return exactly(Left).times(exactly(Right));
  if (!Left.Exact || !Right.Exact)
    return std::nullopt;
  if (Right.Offset.constant())
    return combineConstant(Operation, Left.Offset, Right.Offset.constantTerm());
  if (Operation == BO_Div)
    return quotient(Left.Offset, Right.Offset);
  return Operation == BO_Rem ? std::optional(aroundEdge(Left.Offset, Right.Offset)) : std::nullopt;
}

FunctionWalker::Result FunctionWalker::combine(BinaryOperatorKind Operation, QualType LeftType,
                                               const Result &Left, QualType RightType,
                                               const Result &Right) {
  if (BinaryOperator::isComparisonOp(Operation) || BinaryOperator::isLogicalOp(Operation))
    return unknown();
  const bool LeftInteger = LeftType->isIntegerType(), RightInteger = RightType->isIntegerType();
  if (Operation == BO_Add || Operation == BO_Sub) {
    const bool Plus = Operation == BO_Add;
    if (LeftType->isPointerType() && RightInteger)
      return sum(Plus, Left, scaled(Right, LeftType->getPointeeType()));
    if (Plus && RightType->isPointerType() && LeftInteger)
      return sum(Plus, scaled(Left, RightType->getPointeeType()), Right);
    if (LeftInteger && RightInteger)
      return sum(Plus, Left, Right);
    if (LeftType->isPointerType() && RightType->isPointerType()) {
      if (std::optional<Polynomial> Length =
              elementsBetween(Right, Left, LeftType->getPointeeType()))
        return {None, std::move(*Length), true};
      return {None, inexact(Left, Right).Offset, false};
    }
  } else if (LeftInteger && RightInteger) {
    if (std::optional<Polynomial> Value = combineIntegers(Operation, Left, Right))
      return {None, std::move(*Value), true};
  }
  return inexact(Left, Right);
}
