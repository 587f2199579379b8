//===-- FunctionMemory.cpp - what is stored where, and read -----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FunctionWalker.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclOpenMP.h"
#include "clang/AST/Expr.h"

using namespace clang;
using namespace mapp;

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

/// Whether the program's input says the number: `n = atoi(argv[1])`.
static bool isOfInput(const Unit &U, const Polynomial &Number) {
  return llvm::any_of(Number.terms(), [&](const Term &T) {
    return llvm::any_of(T.Factors, [&](FactorId Id) {
      const Factor &F = U.Out.Factors[Id.Index];
      return F.Kind == FactorKind::Symbol && F.Index == None;
    });
  });
}

/// Whether the function stores once in a variable with static storage, and not in a loop: behind
/// that its name means there what it means to other functions.
bool FunctionWalker::isOnlyStore(const VarDecl *Variable, const Expr *At) {
  if (!Variable->hasGlobalStorage())
    return false;
  for (uint32_t S = Current; S != None; S = U.Out.Scopes[S].Parent)
    if (U.Out.Scopes[S].Kind == ScopeKind::Loop || U.Out.Scopes[S].Kind == ScopeKind::Divided)
      return false;
  return OnlyStores.try_emplace(Variable, At).first->second == At;
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
    const bool IsUnknown = R.Base == None && (!R.Exact || isOfInput(U, R.Offset));
    Known[L.Scalar] = IsUnknown && isOnlyStore(L.Scalar, At)
                          ? Result{None, Polynomial(U.symbol(L.Scalar)), true}
                          : Result{holdsAddresses(Type) ? R.Base : None, exactly(R), true};
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
