//===-- FunctionWalker.cpp - statements and scopes --------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The statements of the walk; its expressions are in FunctionExpressions.cpp.
//
//===----------------------------------------------------------------------===//

#include "FunctionWalker.h"

#include "FilledParameters.h"

#include "clang/AST/Decl.h"
#include "clang/AST/StmtOpenMP.h"

using namespace clang;
using namespace mapp;

void FunctionWalker::walk() {
  for (const unsigned Parameter : filledParameters(Declaration))
    Out.Filled.push_back(Parameter);
  visit(Declaration->getBody());
  nameMembers();
}

void FunctionWalker::visit(const Stmt *S) {
  if (!S)
    return;
  if (const auto *E = dyn_cast<Expr>(S)) {
    evaluate(E);
  } else if (const auto *Declarations = dyn_cast<DeclStmt>(S)) {
    visitDeclarations(Declarations);
  } else if (const auto *Block = dyn_cast<CompoundStmt>(S)) {
    visitStatements(Block);
  } else if (const auto *If = dyn_cast<IfStmt>(S)) {
    visitIf(If);
  } else if (const Stmt *Body = doneOnce(S, U.Context)) {
    visit(Body);
  } else if (isa<ForStmt, WhileStmt, DoStmt>(S)) {
    visitLoop(S);
  } else if (const auto *Switch = dyn_cast<SwitchStmt>(S)) {
    visitSwitch(Switch);
  } else if (const auto *Return = dyn_cast<ReturnStmt>(S)) {
    visitReturn(Return->getRetValue());
  } else if (const auto *Directive = dyn_cast<OMPExecutableDirective>(S)) {
    visitDirective(Directive);
  } else if (const auto *Captured = dyn_cast<CapturedStmt>(S)) {
    visit(Captured->getCapturedStmt());
  } else {
    if (isa<LabelStmt>(S)) // Reached from anywhere: what was known holds no more.
      Known.clear();
    visitChildren(S);
  }
}

void FunctionWalker::visitChildren(const Stmt *S) {
  for (const Stmt *Child : S->children())
    visitIn(S, Child);
}

void FunctionWalker::visitIn(const Stmt *Parent, const Stmt *S) {
  InBlock = isa<CompoundStmt>(Parent);
  visit(S);
}

bool FunctionWalker::inParallel() const {
  for (uint32_t S = Current; S != None; S = U.Out.Scopes[S].Parent)
    if (U.Out.Scopes[S].Kind == ScopeKind::Parallel)
      return true;
  return false;
}

/// What is declared here each thread of a team has for itself, whether the team is known or not.
bool FunctionWalker::inPrivate() const {
  for (uint32_t S = Current; S != None; S = U.Out.Scopes[S].Parent)
    if (U.Out.Scopes[S].Kind == ScopeKind::Parallel || U.Out.Scopes[S].Kind == ScopeKind::Divided)
      return true;
  return false;
}

void FunctionWalker::visitDeclarations(const DeclStmt *S) {
  const bool Block = InBlock && !S->getEndLoc().isMacroID(); // The end is the `;`.
  for (const Decl *D : S->decls()) {
    const auto *Variable = dyn_cast<VarDecl>(D);
    if (!Variable)
      continue;
    if (Variable->hasGlobalStorage()) {
      if (!Silent)
        Statics.push_back({Variable, Block, S});
    } else {
      if (Variable->getType()->isArrayType() && !Silent && !inPrivate())
        Statics.push_back({Variable, Block, S});
      if (Variable->getInit())
        initialise(Variable, Variable->getInit());
    }
  }
}

void FunctionWalker::initialise(const VarDecl *Variable, const Expr *Init) {
  if (!Variable->getType()->isScalarType()) {
    initialiseObject({U.variableBase(Variable), {}}, Init);
    return noteCopy(Variable, Init);
  }
  const Result R = evaluate(Init);
  nameBlock(R, Variable);
  store({{U.variableBase(Variable), {}, true}, Variable, nullptr}, R, Variable->getType(), Init,
        AccessMode::Write);
}

//===-- Branches ------------------------------------------------------------===//

static Sign opposite(Sign Is) {
  switch (Is) {
  case Sign::Zero:
    return Sign::NotZero;
  case Sign::NotZero:
    return Sign::Zero;
  case Sign::Negative:
    return Sign::NotNegative;
  case Sign::NotNegative:
    return Sign::Negative;
  }
  return Is;
}

/// Of two integers, as a condition on their difference.
std::optional<Condition> FunctionWalker::comparison(const BinaryOperator *E) {
  const Result Left = evaluate(E->getLHS()), Right = evaluate(E->getRHS());
  const BinaryOperatorKind Relation = E->getOpcode();
  const bool Ends = Relation == BO_LE || Relation == BO_GT;
  std::optional<Polynomial> Number = Left.Offset.minus(Right.Offset);
  if (Number && Ends)
    Number = Number->minus(Polynomial(1));
  if (!Left.Exact || !Right.Exact || Left.Base != None || Right.Base != None || !Number)
    return std::nullopt;
  switch (Relation) {
  case BO_EQ:
    return Condition{*Number, Sign::Zero};
  case BO_NE:
    return Condition{*Number, Sign::NotZero};
  case BO_LT:
  case BO_LE:
    return Condition{*Number, Sign::Negative};
  default:
    return Condition{*Number, Sign::NotNegative};
  }
}

bool FunctionWalker::isOfArguments(const Polynomial &Number) const {
  return llvm::any_of(Number.terms(), [&](const Term &T) {
    return llvm::any_of(T.Factors, [&](FactorId Id) {
      return U.Out.Factors[Id.Index].Kind == FactorKind::Parameter;
    });
  });
}

/// What is true of the function's arguments where an expression is, or is not.
std::vector<Condition> FunctionWalker::conditions(const Expr *E, bool Holds) {
  E = E->IgnoreParenImpCasts();
  if (const auto *Not = dyn_cast<UnaryOperator>(E); Not && Not->getOpcode() == UO_LNot)
    return conditions(Not->getSubExpr(), !Holds);
  const auto *Binary = dyn_cast<BinaryOperator>(E);
  if (Binary && Binary->getOpcode() == (Holds ? BO_LAnd : BO_LOr)) {
    std::vector<Condition> All = conditions(Binary->getLHS(), Holds);
    llvm::append_range(All, conditions(Binary->getRHS(), Holds));
    return All;
  }
  const bool WasSilent = std::exchange(Silent, true);
  std::optional<Condition> Found;
  if (Binary && Binary->isComparisonOp() && Binary->getLHS()->getType()->isIntegerType() &&
      Binary->getRHS()->getType()->isIntegerType())
    Found = comparison(Binary);
  else if (const VarDecl *Variable = namedVariable(E); Variable && E->getType()->isIntegerType())
    Found = Condition{exactly(variable(Variable)), Sign::NotZero};
  Silent = WasSilent;
  if (!Found || !isOfArguments(Found->Number))
    return {};
  return {{Found->Number, Holds ? Found->Is : opposite(Found->Is)}};
}

/// What runs in a branch, if anything is known of that.
void FunctionWalker::visitWhere(Scope Branch, llvm::function_ref<void()> Body) {
  if (Branch.If.empty() && Branch.AnyOf.empty() && Branch.By.Fork == None && !Branch.IsLast &&
      Branch.Share == 1)
    return Body();
  inScope(std::move(Branch), [&](FactorId) { Body(); });
}

/// All iterations of the loops around it find the same.
bool FunctionWalker::isSteadyHere(const Expr *E) {
  if (OuterLoop && !ChangedInLoops)
    ChangedInLoops = variablesChangedIn(OuterLoop);
  return isSteady(E, *ChangedInLoops);
}

/// Of the threads of a team each may take another arm.
FunctionWalker::Fork FunctionWalker::forkAt(llvm::ArrayRef<const Expr *> Conditions) {
  Fork New;
  if (inParallel())
    return New;
  New.IsSteady =
      OuterLoop && llvm::all_of(Conditions, [this](const Expr *E) { return isSteadyHere(E); });
  if (!OuterLoop || New.IsSteady)
    New.Number = U.Out.Forks++;
  return New;
}

/// Another arm of a fork. Only those in which teams may run matter.
/// @param FallenInto the arms that run on into it
Scope FunctionWalker::arm(Fork &Of, const Stmt *At, llvm::ArrayRef<const Stmt *> Statements,
                          uint64_t FallenInto) {
  constexpr unsigned Last = 63; // All others count as one.
  const unsigned Position = std::min(Of.Arms++, Last);
  Scope Branch = newScope(ScopeKind::Branch, At);
  if (llvm::none_of(Statements, mayRunTeam))
    return Branch;
  Branch.By = {Of.Number, uint64_t(1) << Position | FallenInto};
  Branch.IsSteady = Of.IsSteady;
  Branch.IsLast = OuterLoop && llvm::any_of(Statements, endsFunction);
  const auto Leaves = isa<IfStmt>(At) ? leavesBlock : endsFunction; // What breaks ends a switch.
  if (llvm::any_of(Statements, Leaves) && Position < Last)
    Of.Ended |= Branch.By.Which;
  return Branch;
}

void FunctionWalker::closeFork(const Fork &Of, const Stmt *S) {
  if (Of.Number != None && Of.Ended != 0)
    Forks.insert({S, Of});
}

/// What stands behind a statement, where not all of its arms come there.
Scope FunctionWalker::behind(const Stmt *S) {
  Scope Rest = newScope(ScopeKind::Branch, S);
  if (const auto Passed = Forks.find(S); Passed != Forks.end()) {
    Rest.By = {Passed->second.Number, ~Passed->second.Ended};
    Rest.IsSteady = Passed->second.IsSteady;
  }
  return Rest;
}

/// It depends on something of that kind.
bool FunctionWalker::isMadeFrom(const Polynomial &Number, llvm::ArrayRef<FactorKind> Kinds) const {
  return llvm::any_of(Number.terms(), [&](const Term &T) {
    return llvm::any_of(T.Factors, [&](FactorId Id) {
      const Factor &F = U.Out.Factors[Id.Index];
      return llvm::is_contained(Kinds, F.Kind) || isMadeFrom(F.Of, Kinds);
    });
  });
}

/// It depends on what elements of arrays hold, which loops or arguments tell apart.
bool FunctionWalker::isMadeFromElements(const Polynomial &Number) const {
  constexpr FactorKind Telling[] = {FactorKind::Loop, FactorKind::Parameter, FactorKind::Loaded,
                                    FactorKind::Row, FactorKind::Computed};
  return llvm::any_of(Number.terms(), [&](const Term &T) {
    return llvm::any_of(T.Factors, [&](FactorId Id) {
      const Factor &F = U.Out.Factors[Id.Index];
      const bool IsRead = F.Kind == FactorKind::Loaded || F.Kind == FactorKind::Row;
      return (IsRead && isMadeFrom(F.Of, Telling)) || isMadeFromElements(F.Of);
    });
  });
}

/// Data decide whether a condition holds. Where nothing is recorded it does not matter.
bool FunctionWalker::isOfData(const Expr *E) {
  if (Silent)
    return false;
  E = E->IgnoreParens();
  if (const auto *Not = dyn_cast<UnaryOperator>(E); Not && Not->getOpcode() == UO_LNot)
    return isOfData(Not->getSubExpr());
  const auto *Binary = dyn_cast<BinaryOperator>(E);
  if (Binary && (Binary->isComparisonOp() || Binary->isLogicalOp()))
    return isOfData(Binary->getLHS()) || isOfData(Binary->getRHS());
  Silent = true;
  const Result R = followingFloats(E);
  Silent = false;
  return isMadeFromElements(R.Offset);
}

/// A part of an expression that does not run each time.
void FunctionWalker::visitPart(double Share, const Expr *Part, llvm::function_ref<void()> Body) {
  if (Share == 1) // As of most of a long sum.
    return Body();
  Scope Branch = newScope(ScopeKind::Branch, Part);
  Branch.Share = Share;
  visitWhere(std::move(Branch), Body);
}

/// `j >= low`, `j < high` and their like, of a variable that no other function sees.
void FunctionWalker::addBound(const Expr *Tested, BinaryOperatorKind Relation, const Expr *Bound,
                              std::vector<TestedRange> &To) {
  const VarDecl *Variable = namedVariable(Tested);
  if (!Variable || !Variable->hasLocalStorage())
    return;
  const bool IsFirst = Relation == BO_GE || Relation == BO_GT;
  const bool IsNext = Relation == BO_GT || Relation == BO_LE;
  auto Range = llvm::find_if(To, [&](const TestedRange &R) { return R.Variable == Variable; });
  if (Range == To.end())
    Range = To.insert(To.end(), {Variable, std::nullopt, std::nullopt});
  (IsFirst ? Range->First : Range->End) = exactly(evaluate(Bound)).plus(Polynomial(IsNext ? 1 : 0));
}

void FunctionWalker::addBounds(const Expr *E, bool Holds, std::vector<TestedRange> &To) {
  E = E->IgnoreParenImpCasts();
  if (const auto *Not = dyn_cast<UnaryOperator>(E); Not && Not->getOpcode() == UO_LNot)
    return addBounds(Not->getSubExpr(), !Holds, To);
  const auto *Binary = dyn_cast<BinaryOperator>(E);
  if (Binary && Binary->getOpcode() == (Holds ? BO_LAnd : BO_LOr)) {
    addBounds(Binary->getLHS(), Holds, To);
    addBounds(Binary->getRHS(), Holds, To);
  } else if (Binary && Binary->isRelationalOp() && Binary->getLHS()->getType()->isIntegerType() &&
             Binary->getRHS()->getType()->isIntegerType()) {
    const BinaryOperatorKind Relation =
        Holds ? Binary->getOpcode() : BinaryOperator::negateComparisonOp(Binary->getOpcode());
    addBound(Binary->getLHS(), Relation, Binary->getRHS(), To);
    addBound(Binary->getRHS(), BinaryOperator::reverseComparisonOp(Relation), Binary->getLHS(), To);
  }
}

/// Each thread does what falls to its share: `if (j >= my_first && j < my_end)`.
std::optional<FunctionWalker::TestedRange> FunctionWalker::testedRange(const Expr *E, bool Holds) {
  std::vector<TestedRange> All;
  const bool WasSilent = std::exchange(Silent, true);
  addBounds(E, Holds, All);
  Silent = WasSilent;
  const auto Share = llvm::find_if(All, [&](const TestedRange &R) {
    return R.First && R.End && // An argument may be made from the thread's number.
           isMadeFrom(*R.First, {FactorKind::Thread, FactorKind::Parameter}) &&
           !exactly(variable(R.Variable)).constant();
  });
  return Share == All.end() ? std::nullopt : std::optional(*Share);
}

/// The variable counts as the index of a loop over the range, of which one value is passed.
void FunctionWalker::visitInRange(const std::optional<TestedRange> &Range, const Stmt *At,
                                  llvm::function_ref<void()> Body) {
  if (!Range)
    return Body();
  Scope Passed = newScope(ScopeKind::Loop, At);
  Passed.Variable = Range->Variable->getName().str();
  Passed.Counted = Passed.Once = true;
  Passed.First = *Range->First;
  Passed.End = *Range->End;
  Passed.Step = 1;
  const Result Value = variable(Range->Variable);
  Passed.Factor = U.testedFactor(static_cast<uint32_t>(U.Out.Scopes.size()), exactly(Value));
  const Result InRange{None, Polynomial(Passed.Factor), true};
  inScope(std::move(Passed), [&](FactorId) {
    Known[Range->Variable] = InRange;
    Body();
  });
  if (const Result Now = variable(Range->Variable); Now.Exact && Now.Offset == InRange.Offset)
    Known[Range->Variable] = Value;
}

static const Stmt *lastOf(const Stmt *S) {
  const auto *Block = dyn_cast<CompoundStmt>(S);
  return Block && !Block->body_empty() ? Block->body_back() : S;
}

/// `if (...) return;` or `continue;`: what follows runs where that is not so.
static const IfStmt *asGuard(const Stmt *S) {
  const auto *If = dyn_cast<IfStmt>(S);
  if (!If || If->getElse())
    return nullptr;
  return isa<ReturnStmt, ContinueStmt>(lastOf(If->getThen())) ? If : nullptr;
}

/// It leaves one iteration only: what goes back from within a loop does so once, as for an error.
static bool leavesIteration(const IfStmt *Guard) {
  return isa<ContinueStmt>(lastOf(Guard->getThen()));
}

void FunctionWalker::visitStatements(const CompoundStmt *S) {
  const std::function<void(llvm::ArrayRef<Stmt *>)> Visit = [&](llvm::ArrayRef<Stmt *> Left) {
    for (size_t I = 0; I < Left.size(); ++I) {
      const IfStmt *Guard = asGuard(Left[I]);
      const std::vector<Condition> Beyond =
          Guard ? conditions(Guard->getCond(), false) : std::vector<Condition>();
      const std::optional<TestedRange> Range =
          Guard ? testedRange(Guard->getCond(), false) : std::nullopt;
      const double Share =
          Guard && leavesIteration(Guard) && isOfData(Guard->getCond()) ? Guarded : 1;
      visitIn(S, Left[I]);
      if (Beyond.empty() && !Range && !Forks.contains(Left[I]) && Share == 1)
        continue;
      Scope Rest = behind(Left[I]);
      Rest.If = Beyond;
      Rest.Share = Share;
      return visitWhere(std::move(Rest), [&] {
        visitInRange(Range, Left[I], [&] { Visit(Left.drop_front(I + 1)); });
      });
    }
  };
  Visit({S->body_begin(), S->body_end()});
}

/// The conditions of an `if` and of all that follow its `else`.
static llvm::SmallVector<const Expr *, 4> conditionsOf(const IfStmt *S) {
  llvm::SmallVector<const Expr *, 4> All;
  for (; S; S = dyn_cast_or_null<IfStmt>(S->getElse()))
    All.push_back(S->getCond());
  return All;
}

void FunctionWalker::visitIf(const IfStmt *S) {
  Fork Own = forkAt(conditionsOf(S));
  visitBranches(S, Own);
  closeFork(Own, S);
}

/// Both branches start from the same state; what they change has afterwards the value that both
/// agree on, or the one that says more.
void FunctionWalker::visitBranches(const IfStmt *S, Fork &Of) {
  const std::vector<Condition> Then = conditions(S->getCond(), true);
  const std::optional<TestedRange> Range = testedRange(S->getCond(), true);
  const std::vector<Condition> Else =
      S->getElse() ? conditions(S->getCond(), false) : std::vector<Condition>();
  const double OfArm = S->getElse() ? OneOfTwo : Guarded;
  const double Share = isOfData(S->getCond()) ? OfArm : 1;
  evaluate(S->getCond());
  llvm::MapVector<const VarDecl *, Result> Before, AfterThen;
  for (const Stmt *Branch : {S->getThen(), S->getElse()})
    for (const auto &[Variable, Change] : Changes.of(Branch))
      if (isFollowed(Variable->getType()))
        Before.insert({Variable, variable(Variable)});

  Scope OfThen = arm(Of, S, S->getThen());
  OfThen.If = Then;
  OfThen.Share = Share;
  visitWhere(std::move(OfThen), [&] { visitInRange(Range, S, [&] { visit(S->getThen()); }); });
  for (const auto &[Variable, Value] : Before) {
    AfterThen.insert({Variable, variable(Variable)});
    Known[Variable] = Value;
  }
  visitElse(S, Else, Share, Of);
  for (const auto &[Variable, First] : AfterThen) {
    const Result Second = variable(Variable);
    if (!Variable->getType()->isPointerType() || First.Base == Second.Base)
      Known[Variable] = join(First, Second);
    else if (isNull(First) || isNull(Second))
      Known[Variable] = isNull(First) ? Second : First;
    else
      Known[Variable] = {U.variableBase(Variable), {}, true};
  }
}

void FunctionWalker::visitElse(const IfStmt *S, std::vector<Condition> Holds, double Share,
                               Fork &Of) {
  if (!S->getElse())
    return;
  const auto *Next = dyn_cast<IfStmt>(S->getElse());
  Scope Branch = Next ? newScope(ScopeKind::Branch, S) : arm(Of, S, S->getElse());
  Branch.If = std::move(Holds);
  Branch.Share = Share;
  visitWhere(std::move(Branch), [&] {
    if (Next)
      visitBranches(Next, Of);
    else
      visit(S->getElse());
  });
}

namespace {

/// What a switch runs from one label to the next, and for which values it gets there, also from the
/// labels before.
struct Section {
  std::vector<int64_t> Values;
  bool IsDefault = false; ///< and for all values that have no label
  bool FallenInto = false;
  llvm::SmallVector<std::pair<const Stmt *, const Stmt *>, 4> Statements; ///< each with its parent
};

/// The sections of a switch, where all labels are in its own block, and are numbers.
class SectionFinder {
public:
  SectionFinder(const SwitchStmt *Switch, const ASTContext &Parsed) : S(Switch), Context(Parsed) {}

  std::optional<std::vector<Section>> find() {
    const auto *Body = dyn_cast<CompoundStmt>(S->getBody());
    if (!Body)
      return std::nullopt;
    for (const Stmt *Child : Body->body())
      add(Body, Child);
    size_t All = 0;
    for (const SwitchCase *C = S->getSwitchCaseList(); C; C = C->getNextSwitchCase())
      ++All;
    return Plain && Labels == All ? std::optional(std::move(Found)) : std::nullopt;
  }

private:
  void add(const Stmt *Parent, const Stmt *Child) {
    while (const auto *Label = dyn_cast<SwitchCase>(Child)) {
      addLabel(Label);
      Parent = Label;
      Child = Label->getSubStmt();
    }
    if (Found.empty()) // It declares something, and is never run.
      Found.emplace_back();
    Found.back().Statements.push_back({Parent, Child});
    Leaves = leaves(Child);
  }

  void addLabel(const SwitchCase *Label) {
    ++Labels;
    if (Found.empty() || !Found.back().Statements.empty())
      begin();
    if (isa<DefaultStmt>(Label)) {
      Found.back().IsDefault = true;
      return;
    }
    const auto *Case = cast<CaseStmt>(Label);
    Expr::EvalResult Value;
    Plain &= !Case->getRHS() && Case->getLHS()->EvaluateAsInt(Value, Context) &&
             Value.Val.getInt().getSignificantBits() <= 64;
    if (Plain)
      Found.back().Values.push_back(Value.Val.getInt().getExtValue());
  }

  void begin() {
    Section New;
    if (!Found.empty() && !Leaves) {
      New.Values = Found.back().Values;
      New.IsDefault = Found.back().IsDefault;
      New.FallenInto = true;
    }
    Found.push_back(std::move(New));
  }

  static bool leaves(const Stmt *Last) {
    const auto *Block = dyn_cast<CompoundStmt>(Last);
    if (Block && !Block->body_empty())
      return leaves(Block->body_back());
    return isa<BreakStmt, ReturnStmt, ContinueStmt, GotoStmt>(Last);
  }

  const SwitchStmt *S;
  const ASTContext &Context;
  std::vector<Section> Found;
  size_t Labels = 0;
  bool Leaves = true; ///< what was added last goes on elsewhere
  bool Plain = true;
};

/// What a number has to be to get to a section.
Scope branchTo(const Section &To, const Polynomial &Number, llvm::ArrayRef<Section> All,
               Scope Branch) {
  const auto Differs = [&](int64_t Value) { return Number.minus(Polynomial(Value)); };
  if (!To.IsDefault) {
    for (const int64_t Value : To.Values)
      if (const std::optional<Polynomial> Difference = Differs(Value))
        Branch.AnyOf.push_back({*Difference, Sign::Zero});
    return Branch;
  }
  for (const Section &Other : All)
    for (const int64_t Value : Other.Values)
      if (const std::optional<Polynomial> Difference = Differs(Value);
          Difference && !llvm::is_contained(To.Values, Value))
        Branch.If.push_back({*Difference, Sign::NotZero});
  return Branch;
}

} // namespace

/// What is switched on, where that is computed from the function's arguments.
std::optional<Polynomial> FunctionWalker::argumentOf(const SwitchStmt *S) {
  const bool WasSilent = std::exchange(Silent, true);
  const Result Number = evaluate(S->getCond());
  Silent = WasSilent;
  return Number.Exact && Number.Base == None && isOfArguments(Number.Offset)
             ? std::optional(Number.Offset)
             : std::nullopt;
}

/// Each section starts from the state before the switch, unless the one before runs on into it.
void FunctionWalker::visitCases(const SwitchStmt *S) {
  const std::optional<std::vector<Section>> Sections = SectionFinder(S, U.Context).find();
  if (!Sections)
    return visit(S->getBody());
  const std::optional<Polynomial> Number = argumentOf(S);
  llvm::MapVector<const VarDecl *, Result> Before;
  for (const auto &[Variable, Change] : Changes.of(S))
    if (isFollowed(Variable->getType()))
      Before.insert({Variable, variable(Variable)});
  Fork Own = forkAt(S->getCond());
  uint64_t Earlier = 0; // Arms that run on into the next section.
  for (const Section &Part : *Sections) {
    if (!Part.FallenInto)
      for (const auto &[Variable, Value] : Before)
        Known[Variable] = Value;
    llvm::SmallVector<const Stmt *, 4> Statements;
    for (const auto &[Parent, Child] : Part.Statements)
      Statements.push_back(Child);
    Scope Branch = arm(Own, S, Statements, Part.FallenInto ? Earlier : 0);
    Earlier = Branch.By.Which;
    if (Number)
      Branch = branchTo(Part, *Number, *Sections, std::move(Branch));
    visitWhere(std::move(Branch), [&] {
      for (const auto &[Parent, Child] : Part.Statements)
        visitIn(Parent, Child);
    });
  }
  closeFork(Own, S);
}

void FunctionWalker::visitSwitch(const SwitchStmt *S) {
  evaluate(S->getCond());
  const auto Starts = starts(Changes.of(S));
  visitCases(S);
  forget(Changes.of(S), Starts);
  for (const auto &[Variable, Change] : Changes.of(S)) // Whichever of these it now points to.
    if (Change.Afresh)
      Known[Variable] = {U.variableBase(Variable), {}, true};
}

void FunctionWalker::visitReturn(const Expr *Returned) {
  if (!Returned)
    return;
  const Result R = evaluate(Returned);
  Out.ReturnsThread = Out.AsksForThread && R.Exact && R.Offset == Polynomial(U.thread());
  if (Returned->getType()->isPointerType())
    storePointer(U.resultBase(Declaration), R);
  else
    copyObject({U.resultBase(Declaration), {}}, Returned->getType(), Returned);
}

//===-- Loops ---------------------------------------------------------------===//

Scope FunctionWalker::newScope(ScopeKind Kind, const Stmt *S) {
  Scope New;
  New.Kind = Kind;
  New.Parent = Current;
  New.Where = U.positionOf(S->getBeginLoc());
  New.Function = Declaration->getName().str();
  return New;
}

/// The scope itself, or that around it where it only says which arm of a fork it is.
uint32_t FunctionWalker::withoutForks(uint32_t Of) const {
  const auto IsArm = [](const Scope &S) {
    return S.Kind == ScopeKind::Branch && S.If.empty() && S.AnyOf.empty() && S.Share == 1;
  };
  while (Of != None && IsArm(U.Out.Scopes[Of]))
    Of = U.Out.Scopes[Of].Parent;
  return Of;
}

void FunctionWalker::inScope(Scope New, llvm::function_ref<void(FactorId)> Body) {
  const auto Index = static_cast<uint32_t>(U.Out.Scopes.size());
  const bool Loop = New.Kind == ScopeKind::Loop || New.Kind == ScopeKind::Divided;
  if (Loop && New.Factor.Index == None)
    New.Factor = U.loopFactor(Index);
  const FactorId Iteration = New.Factor;
  U.Out.Scopes.push_back(std::move(New));
  const uint32_t Outer = std::exchange(Current, Index);
  Body(Iteration);
  Current = Outer;
}

void FunctionWalker::visitLoop(const Stmt *S) {
  const bool IsOutermost = !OuterLoop;
  if (IsOutermost) {
    OuterLoop = S;
    ChangedInLoops.reset();
  }
  const LoopParts Parts = partsOf(S);
  visit(Parts.Init);
  const std::optional<LoopHeader> Header = recognise(Parts);
  const unsigned Own = Header && Header->Assigns ? 2 : 1;
  const bool IsCounting = Header && Header->Variable->getType()->isScalarType() &&
                          Changes.of(S).lookup(Header->Variable).Times == Own;
  if (IsCounting)
    visitCountingLoop(S, Parts, *Header);
  else
    visitUncountedLoop(S, Parts);
  if (IsOutermost)
    OuterLoop = nullptr;
}

void FunctionWalker::setRange(Scope &Loop, const LoopHeader &Header, const Result &Start,
                              const Result &Bound) {
  Polynomial Low = exactly(Start), High = exactly(Bound);
  if (!Header.Upwards)
    std::swap(Low, High);
  const bool LowIsValue = Header.Upwards || Header.Inclusive;
  const bool HighIsValue = !Header.Upwards || Header.Inclusive;
  const std::optional<Polynomial> First = Low.plus(Polynomial(LowIsValue ? 0 : 1));
  const std::optional<Polynomial> End = High.plus(Polynomial(HighIsValue ? 1 : 0));
  if (!First || !End)
    return;
  Loop.Counted = true;
  Loop.First = *First;
  Loop.End = *End;
}

/// schedule(static, (n + threads - 1) / threads) is schedule(static).
bool FunctionWalker::isShareOfThread(const Scope &Loop, const Polynomial &Chunk) const {
  const std::optional<Polynomial> Length = Loop.Counted ? Loop.End.minus(Loop.First) : std::nullopt;
  if (!Length || Chunk.terms().size() != 1 || Chunk.terms()[0].Coefficient != 1 ||
      Chunk.terms()[0].Factors.size() != 1)
    return false;
  const Factor &Quotient = U.Out.Factors[Chunk.terms()[0].Factors.begin()->Index];
  const auto IsThreads = [&](const Term &T) {
    return T.Factors.size() == 1 && ThreadCounts.contains(T.Factors.begin()->Index);
  };
  const Polynomial Divided = Quotient.Of.filtered([&](const Term &T) { return !IsThreads(T); });
  const std::optional<int64_t> Rest = Divided.distanceFrom(*Length);
  return Quotient.Kind == FactorKind::Quotient && llvm::any_of(Quotient.Of.terms(), IsThreads) &&
         Rest && std::abs(*Rest) <= 1;
}

/// All but what comes before the loop.
void FunctionWalker::visitParts(const LoopParts &Of) {
  if (!Of.BodyFirst)
    visit(Of.Condition);
  visit(Of.Body);
  visit(Of.Increment);
  if (Of.BodyFirst)
    visit(Of.Condition);
}

/// How many iterations come before the one that the loop's factor stands for.
static std::optional<Polynomial> iterationsBefore(const Scope &Loop) {
  const Polynomial Index(Loop.Factor);
  if (!Loop.Counted || std::abs(Loop.Step) != 1)
    return std::nullopt;
  if (Loop.Step > 0)
    return Index.minus(Loop.First);
  const std::optional<Polynomial> Left = Loop.End.minus(Index);
  return Left ? Left->minus(Polynomial(1)) : std::nullopt;
}

/// What each iteration adds to other variables than the loop's, `*to++ = *from++`, tells what they
/// are in any of them.
void FunctionWalker::countAlong(const Stmt *S, const LoopParts &Parts, const Scope &Loop,
                                llvm::ArrayRef<Result> Starts) {
  const std::optional<Polynomial> Iterations = iterationsBefore(Loop);
  if (!Iterations)
    return;
  const Result Before{None, *Iterations, true};
  for (const auto &[Modified, Start] : llvm::zip(Changes.of(S), Starts)) {
    const auto &[Variable, Change] = Modified;
    const std::optional<Increment> Added = Change.Times == 1 && isFollowed(Variable->getType())
                                               ? addedByEach(Parts, Variable)
                                               : std::nullopt;
    if (!Added || (Added->Step && !isa<IntegerLiteral>(Added->Step->IgnoreParenImpCasts())))
      continue;
    const QualType Type = Variable->getType();
    const Result Step = Added->Step ? evaluate(Added->Step) : Result{None, Polynomial(1), true};
    const Result Steps = combine(BO_Mul, U.Context.LongTy, Before, U.Context.LongTy, Step);
    Known[Variable] = sum(Added->Upwards, Start,
                          Type->isPointerType() ? scaled(Steps, Type->getPointeeType()) : Steps);
  }
}

void FunctionWalker::visitCountingLoop(const Stmt *S, const LoopParts &Parts,
                                       const LoopHeader &Header) {
  const VarDecl *Variable = Header.Variable;
  const bool WasSilent = std::exchange(Silent, true);
  const Result Start = Header.Least ? evaluate(Header.Least) : variable(Variable);
  const Result Bound = evaluate(Header.Bound);
  const Result Step = Header.Step ? evaluate(Header.Step) : Result{None, Polynomial(1), true};
  std::optional<Polynomial> Chunk;
  if (Pending && Pending->ChunkSize)
    Chunk = exactly(evaluate(Pending->ChunkSize));
  Silent = WasSilent;

  Scope Loop = newScope(Pending ? ScopeKind::Divided : ScopeKind::Loop, S);
  if (Pending) {
    Loop.Order = Pending->Order;
    Loop.OrderText = Pending->Text;
    Loop.Chunk = Pending->Chunk;
    Pending.reset();
  }
  Loop.Variable = Variable->getName().str();
  if (const std::optional<int64_t> Size = exactly(Step).constant())
    Loop.Step = Header.Upwards ? *Size : -*Size;
  const bool Pointer = Variable->getType()->isPointerType();
  if (Variable->hasGlobalStorage() && !Pointer)
    U.Out.Numbers.push_back({U.key(Variable), 0, std::nullopt});
  if (!Pointer)
    setRange(Loop, Header, Start, Bound);
  else if (const std::optional<Polynomial> Length =
               elementsBetween(Start, Bound, Variable->getType()->getPointeeType());
           Length && Header.Upwards)
    setRange(Loop, Header, {None, {}, true}, {None, *Length, true});
  if (Chunk && isShareOfThread(Loop, *Chunk)) {
    Loop.Order = Schedule::Static;
    Loop.OrderText.clear();
  }

  const auto Starts = starts(Changes.of(S));
  inScope(std::move(Loop), [&](FactorId Iteration) {
    forget(Changes.of(S), Starts);
    countAlong(S, Parts, U.Out.Scopes.back(), Starts);
    const Result Index{None, Polynomial(Iteration), true};
    Known[Variable] =
        Pointer ? sum(true, Start, scaled(Index, Variable->getType()->getPointeeType())) : Index;
    if (Parts.Increment) // Else the variable has another value behind where it is counted.
      OpenLoops.push_back({Iteration, &Header});
    visitParts(Parts);
    if (Parts.Increment)
      OpenLoops.pop_back();
  });
  forget(Changes.of(S), Starts);
}

/// The number of elements from one pointer to another, if they point into the same array.
std::optional<Polynomial> FunctionWalker::elementsBetween(const Result &Begin, const Result &End,
                                                          QualType Element) {
  const std::optional<int64_t> Bytes = exactly(sizeOf(Element)).constant();
  const std::optional<Polynomial> Distance = End.Offset.minus(Begin.Offset);
  if (Begin.Base != End.Base || !Begin.Exact || !End.Exact || !Bytes || !Distance)
    return std::nullopt;
  return Distance->dividedBy(*Bytes);
}

void FunctionWalker::visitUncountedLoop(const Stmt *S, const LoopParts &Parts) {
  Scope Loop = newScope(Pending ? ScopeKind::Divided : ScopeKind::Loop, S);
  Pending.reset();
  const auto Starts = starts(Changes.of(S));
  inScope(std::move(Loop), [&](FactorId) {
    forget(Changes.of(S), Starts);
    visitParts(Parts);
  });
  forget(Changes.of(S), Starts);
}

//===-- OpenMP ----------------------------------------------------------------===//

void FunctionWalker::visitDirective(const OMPExecutableDirective *D) {
  llvm::SmallVector<uint32_t, 4> Copies;
  for (const VarDecl *Variable : privatisedVariables(*D))
    Copies.push_back(U.variableBase(Variable));
  for (const uint32_t Base : Copies)
    ++Privatised[Base];
  if (isOpenMPParallelDirective(D->getDirectiveKind())) {
    Scope Region = newScope(ScopeKind::Parallel, D);
    if (const Expr *Team = teamSize(*D))
      Region.Team = exactly(evaluate(Team));
    inScope(std::move(Region), [&](FactorId) { visitAssociated(D); });
  } else {
    visitAssociated(D);
  }
  for (const uint32_t Base : Copies)
    --Privatised[Base];
}

void FunctionWalker::visitAssociated(const OMPExecutableDirective *D) {
  const Stmt *Associated = associatedStatement(D);
  if (const std::optional<ScopeKind> Kind = executionOf(*D)) {
    inScope(newScope(*Kind, D), [&](FactorId) { visit(Associated); });
    return;
  }
  if (dividesLoop(*D)) {
    Pending = scheduleOf(*D, U.Context);
  }
  visit(Associated);
  Pending.reset();
}
