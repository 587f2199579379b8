//===-- FunctionExpressions.cpp - values and addresses ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The expressions of the walk; its statements are in FunctionWalker.cpp.
//
//===----------------------------------------------------------------------===//

#include "FunctionWalker.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclOpenMP.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringSwitch.h"

#include <tuple>

using namespace clang;
using namespace mapp;

//===-- Arithmetic ------------------------------------------------------------===//

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

//===-- Expressions -----------------------------------------------------------===//

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

/// Clang calls them after the size, too: __sync_fetch_and_add_4.
static bool drawsNumber(const FunctionDecl *Callee) {
  constexpr llvm::StringRef Names[] = {"__sync_fetch_and_add", "__sync_fetch_and_sub",
                                       "__sync_add_and_fetch", "__sync_sub_and_fetch"};
  return Callee->getIdentifier() && llvm::any_of(Names, [&](llvm::StringRef Name) {
           return Callee->getName().starts_with(Name);
         });
}

/// C11's atomic operations: the first operand points to what is changed.
FunctionWalker::Result FunctionWalker::evaluateAtomic(const AtomicExpr *E) {
  const Result Target = evaluate(E->getPtr());
  for (const Stmt *Operand : llvm::drop_begin(E->children()))
    visit(Operand);
  record({Target, nullptr, nullptr}, AccessMode::ReadWrite, E);
  return drawsNumber(E) ? drawn(contentAt(Target)) : unknown();
}

/// It makes a number of text, such as one of the command line.
static bool readsNumber(const FunctionDecl *Callee) {
  constexpr llvm::StringRef Names[] = {"atoi", "atol", "atoll", "strtol", "strtoul", "strtoll"};
  return Callee->getIdentifier() && llvm::is_contained(Names, Callee->getName());
}

/// Of the integer there.
FunctionWalker::Result FunctionWalker::contentAt(const Result &Address) {
  return {None, Polynomial(U.loaded(value(Address))), true};
}

//===-- Calls -----------------------------------------------------------------===//

bool mapp::asksForNumberOfThreads(const FunctionDecl *Callee) {
  return Callee && Callee->getIdentifier() &&
         (Callee->getName() == "omp_get_num_threads" || Callee->getName() == "omp_get_max_threads");
}

/// Calls whose result means something for addresses.
std::optional<FunctionWalker::Result>
FunctionWalker::evaluateKnown(const FunctionDecl *Callee, llvm::ArrayRef<Result> Arguments) {
  enum Meaning { Unknown, ThreadNumber, FirstArgument };
  const Meaning M = llvm::StringSwitch<Meaning>(Callee->getName())
                        .Case("omp_get_thread_num", ThreadNumber)
                        .Cases("__builtin_expect", "__builtin_assume_aligned", FirstArgument)
                        .Default(Unknown);
  if (M == ThreadNumber) {
    Out.AsksForThread = true;
    return Result{None, Polynomial(U.thread()), true};
  }
  if (asksForNumberOfThreads(Callee)) {
    const FactorId Count = U.symbol(Callee);
    ThreadCounts.insert(Count.Index);
    return Result{None, Polynomial(Count), true};
  }
  if (M == FirstArgument && !Arguments.empty())
    return Arguments[0];
  return std::nullopt;
}

/// It stops the program, or does nothing: `assert(n > 0);`.
static bool isCheck(const Stmt *S) {
  const auto *E = dyn_cast<Expr>(S);
  return E ? E->getType()->isVoidType() && !isa<CallExpr>(E) : isa<NullStmt>(S);
}

/// It sets variables of the function alone: `int me = omp_get_thread_num();`, `me = 0;`, be it
/// under a condition.
static bool isPreparation(const Stmt *S) {
  if (const auto *If = dyn_cast<IfStmt>(S))
    return isPreparation(onlyStatement(If->getThen())) &&
           (!If->getElse() || isPreparation(onlyStatement(If->getElse())));
  const auto IsNumber = [](const VarDecl *Variable) {
    return Variable && Variable->hasLocalStorage() && Variable->getType()->isIntegerType();
  };
  if (const auto *Declarations = dyn_cast<DeclStmt>(S))
    return llvm::all_of(Declarations->decls(),
                        [&](const Decl *D) { return IsNumber(dyn_cast<VarDecl>(D)); });
  const auto *Assignment = dyn_cast<BinaryOperator>(S);
  return Assignment && Assignment->getOpcode() == BO_Assign &&
         IsNumber(namedVariable(Assignment->getLHS()));
}

/// It is about variables and constants, and reads nothing from memory.
static bool isOfNumbers(const Stmt *S) {
  const auto *Dereference = dyn_cast<UnaryOperator>(S);
  return !isa<ArraySubscriptExpr, MemberExpr, CallExpr>(S) &&
         !(Dereference && Dereference->getOpcode() == UO_Deref) &&
         llvm::all_of(S->children(), [](const Stmt *Part) { return !Part || isOfNumbers(Part); });
}

/// What `if (at < 0) return 0;` returns; null where the statement is something else, or goes on,
/// or data tell which case it is.
static const ReturnStmt *earlyReturn(const Stmt *S) {
  const auto *If = dyn_cast<IfStmt>(S);
  return If && !If->getElse() && isOfNumbers(If->getCond())
             ? dyn_cast<ReturnStmt>(onlyStatement(If->getThen()))
             : nullptr;
}

/// What a function that goes straight to its end does, but for checks: a `return` is last, and
/// there may be others on the way.
static llvm::SmallVector<const Stmt *, 4> straightSteps(const FunctionDecl *Callee) {
  llvm::SmallVector<const Stmt *, 4> Steps;
  const auto *Body = dyn_cast_or_null<CompoundStmt>(Callee->getBody());
  if (!Body)
    return {};
  const auto HasReturned = [&] { return !Steps.empty() && isa<ReturnStmt>(Steps.back()); };
  for (const Stmt *S : Body->body()) {
    if (isCheck(S))
      continue;
    if (HasReturned() || !(isPreparation(S) || isa<ReturnStmt>(S) || earlyReturn(S)))
      return {};
    Steps.push_back(S);
  }
  return HasReturned() ? Steps : llvm::SmallVector<const Stmt *, 4>();
}

/// What they return: of several values the last one says most, which is that of no special case.
FunctionWalker::Result FunctionWalker::evaluateSteps(llvm::ArrayRef<const Stmt *> Steps) {
  llvm::SmallVector<std::pair<const Expr *, Result>, 4> Values;
  for (const Stmt *Step : Steps) {
    const ReturnStmt *Early = earlyReturn(Step);
    const auto *Return = Early ? Early : dyn_cast<ReturnStmt>(Step);
    if (!Return)
      visit(Step);
    else if (const Expr *Returned = Return->getRetValue())
      Values.push_back({Returned, evaluate(Returned)});
    else
      return unknown();
  }
  Result Last = Values.pop_back_val().second;
  for (const auto &[Returned, Early] : llvm::reverse(Values))
    Last = choose(Returned, Last, Early);
  return Last;
}

/// What a parameter stands for while a function is looked into.
void FunctionWalker::bind(const ParmVarDecl *Parameter, const Expr *Argument,
                          const Result &Passed) {
  Known[Parameter] = {Passed.Base, exactly(Passed), true, 0, Passed.Inner};
  if (!Parameter->getType()->isRecordType())
    return;
  const Value From = object(Argument);
  CopiedFrom.erase(U.variableBase(Parameter));
  if (From.Base != None)
    CopiedFrom[U.variableBase(Parameter)] = {From.Base, From.Offset, true, 0, From.Inner};
}

/// A function that just returns an expression is a subscript in disguise: idx(i, j, k).
FunctionWalker::Result FunctionWalker::evaluateInlined(const CallExpr *E,
                                                       const FunctionDecl *Callee,
                                                       llvm::ArrayRef<Result> Arguments) {
  constexpr unsigned MaxInlined = 4;
  const FunctionDecl *Definition = nullptr;
  if (!Callee->hasBody(Definition) || Inlined == MaxInlined ||
      Definition->getNumParams() != Arguments.size())
    return unknown();
  const llvm::SmallVector<const Stmt *, 4> Steps = straightSteps(Callee);
  if (Steps.empty())
    return unknown();
  Changes.include(Definition);
  for (size_t I = 0; I < Arguments.size(); ++I)
    bind(Definition->getParamDecl(I), E->getArg(I), Arguments[I]);
  const bool WasSilent = std::exchange(Silent, true);
  ++Inlined;
  const Result R = evaluateSteps(Steps);
  --Inlined;
  Silent = WasSilent;
  return R;
}

/// The text of a short function asks which thread it runs on.
/// @param Budget so many more expressions and statements are looked at
static bool asksForThread(const Stmt *S, unsigned &Budget) {
  if (!S || Budget == 0)
    return false;
  --Budget;
  if (const auto *Call = dyn_cast<CallExpr>(S))
    if (const FunctionDecl *Callee = Call->getDirectCallee();
        Callee && Callee->getIdentifier() && Callee->getName() == "omp_get_thread_num")
      return true;
  return llvm::any_of(S->children(),
                      [&](const Stmt *Child) { return asksForThread(Child, Budget); });
}

/// What a call makes of numbers, where the thread's is among them: a share, most likely.  Whether a
/// function of another file asks for it is known later.
std::optional<Polynomial> FunctionWalker::ofThread(const CallExpr *E, bool OfAnyFile) {
  Result All = unknown();
  const bool WasSilent = std::exchange(Silent, true);
  for (const Expr *Argument : E->arguments())
    if (Argument->getType()->isIntegerType())
      All = inexact(All, evaluate(Argument));
  Silent = WasSilent;
  unsigned Budget = 200; // A function that computes a share is no longer.
  const FunctionDecl *const Callee = E->getDirectCallee();
  const FunctionDecl *Definition = nullptr;
  const bool IsElsewhere = OfAnyFile && Callee && !Callee->hasBody();
  if (Callee && Callee->hasBody(Definition) && asksForThread(Definition->getBody(), Budget))
    All = inexact(All, {None, Polynomial(U.thread()), true});
  if (IsElsewhere)
    All = inexact(All, {None, Polynomial(U.answer(Callee)), true});
  if (!IsElsewhere && !isMadeFrom(All.Offset, {FactorKind::Thread}))
    return std::nullopt;
  return Polynomial(U.computed(All.Offset));
}

/// `get_share(n, me, threads, &first, &end)`
void FunctionWalker::storeResults(const CallExpr *E) {
  for (const Expr *Argument : E->arguments()) {
    const auto *Address = dyn_cast<UnaryOperator>(Argument->IgnoreParenCasts());
    const Expr *Number =
        Address && Address->getOpcode() == UO_AddrOf ? Address->getSubExpr() : nullptr;
    if (!Number || !Number->getType()->isIntegerType())
      continue;
    const VarDecl *To = namedVariable(Number);
    const Value Member = To ? Value() : object(Number);
    const bool IsOwn = To ? To->hasLocalStorage()
                          : isOwnMemory(Member.Base) && Member.Offset.constant().has_value();
    std::optional<Polynomial> Made = IsOwn ? ofThread(E, inParallel()) : std::nullopt;
    if (Made)
      (To ? Known[To]
          : Numbers[{Member.Base, Member.Offset.constantTerm()}]) = {None, std::move(*Made), true};
  }
}

/// The numbers of a struct that a function returns.
void FunctionWalker::storeFields(uint32_t To, QualType Type, const CallExpr *E) {
  if (!isOwnMemory(To))
    return;
  for (const FieldDecl *Field : Type->getAsRecordDecl()->fields()) {
    std::optional<Polynomial> Made =
        Field->getType()->isIntegerType() ? ofThread(E, true) : std::nullopt;
    if (!Made)
      continue;
    const auto Bits = static_cast<int64_t>(U.Context.getFieldOffset(Field));
    const int64_t At = U.Context.toCharUnitsFromBits(Bits).getQuantity();
    storeNumber({To, Polynomial(At), true}, {None, std::move(*Made), true});
  }
}

/// It is a place in what a parameter leads to: `&grid->cells[i * n + j]`, `row + j`.
static bool isPlaceBehindParameter(const Expr *E) {
  for (bool IsFirst = true;; IsFirst = false) {
    E = E->IgnoreParenCasts();
    if (const auto *Reference = dyn_cast<DeclRefExpr>(E))
      return !IsFirst && isa<ParmVarDecl>(Reference->getDecl());
    if (const auto *Address = dyn_cast<UnaryOperator>(E))
      E = Address->getSubExpr();
    else if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E))
      E = Element->getBase();
    else if (const auto *Field = dyn_cast<MemberExpr>(E))
      E = Field->getBase();
    else if (const auto *Sum = dyn_cast<BinaryOperator>(E); Sum && Sum->isAdditiveOp())
      E = Sum->getLHS()->getType()->isPointerType() ? Sum->getLHS() : Sum->getRHS();
    else
      return false;
  }
}

static bool returnsPlaceBehindParameter(const FunctionDecl *Callee) {
  const llvm::SmallVector<const Stmt *, 4> Steps = straightSteps(Callee);
  const Expr *Returned = Steps.empty() ? nullptr : cast<ReturnStmt>(Steps.back())->getRetValue();
  return Returned && isPlaceBehindParameter(Returned);
}

/// A call that returns a pointer: the one that the function got, one to a place in what it got,
/// `*cell(grid, i, j)`, or to a block.
FunctionWalker::Result FunctionWalker::evaluatePointer(const CallExpr *E,
                                                       const FunctionDecl *Callee,
                                                       llvm::ArrayRef<Result> Arguments, Call &C) {
  if (const std::optional<unsigned> Same = U.returnedParameter(Callee);
      Same && *Same < Arguments.size())
    return Arguments[*Same];
  if (!Callee->hasBody() &&
      llvm::any_of(Arguments, [](const Result &Passed) { return Passed.Base != None; }))
    U.Out.Passing.push_back(U.key(Callee));
  if (returnsPlaceBehindParameter(Callee))
    if (const Result Place = evaluateInlined(E, Callee, Arguments);
        Place.Exact && Place.Base != None)
      return Place;
  const Result R = evaluateResult(E, Callee, Arguments);
  if (const ArrayDeclaration *Made = blockOf(R))
    C.Block = Made->Key;
  return R;
}

/// memset(p, 0, n), bzero(p, n)
static bool isClearing(const CallExpr *E, const FunctionDecl *Callee, const ASTContext &Context) {
  if (!Callee || !Callee->getIdentifier() || E->getNumArgs() < 2)
    return false;
  Expr::EvalResult Byte;
  return Callee->getName() == "bzero" ||
         (Callee->getName() == "memset" && E->getArg(1)->EvaluateAsInt(Byte, Context) &&
          Byte.Val.getInt().isZero());
}

/// What a function of the C library does that goes over so much memory: positions of arguments.
struct LibraryPass {
  unsigned Pointers;            ///< the first arguments: where it writes, and where it reads from
  unsigned Count;               ///< so many of them ...
  std::optional<unsigned> Size; ///< ... of so many bytes; none: of one
  AccessMode Mode = AccessMode::Write; ///< what it does with the first
  int64_t Rounds = 1;                  ///< so often it comes to each
};

static std::optional<LibraryPass> libraryPass(const CallExpr *E, const FunctionDecl *Callee) {
  constexpr int64_t SortRounds = 8; // Comparisons of an element, in rows and in whole arrays.
  using Found = std::optional<LibraryPass>;
  const IdentifierInfo *Name = Callee->hasBody() ? nullptr : Callee->getIdentifier();
  const Found Pass = llvm::StringSwitch<Found>(Name ? Name->getName() : "")
                         .Case("memset", LibraryPass{1, 2, {}})
                         .Case("bzero", LibraryPass{1, 1, {}})
                         .Cases("memcpy", "memmove", LibraryPass{2, 2, {}})
                         .Case("memchr", LibraryPass{1, 2, {}, AccessMode::Read})
                         .Case("memcmp", LibraryPass{2, 2, {}, AccessMode::Read})
                         .Case("fread", LibraryPass{1, 2, 1})
                         .Case("fwrite", LibraryPass{1, 2, 1, AccessMode::Read})
                         .Case("qsort", LibraryPass{1, 1, 2, AccessMode::ReadWrite, SortRounds})
                         .Default(std::nullopt);
  const bool IsWhole = Pass && std::max(Pass->Count, Pass->Size.value_or(0)) < E->getNumArgs();
  return IsWhole ? Pass : std::nullopt;
}

/// What the pointers point to before they become pointers to void.
static QualType elementAt(const ASTContext &Context, const Expr *Pointer) {
  Pointer = Pointer->IgnoreParenImpCasts();
  const QualType Type = Pointer->getType();
  return Context.getBaseElementType(Type->isPointerType() ? Type->getPointeeType() : Type);
}

/// A thread finds by its number where its share is: `begin[me]`.
bool FunctionWalker::isLookedUpShare(const Polynomial &Number) const {
  return llvm::any_of(Number.terms(), [&](const Term &T) {
    return llvm::any_of(T.Factors, [&](FactorId Id) {
      const Factor &F = U.Out.Factors[Id.Index];
      return F.Kind == FactorKind::Loaded && isMadeFrom(F.Of, {FactorKind::Thread});
    });
  });
}

/// How many elements so many pieces of so many bytes are, where that is told.
std::optional<Polynomial> FunctionWalker::elementsIn(const Result &Pieces, const Result &Size,
                                                     QualType Element) const {
  if (!Pieces.Exact || !Size.Exact || Element->isIncompleteType() || Element->isFunctionType())
    return std::nullopt;
  const int64_t Bytes = U.Context.getTypeSizeInChars(Element).getQuantity();
  const std::optional<Polynomial> Whole = Pieces.Offset.times(Size.Offset);
  return Whole && Bytes > 0 ? Whole->dividedBy(Bytes) : std::nullopt;
}

void FunctionWalker::inCountedLoop(const Polynomial &Count, const Stmt *At,
                                   llvm::function_ref<void(FactorId)> Body) {
  Scope Loop = newScope(ScopeKind::Loop, At);
  Loop.Counted = true;
  Loop.End = Count;
  Loop.Step = 1;
  inScope(std::move(Loop), Body);
}

/// memset() and its like count as the loops that they are, over elements, where it is known how
/// many; of shares that threads look up it is known elsewhere what they are.
void FunctionWalker::passOver(const CallExpr *E, const FunctionDecl *Callee,
                              llvm::ArrayRef<Result> Arguments, Call &C) {
  const std::optional<LibraryPass> Pass = libraryPass(E, Callee);
  if (!Pass || Silent)
    return;
  for (unsigned I = 0; I < Pass->Pointers; ++I) {
    const QualType Element = elementAt(U.Context, E->getArg(I));
    const Result Size = Pass->Size ? Arguments[*Pass->Size] : Result{None, Polynomial(1), true};
    const std::optional<Polynomial> Count = elementsIn(Arguments[Pass->Count], Size, Element);
    if (!Count || Arguments[I].Base == None || isLookedUpShare(Arguments[I].Offset))
      continue;
    const AccessMode Mode = I > 0                               ? AccessMode::Read
                            : C.Through[0] == AccessMode::Clear ? AccessMode::Clear
                                                                : Pass->Mode;
    inCountedLoop(Polynomial(Pass->Rounds), E, [&](FactorId) {
      inCountedLoop(*Count, E, [&](FactorId Index) {
        const Result Step{None, Polynomial(Index), true};
        record({sum(true, Arguments[I], scaled(Step, Element)), nullptr, nullptr}, Mode, E,
               Element);
      });
    });
    C.Arguments[I] = Value();
  }
}

/// What a call hands over, and how the function may use that.
void FunctionWalker::describeArguments(const CallExpr *E, const FunctionDecl *Callee,
                                       llvm::ArrayRef<Result> Arguments, Call &C) {
  for (unsigned I = 0; I < Arguments.size(); ++I) {
    const bool Declared = Callee && I < Callee->getNumParams();
    if (isFollowed(E->getArg(I)->getType()))
      C.Arguments.push_back(value(Arguments[I]));
    else if (Declared &&
             U.Out.Bases[U.variableBase(Callee->getParamDecl(I))].Kind == BaseKind::Parameter)
      C.Arguments.push_back(object(E->getArg(I)));
    else
      C.Arguments.emplace_back();
    const QualType Type = Declared ? Callee->getParamDecl(I)->getType() : E->getArg(I)->getType();
    const bool Const = Type->isPointerType() && Type->getPointeeType().isConstQualified();
    C.Through.push_back(Const ? AccessMode::Read : AccessMode::ReadWrite);
  }
  if (isClearing(E, Callee, U.Context))
    C.Through.front() = AccessMode::Clear;
}

Call FunctionWalker::describeCall(const CallExpr *E, const FunctionDecl *Callee,
                                  llvm::ArrayRef<Result> Arguments) {
  Call C;
  if (Callee)
    C.Callee = U.key(Callee);
  else
    C.CalleeType = U.typeText(E->getCallee()->getType()->getPointeeType());
  describeArguments(E, Callee, Arguments, C);
  passNumbers(C);
  if (Callee && Callee->isVariadic())
    C.Named = Callee->getNumParams();
  C.Scope = Current;
  C.Line = U.line(E->getBeginLoc());
  C.After = Out.Accesses.size();
  std::tie(C.Begin, C.End) = U.editable(E->getSourceRange());
  return C;
}

/// What a function of the program's own, or one that nobody knows, returns.
FunctionWalker::Result FunctionWalker::evaluateReturned(const CallExpr *E,
                                                        const FunctionDecl *Callee,
                                                        llvm::ArrayRef<Result> Arguments, Call &C) {
  const bool IsPointer = E->getType()->isPointerType();
  if (!IsPointer)
    fillPointer(E, Callee, Arguments);
  if (drawsNumber(Callee) && !Arguments.empty())
    return drawn(contentAt(Arguments[0]));
  if (IsPointer)
    return evaluatePointer(E, Callee, Arguments, C);
  if (!E->getType()->isIntegerType())
    return unknown();
  if (readsNumber(Callee))
    return drawn({None, Polynomial(U.input()), true});
  const Result R = evaluateInlined(E, Callee, Arguments);
  return R.Exact ? R : inexact(R, {None, Polynomial(U.answer(Callee)), false});
}

/// Of a call that makes an integer of numbers of all kinds, and of what is in structs.
FunctionWalker::Result FunctionWalker::evaluateArgument(const CallExpr *Of, const Expr *E) {
  const FunctionDecl *Callee = Of->getDirectCallee();
  if (!Of->getType()->isIntegerType() || !Callee || Callee->isVariadic())
    return evaluate(E);
  if (!E->getType()->isRecordType())
    return followingFloats(E);
  const Result R = evaluate(E);
  const Value Passed = object(E);
  return Passed.Base == None ? R : inexact(R, {None, Polynomial(U.loaded(Passed)), true});
}

FunctionWalker::Result FunctionWalker::evaluateCall(const CallExpr *E) {
  const FunctionDecl *Callee = E->getDirectCallee();
  if (!Callee)
    evaluate(E->getCallee());
  llvm::SmallVector<Result, 4> Arguments;
  for (const Expr *Argument : E->arguments())
    Arguments.push_back(evaluateArgument(E, Argument));
  if (Callee) {
    if (std::optional<Result> Meaning = evaluateKnown(Callee, Arguments))
      return *Meaning;
    if (std::optional<Result> Block = evaluateAllocation(E, Callee, Arguments))
      return *Block;
  }
  Call C = describeCall(E, Callee, Arguments);
  if (Callee)
    passOver(E, Callee, Arguments, C);
  Result R = Callee ? evaluateReturned(E, Callee, Arguments, C) : unknown();
  if (!R.Exact && isFollowed(E->getType()))
    for (const Result &Argument : Arguments)
      R = inexact(R, {None, Argument.Offset, false});
  if (!Silent) {
    Out.Calls.push_back(std::move(C));
    storeResults(E);
  }
  return R;
}

//===-- Memory ----------------------------------------------------------------===//

/// Each thread has a copy, which tells its part of the work: `for (i = my_first; i < my_end; i++)`.
static bool isOfThread(const VarDecl *Variable) {
  return Variable->getTLSKind() != VarDecl::TLS_None ||
         Variable->hasAttr<OMPThreadPrivateDeclAttr>();
}

/// The base of a variable, or of what it points to.
uint32_t FunctionWalker::baseOf(const VarDecl *Variable) {
  const uint32_t Base = U.variableBase(Variable);
  if (isOfThread(Variable))
    OfThread.insert(Base);
  return Base;
}

/// What a number of each thread's own is, that lies in its copy of a variable or where its pointer
/// leads to: `mine.first`, `range[0]`, `mine->first`.
Polynomial FunctionWalker::ofThreadToo(const Polynomial &Number) {
  const std::optional<Polynomial> Both = Number.plus(Polynomial(U.thread()));
  return Polynomial(U.computed(Both.value_or(Number)));
}

FunctionWalker::Location FunctionWalker::locate(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *Reference = dyn_cast<DeclRefExpr>(E)) {
    const auto *Variable = dyn_cast<VarDecl>(Reference->getDecl());
    if (!Variable)
      return {};
    const bool Scalar = Variable->getType()->isScalarType();
    return {{baseOf(Variable), {}, true}, Scalar ? Variable : nullptr, nullptr};
  }
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E))
    return locateSubscript(Subscript);
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return locateMember(Member);
  if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
    if (Unary->getOpcode() == UO_Deref)
      return {evaluate(Unary->getSubExpr()), nullptr, nullptr};
    if (Unary->getOpcode() == UO_Extension || Unary->getOpcode() == UO_Real ||
        Unary->getOpcode() == UO_Imag) {
      Location L = locate(Unary->getSubExpr());
      L.Scalar = nullptr;
      return L;
    }
  }
  if (const auto *Literal = dyn_cast<CompoundLiteralExpr>(E)) {
    const uint32_t Base = U.literalBase(Literal);
    initialiseObject({Base, {}}, Literal->getInitializer());
    return {{Base, {}, true}, nullptr, nullptr};
  }
  if (!E->isGLValue())
    evaluate(E);
  else
    evaluateChildren(E);
  return {};
}

/// The member that the element belongs to: of `level` in `grid->level[k]`; null where it is none.
static const FieldDecl *memberArray(const ArraySubscriptExpr *E) {
  const Expr *Array = E->getBase()->IgnoreParenImpCasts();
  if (!Array->getType()->isArrayType())
    return nullptr;
  if (const auto *Outer = dyn_cast<ArraySubscriptExpr>(Array))
    return memberArray(Outer);
  const auto *Member = dyn_cast<MemberExpr>(Array);
  return Member ? dyn_cast<FieldDecl>(Member->getMemberDecl()) : nullptr;
}

FunctionWalker::Location FunctionWalker::locateSubscript(const ArraySubscriptExpr *E) {
  // A vector, unlike an array, is no pointer in front of a subscript.
  const bool InVector = E->getBase()->getType()->isVectorType() && E->getBase()->isGLValue();
  const Result Base = InVector ? locate(E->getBase()).Address : evaluate(E->getBase());
  const Result Index = evaluate(E->getIdx());
  const FieldDecl *Table = E->getType()->isPointerType() ? memberArray(E) : nullptr;
  return {sum(true, Base, scaled(Index, E->getType())), nullptr, Table, E};
}

FunctionWalker::Location FunctionWalker::locateMember(const MemberExpr *E) {
  const Result Base = E->isArrow() ? evaluate(E->getBase()) : locate(E->getBase()).Address;
  const auto *Field = dyn_cast<FieldDecl>(E->getMemberDecl());
  if (!Field)
    return {};
  const int64_t Offset =
      U.Context.toCharUnitsFromBits(static_cast<int64_t>(U.Context.getFieldOffset(Field)))
          .getQuantity();
  Result Member = sum(true, Base, {None, Polynomial(Offset), true});
  if (Field->getType()->isArrayType())
    Member.Start = exactly(Member).constant().value_or(0);
  if (Member.Base != None)
    Member.Inner = U.innerStruct(Member.Inner, Field);
  return {std::move(Member), nullptr, Field};
}

/// Of a pointer in a struct: that pointer, so that `fill(&s->a)` is not taken to set all of them.
FunctionWalker::Result FunctionWalker::addressOf(const Location &L) {
  const bool IsPointer = L.Field && L.Address.Base != None && L.Field->getType()->isPointerType();
  return IsPointer ? Result{U.cellBase(holder(L)), {}, true} : L.Address;
}

uint32_t FunctionWalker::holder(const Location &L) {
  if (L.Scalar)
    return U.variableBase(L.Scalar);
  if (L.Address.Base == None)
    return L.Field ? U.fieldBase(L.Field) : None;
  return L.Field ? U.memberBase(L.Address.Base, L.Address.Inner, L.Field)
                 : U.pointeeBase(L.Address.Base);
}

FunctionWalker::Result FunctionWalker::load(const Location &L, QualType Type, const Expr *At) {
  if (!L.Scalar)
    record(L, AccessMode::Read, At);
  return content(L, Type);
}

/// The integer that lies there.
FunctionWalker::Result FunctionWalker::numberAt(const Value &Address, const FieldDecl *Field) {
  if (isOwnMemory(Address.Base))
    return number(Address);
  const Polynomial Loaded(U.loaded(Address, Field));
  const bool IsOwn =
      Address.Base != None && OfThread.contains(Address.Base) && Address.Offset.constant();
  return {None, IsOwn ? ofThreadToo(Loaded) : Loaded, true};
}

/// The value that lies there.
FunctionWalker::Result FunctionWalker::content(Location L, QualType Type) {
  if (L.Scalar)
    return variable(L.Scalar);
  if (!isFollowed(Type))
    return unknown();
  if (const auto Copy = CopiedFrom.find(L.Address.Base); Copy != CopiedFrom.end())
    L.Address = ofCopied(Copy->second, L.Address);
  const Value Address = value(L.Address);
  if (!Type->isPointerType())
    return numberAt(Address, L.Field);
  const bool Passed = Address.Base != None && U.Out.Bases[Address.Base].Kind == BaseKind::Parameter;
  if (Address.Offset.constant() && !Passed) // Else the caller knows more of it.
    return {holder(L), {}, true};
  return {holder(L), Polynomial(U.row(Address, L.Field)), true};
}

/// An integer of that type may have been made from a pointer.
bool FunctionWalker::holdsAddresses(QualType Type) const {
  return U.Context.getTypeSize(Type) == U.Context.getTypeSize(U.Context.VoidPtrTy);
}

/// The right side of an assignment, n in `a = b = n`; an initialiser itself.
static const Expr *rightSide(const Expr *At) {
  const auto *Assignment = dyn_cast<BinaryOperator>(At);
  if (!Assignment || !Assignment->isAssignmentOp())
    return At;
  const Expr *Right = Assignment->getRHS();
  const auto *Inner = dyn_cast<BinaryOperator>(Right->IgnoreParenImpCasts());
  return Inner && Inner->getOpcode() == BO_Assign ? rightSide(Inner) : Right;
}

/// Of whatever type.
static bool isZero(const Expr *E, const ASTContext &Context) {
  E = E->IgnoreParenImpCasts();
  if (const auto *Float = dyn_cast<FloatingLiteral>(E))
    return Float->getValue().isPosZero();
  Expr::EvalResult Constant;
  return E->getType()->isIntegerType() && E->EvaluateAsInt(Constant, Context) &&
         Constant.Val.getInt().isZero();
}

void FunctionWalker::store(const Location &L, const Result &R, QualType Type, const Expr *At,
                           AccessMode Mode) {
  if (Type->isIntegerType())
    noteStored(L, At, Mode);
  if (!L.Scalar) {
    const bool Clears = Mode == AccessMode::Write && isZero(rightSide(At), U.Context);
    record(L, Clears ? AccessMode::Clear : Mode, At);
    if (Type->isIntegerType())
      storeNumber(L.Address, R);
    if (Type->isIntegerType() && L.Field)
      noteMember(L, R, Mode);
  } else if (Type->isIntegerType()) {
    Known[L.Scalar] = {holdsAddresses(Type) ? R.Base : None, exactly(R), true};
    LastAssigned[L.Scalar] = rightSide(At);
  } else if (Type->isPointerType()) {
    Known[L.Scalar] = R;
  } else {
    LastAssigned[L.Scalar] = rightSide(At);
  }
  if (Type->isPointerType())
    storeThrough(L, R);
  else if (Type->isRecordType() && L.Address.Base != None)
    copyObject(value(L.Address), Type, At);
}

/// What lies in a member that is an array of pointers may also be found through a pointer to it.
void FunctionWalker::storeThrough(const Location &To, const Result &R) {
  noteTables(To, R.Base);
  storePointer(holder(To), R);
  if (To.Field && To.Subscript && To.Address.Base != None)
    storePointer(U.pointeeBase(To.Address.Base), R);
}

/// What a function returns, such as atoi(), comes from outside.
static bool isInput(const Expr *E) {
  const auto *Call = dyn_cast<CallExpr>(E->IgnoreParenImpCasts());
  return Call && !asksForNumberOfThreads(Call->getDirectCallee());
}

/// The number that is stored where the input says nothing else: `n = argc > 1 ? atoi(argv[1]) :
/// 64`.
static const Expr *withoutInput(const Expr *Stored) {
  const auto *Choice = dyn_cast<ConditionalOperator>(Stored->IgnoreParenImpCasts());
  if (!Choice || isInput(Choice->getTrueExpr()) == isInput(Choice->getFalseExpr()))
    return Stored;
  return isInput(Choice->getTrueExpr()) ? Choice->getFalseExpr() : Choice->getTrueExpr();
}

/// Where an integer is stored: in a member, of whatever struct, and in static storage in a place,
/// or in those of a short loop such as `for (d = 0; d < 3; d++) points[d] = n`.
llvm::SmallVector<StoredNumber, 1> FunctionWalker::placesOf(const Location &L) const {
  llvm::SmallVector<StoredNumber, 1> Places;
  if (L.Field)
    Places.push_back({U.Out.Bases[U.fieldBase(L.Field)].Key, 0, std::nullopt});
  const uint32_t Base = L.Scalar ? U.variableBase(L.Scalar) : L.Address.Base;
  if (Base == None || U.Out.Bases[Base].Kind != BaseKind::Object || (!L.Scalar && !L.Address.Exact))
    return Places;
  for (const int64_t At : valuesOf(L.Scalar ? Polynomial() : L.Address.Offset))
    Places.push_back({U.Out.Bases[Base].Key, At, std::nullopt});
  return Places;
}

/// The loop around that has this index; null where there is none.
const Scope *FunctionWalker::loopAround(FactorId Index) const {
  for (uint32_t S = Current; S != None; S = U.Out.Scopes[S].Parent)
    if (U.Out.Scopes[S].Counted && U.Out.Scopes[S].Factor == Index)
      return &U.Out.Scopes[S];
  return nullptr;
}

/// All values of a form, where they are few: it is constant, or moves with one short loop.
llvm::SmallVector<int64_t, 1> FunctionWalker::valuesOf(const Polynomial &F) const {
  constexpr int64_t Most = 16;
  if (const std::optional<int64_t> Only = F.constant())
    return {*Only};
  const Term &Moving = F.terms().back(); // The constant, if there is one, comes first.
  const size_t Constants = F.terms().front().Factors.empty() ? 1 : 0;
  const Scope *Loop = Moving.Factors.size() == 1 ? loopAround(*Moving.Factors.begin()) : nullptr;
  if (!Loop || F.terms().size() != 1 + Constants)
    return {};
  const int64_t First = Loop->First.constant().value_or(0);
  const int64_t End = Loop->End.constant().value_or(INT64_MAX);
  if (!Loop->First.constant() || Loop->Step == 0 || First < 0 || End > First + Most)
    return {};
  llvm::SmallVector<int64_t, 1> Values;
  for (int64_t I = First; I < End; I += std::abs(Loop->Step))
    Values.push_back(F.constantTerm() + Moving.Coefficient * I);
  return Values;
}

/// @param At the assignment, or the initialiser of a variable
void FunctionWalker::noteStored(const Location &L, const Expr *At, AccessMode Mode) {
  llvm::SmallVector<StoredNumber, 1> Places;
  if (!Silent)
    Places = placesOf(L);
  if (Places.empty())
    return;
  const Expr *Stored = rightSide(At);
  const bool IsAnew = Mode == AccessMode::Write;
  const bool IsOwn = L.Scalar && isOfThread(L.Scalar); // It gets the thread's number by a call.
  if (IsAnew && isInput(Stored) && !IsOwn)
    return;
  std::optional<Polynomial> Is = IsAnew ? storedAs(Stored) : std::nullopt;
  if (IsAnew && !Is)
    Is = ofItsOwn(L, Stored);
  for (StoredNumber &Number : Places)
    Number.Is = Is;
  llvm::move(Places, std::back_inserter(U.Out.Numbers));
}

/// Each of the structs that a loop goes over gets another number, as the loop's index says, and
/// keeps it: `level[l].n = n >> l`.
std::optional<Polynomial> FunctionWalker::ofItsOwn(const Location &L, const Expr *Stored) {
  if (!L.Field || !isMadeFrom(L.Address.Offset, {FactorKind::Loop}) ||
      Stored->HasSideEffects(U.Context, /*IncludePossibleEffects=*/false))
    return std::nullopt;
  const Result R = byNames(Stored);
  return R.Base == None && isMadeFrom(R.Offset, {FactorKind::Loop})
             ? std::optional(Polynomial(U.computed(R.Offset)))
             : std::nullopt;
}

/// The number that an initialiser stores in a member, `.plane = nx * ny`.
void FunctionWalker::noteInitial(const FieldDecl *Member, const Expr *Stored) {
  if (!Silent && !isa<ImplicitValueInitExpr>(Stored) && !isInput(Stored))
    U.Out.Numbers.push_back(
        {U.Out.Bases[U.fieldBase(Member)].Key, 0, storedAs(Stored), /*Initial=*/true});
}

/// What is stored, if that is known to be a number.
std::optional<Polynomial> FunctionWalker::storedAs(const Expr *Stored) {
  if (Stored->HasSideEffects(U.Context, /*IncludePossibleEffects=*/false))
    return std::nullopt;
  const Result R = byNames(withoutInput(Stored));
  return R.Exact && R.Base == None ? std::optional(R.Offset) : std::nullopt;
}

/// An expression in terms of the variables with static storage that it names, whatever is known of
/// their values here.
FunctionWalker::Result FunctionWalker::byNames(const Expr *E) {
  llvm::DenseMap<const VarDecl *, Result> Here;
  allVariables(E, [&](const VarDecl *Variable) {
    const auto Entry = Known.find(Variable);
    if (Entry != Known.end() && Variable->hasGlobalStorage()) {
      Here.insert(*Entry);
      Known.erase(Entry);
    }
    return true;
  });
  const bool WasSilent = std::exchange(Silent, true);
  const Result R = evaluate(E);
  Silent = WasSilent;
  for (const auto &Entry : Here)
    Known[Entry.first] = Entry.second;
  return R;
}

/// Automatic storage, whose contents nobody else changes but through pointers to it.
bool FunctionWalker::isOwnMemory(uint32_t Base) const {
  return Base != None && U.Out.Bases[Base].Kind == BaseKind::Private;
}

/// Bounds may be kept in a struct: `share.first = n / threads * me`. Of several numbers that are
/// stored in one place it is known what they depend on.
void FunctionWalker::storeNumber(const Result &Address, const Result &R) {
  const std::optional<int64_t> Offset = Address.Exact ? Address.Offset.constant() : std::nullopt;
  if (!isOwnMemory(Address.Base) || !Offset)
    return;
  const Result Stored{None, R.Exact ? R.Offset : exactly(R), true};
  const auto [Entry, New] = Numbers.try_emplace({Address.Base, *Offset}, Stored);
  if (!New && Entry->second.Offset != Stored.Offset)
    Entry->second = {None, Polynomial(U.computed(inexact(Entry->second, Stored).Offset)), true};
}

/// What the function has stored in structs of its own, it tells those that it calls with them.
void FunctionWalker::passNumbers(Call &By) const {
  constexpr size_t Most = 64; // In a struct; tables hold more.
  for (unsigned I = 0; I < By.Arguments.size(); ++I) {
    const Value &Passed = By.Arguments[I];
    const std::optional<int64_t> Offset = Passed.Offset.constant();
    if (!isOwnMemory(Passed.Base) || !Offset)
      continue;
    for (auto At = Numbers.lower_bound({Passed.Base, *Offset});
         At != Numbers.end() && At->first.first == Passed.Base && By.Numbers.size() < Most; ++At)
      By.Numbers.push_back({I, At->first.second - *Offset, At->second.Offset});
  }
}

FunctionWalker::Result FunctionWalker::number(const Value &Address) {
  const auto Found = Numbers.find({Address.Base, Address.Offset.constantTerm()});
  if (Address.Offset.constant() && Found != Numbers.end())
    return Found->second;
  Result All{None, Polynomial(U.loaded(Address)), true};
  for (auto At = Numbers.lower_bound({Address.Base, INT64_MIN});
       At != Numbers.end() && At->first.first == Address.Base; ++At)
    All = {None, Polynomial(U.computed(inexact(All, At->second).Offset)), true};
  return All;
}

void FunctionWalker::storePointer(uint32_t To, const Result &From) {
  if (To != None && From.Base != None && !Silent)
    Out.PointerStores.push_back({To, value(From)});
}

uint32_t FunctionWalker::memberBase(const Value &Struct, const FieldDecl *Field) {
  return U.memberBase(Struct.Base, Struct.Inner, Field);
}

/// The pointers and numbers in the initialiser of something that is no scalar: a list of them, a
/// string, or another struct.
/// @param Array the member whose elements the list is for, if it is one
void FunctionWalker::initialiseObject(const Value &Object, const Expr *Init,
                                      const FieldDecl *Array) {
  const auto *List = dyn_cast<InitListExpr>(Init->IgnoreParens());
  if (!List) {
    evaluate(Init);
    return copyObject(Object, Init->getType(), Init);
  }
  if (List->isSyntacticForm() && List->getSemanticForm())
    List = List->getSemanticForm();
  for (unsigned I = 0; I < List->getNumInits(); ++I) {
    const Expr *Part = List->getInit(I);
    const FieldDecl *Field = List->getType()->isRecordType() ? initialisedField(List, I) : Array;
    const Polynomial At(Object.Offset.constantTerm() + offsetOfPart(U.Context, List, I));
    if (Part->getType()->isPointerType()) {
      storePointer(Field ? memberBase(Object, Field) : U.pointeeBase(Object.Base), evaluate(Part));
    } else if (Part->getType()->isScalarType()) {
      const Result R = evaluate(Part);
      if (Part->getType()->isIntegerType()) {
        const Result Address = {Object.Base, At, true};
        storeNumber(Address, R);
        if (Field && List->getType()->isRecordType()) {
          noteInitial(Field, Part);
          // What is cleared first is set later.
          const bool IsCleared =
              isa<ImplicitValueInitExpr>(Part) || (R.Exact && R.Offset.constant());
          if (!IsCleared)
            noteMember({Address, nullptr, Field}, R, AccessMode::Write);
        }
      }
    } else {
      const bool IsMember = Field && List->getType()->isRecordType();
      const uint32_t Inner = IsMember ? U.innerStruct(Object.Inner, Field) : Object.Inner;
      initialiseObject({Object.Base, At, 0, Inner}, Part, Field);
    }
  }
}

/// `T own = table[i];`: what is in it is that of the table, if nothing is done to it.
void FunctionWalker::noteCopy(const VarDecl *Struct, const Expr *From) {
  From = From->IgnoreParenImpCasts();
  if (!Struct->getType()->isRecordType() || !From->isGLValue() || !Changes.isConstant(Struct))
    return;
  if (const Value Source = object(From); Source.Base != None)
    CopiedFrom[U.variableBase(Struct)] = {Source.Base, Source.Offset, true, 0, Source.Inner};
}

/// What lies somewhere in a copy, in the struct that this was copied from.
FunctionWalker::Result FunctionWalker::ofCopied(const Result &Struct, const Result &InCopy) {
  Result Place = sum(true, Struct, {None, InCopy.Offset, InCopy.Exact});
  Place.Inner = U.innerStruct(Struct.Inner, InCopy.Inner);
  return Place;
}

/// Where the object lies that an expression names, or that a function returns; without a base where
/// that is not known.
Value FunctionWalker::object(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *Binary = dyn_cast<BinaryOperator>(E); Binary && Binary->isAssignmentOp())
    return object(Binary->getRHS());
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return {Call->getDirectCallee() ? U.resultBase(Call->getDirectCallee()) : None, {}};
  if (!E->isGLValue())
    return {};
  const bool WasSilent = std::exchange(Silent, true);
  const Location L = locate(E);
  Silent = WasSilent;
  return value(L.Address);
}

/// The pointers in a struct that is copied.
void FunctionWalker::copyObject(const Value &To, QualType Type, const Expr *From) {
  if (!Type->isRecordType())
    return;
  copyPointers(To, object(From), Type);
  if (const auto *Call = dyn_cast<CallExpr>(rightSide(From)->IgnoreParenImpCasts()))
    storeFields(To.Base, Type, Call);
}

/// @param From without a base: the pointers in any struct of that type
void FunctionWalker::copyPointers(const Value &To, const Value &From, QualType Type) {
  const auto *Record = Type->getAsRecordDecl();
  if (!Record)
    return;
  for (const FieldDecl *Field : Record->fields()) {
    const QualType Element = U.Context.getBaseElementType(Field->getType());
    if (Element->isPointerType())
      storePointer(memberBase(To, Field),
                   {From.Base == None ? U.fieldBase(Field) : memberBase(From, Field), {}, true});
    else
      copyPointers({To.Base, {}, 0, U.innerStruct(To.Inner, Field)},
                   {From.Base, {}, 0, U.innerStruct(From.Inner, Field)}, Element);
  }
}

FunctionWalker::Result FunctionWalker::variable(const VarDecl *Variable) {
  if (const auto Entry = Known.find(Variable); Entry != Known.end())
    return Entry->second;
  if (isa<OMPCapturedExprDecl>(Variable) && Variable->getInit()) // A clause's argument.
    return evaluate(Variable->getInit());
  const QualType Type = Variable->getType();
  if (Type->isPointerType())
    return {baseOf(Variable), {}, true};
  if (!Type->isIntegerType())
    return FollowFloats ? floatVariable(Variable) : unknown();
  if (const auto *Parameter = dyn_cast<ParmVarDecl>(Variable))
    return {None, Polynomial(U.parameter(Parameter->getFunctionScopeIndex())), true};
  Expr::EvalResult Constant;
  if (Type.isConstQualified() && Type->isIntegerType() && Variable->getAnyInitializer() &&
      Variable->getAnyInitializer()->EvaluateAsInt(Constant, U.Context) &&
      Constant.Val.getInt().getSignificantBits() <= 64)
    return {None, Polynomial(Constant.Val.getInt().getExtValue()), true};
  const Polynomial Symbol(U.symbol(Variable));
  return {None, isOfThread(Variable) ? ofThreadToo(Symbol) : Symbol, true};
}

/// What a floating-point variable depends on matters only when it becomes an index: then the
/// expression that was assigned to it last is looked up.
FunctionWalker::Result FunctionWalker::floatVariable(const VarDecl *Variable) {
  if (const auto Followed = FloatValues.find(Variable); Followed != FloatValues.end())
    return Followed->second;
  constexpr unsigned Most = 32; // More tell no more.
  const auto Definition = LastAssigned.find(Variable);
  if (Definition == LastAssigned.end() || FloatValues.size() >= Most)
    return unknown();
  FloatValues[Variable] = unknown();
  const Expr *Value = Definition->second;
  LastAssigned.erase(Definition); // `s = s + x[i]` must not be followed in a circle.
  const bool WasSilent = std::exchange(Silent, true);
  Result R = inexact(evaluate(Value), {});
  Silent = WasSilent;
  LastAssigned[Variable] = Value;
  FloatValues[Variable] = R;
  return R;
}

/// Of the array whose first subscript it is.
View FunctionWalker::view(const ArraySubscriptExpr *E) {
  const Expr *Base = E->getBase()->IgnoreParenImpCasts();
  while (const auto *Outer = dyn_cast<ArraySubscriptExpr>(Base)) {
    E = Outer;
    Base = E->getBase()->IgnoreParenImpCasts();
  }
  QualType Whole = Base->getType();
  if (const auto *Reference = dyn_cast<DeclRefExpr>(Base))
    if (const auto *Parameter = dyn_cast<ParmVarDecl>(Reference->getDecl()))
      Whole = Parameter->getOriginalType();
  const auto *Declared = U.Context.getAsVariableArrayType(Whole);
  QualType Element = E->getType();
  if (!Declared && !U.Context.getAsVariableArrayType(Element))
    return {};
  View Sizes;
  Sizes.push_back(Declared && Declared->getSizeExpr() ? exactly(sizeOf(Whole)) : Polynomial());
  for (;;) {
    Sizes.push_back(exactly(sizeOf(Element)));
    const auto *Array = U.Context.getAsArrayType(Element);
    if (!Array)
      return Sizes;
    Element = Array->getElementType();
  }
}

/// What has been done already to what lies at that address, in the scope itself.
unsigned FunctionWalker::doneIn(uint32_t Scope, const Value &Address) const {
  constexpr size_t MostCompared = 64;
  const auto Found = AccessesAt.find({Address.Base, Scope});
  if (Found == AccessesAt.end())
    return 0;
  unsigned Done = 0;
  for (const size_t At : llvm::ArrayRef<size_t>(Found->second).take_back(MostCompared))
    if (Out.Accesses[At].Address.Offset == Address.Offset)
      Done |= static_cast<unsigned>(Out.Accesses[At].Mode);
  return Done;
}

/// Whether a compiler knows that what other pointers reach lies elsewhere.
bool FunctionWalker::isUnaliased(uint32_t Base) const {
  const mapp::Base &B = U.Out.Bases[Base];
  return B.Kind == BaseKind::Object ||
         (B.Kind == BaseKind::Parameter && B.Index < Declaration->getNumParams() &&
          Declaration->getParamDecl(B.Index)->getType().isRestrictQualified());
}

/// What the same iteration has read or written before stays in a register, also in loops inside of
/// it that do not move the address; but what such a loop writes goes to memory each time, where
/// something else that it reads may be the same.
/// @return what remains of the access, if anything does
std::optional<AccessMode> FunctionWalker::withoutRepeats(const Value &Address,
                                                         AccessMode Mode) const {
  constexpr auto Write = static_cast<unsigned>(AccessMode::Write),
                 All = static_cast<unsigned>(AccessMode::ReadWrite) |
                       static_cast<unsigned>(AccessMode::Clear);
  uint32_t In = withoutForks(Current);
  unsigned Done = doneIn(In, Address);
  const bool IsKept = Mode == AccessMode::Read || isUnaliased(Address.Base);
  const auto IsSame = [&](ScopeKind Kind) {
    return Kind == ScopeKind::Branch || (IsKept && Kind == ScopeKind::Loop);
  };
  while (In != None && IsSame(U.Out.Scopes[In].Kind)) {
    In = withoutForks(U.Out.Scopes[In].Parent);
    Done |= doneIn(In, Address);
  }
  const unsigned Left = static_cast<unsigned>(Mode) & ~(Done & Write ? All : Done);
  return Left == 0 ? std::nullopt : std::optional(static_cast<AccessMode>(Left));
}

/// A struct is copied as a whole; of smaller types elements are counted, whatever their size.
unsigned FunctionWalker::wordsOf(QualType Type) const {
  constexpr int64_t Word = 8;
  if (!Type->isRecordType() || Type->isIncompleteType())
    return 1;
  const int64_t Bytes = U.Context.getTypeSizeInChars(Type).getQuantity();
  return static_cast<unsigned>(std::clamp<int64_t>(Bytes / Word, 1, UINT32_MAX));
}

void FunctionWalker::record(const Location &L, AccessMode Mode, const Expr *At) {
  record(L, Mode, At, At->getType());
}

void FunctionWalker::record(const Location &L, AccessMode Mode, const Expr *At, QualType Moved) {
  const uint32_t Base = L.Address.Base;
  if (Silent || Base == None || U.Out.Bases[Base].Kind == BaseKind::Private ||
      Privatised.lookup(Base) > 0)
    return;
  const Value Address = value(L.Address);
  const std::optional<AccessMode> Left = withoutRepeats(Address, Mode);
  if (!Left)
    return;
  AccessesAt[{Base, withoutForks(Current)}].push_back(Out.Accesses.size());
  Out.Accesses.push_back({Address, *Left, Current, U.line(At->getBeginLoc()),
                          L.Subscript ? view(L.Subscript) : View(), wordsOf(Moved)});
}

llvm::SmallVector<FunctionWalker::Result, 4> FunctionWalker::starts(const Changed &All) {
  llvm::SmallVector<Result, 4> Starts;
  for (const auto &[Variable, Change] : All)
    Starts.push_back(isFollowed(Variable->getType()) ? variable(Variable) : unknown());
  return Starts;
}

/// What a loop or a switch has changed depends on how often it ran, that is on the loop around it,
/// and on what it was before.
void FunctionWalker::forget(const Changed &All, llvm::ArrayRef<Result> Starts) {
  uint32_t Loop = Current;
  while (Loop != None && U.Out.Scopes[Loop].Factor.Index == None)
    Loop = U.Out.Scopes[Loop].Parent;
  const Polynomial DependsOn = Loop == None ? Polynomial() : Polynomial(U.Out.Scopes[Loop].Factor);
  for (const auto &[Modified, Start] : llvm::zip(All, Starts)) {
    const auto &[Variable, Change] = Modified;
    const QualType Type = Variable->getType();
    if (!Type->isIntegerType() && !Type->isPointerType())
      continue;
    Known[Variable] =
        Change.Increment
            ? counted(Start, Type, DependsOn)
            : Result{Type->isPointerType() ? U.variableBase(Variable) : None,
                     Polynomial(U.computed(inexact({None, DependsOn, true}, Start).Offset)), true};
  }
}

/// A number that is drawn from a counter in memory, `a[s->next++]`, is another in each iteration of
/// the loop around it, or in each thread; threads draw theirs in no order.
FunctionWalker::Result FunctionWalker::drawn(const Result &From) {
  if (From.Base != None || isMadeFrom(From.Offset, {FactorKind::Loop, FactorKind::Thread}))
    return From;
  uint32_t By = Current;
  while (By != None && U.Out.Scopes[By].Factor.Index == None &&
         U.Out.Scopes[By].Kind != ScopeKind::Parallel)
    By = U.Out.Scopes[By].Parent;
  if (By == None)
    return From;
  const FactorId Another =
      U.Out.Scopes[By].Kind == ScopeKind::Parallel ? U.thread() : U.Out.Scopes[By].Factor;
  return {None, Polynomial(U.computed(inexact(From, {None, Polynomial(Another), true}).Offset)),
          true};
}

/// What becomes of a variable to which a loop only adds: it goes on from where it was.
FunctionWalker::Result FunctionWalker::counted(const Result &Start, QualType Type,
                                               const Polynomial &By) {
  const Result More{None, Polynomial(U.computed(By)), true};
  Result Now = Type->isPointerType() ? sum(true, Start, scaled(More, Type->getPointeeType()))
                                     : sum(true, Start, More);
  if (!Now.Exact)
    Now = {Now.Base, More.Offset, true, 0, Now.Inner};
  return Now;
}
