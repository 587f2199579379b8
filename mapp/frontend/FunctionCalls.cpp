//===-- FunctionCalls.cpp - what calls return and change --------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FunctionWalker.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/StringSwitch.h"

#include <tuple>

using namespace clang;
using namespace mapp;

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

/// Clang calls them after the size, too: __sync_fetch_and_add_4.
static bool drawsNumber(const FunctionDecl *Callee) {
  constexpr llvm::StringRef Names[] = {"__sync_fetch_and_add", "__sync_fetch_and_sub",
                                       "__sync_add_and_fetch", "__sync_sub_and_fetch"};
  return Callee->getIdentifier() && llvm::any_of(Names, [&](llvm::StringRef Name) {
           return Callee->getName().starts_with(Name);
         });
}

/// It makes a number of text, such as one of the command line.
static bool readsNumber(const FunctionDecl *Callee) {
  constexpr llvm::StringRef Names[] = {"atoi", "atol", "atoll", "strtol", "strtoul", "strtoll"};
  return Callee->getIdentifier() && llvm::is_contained(Names, Callee->getName());
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
