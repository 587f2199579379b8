//===-- CallGraph.cpp - every access in every context -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CallGraph.h"

#include "TeamArms.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace mapp;

/// Accesses and calls looked at in all, to which comes a multiple of those that there are: enough
/// for every chain of calls in what people write, and no longer than it takes to parse at worst.
static constexpr size_t LeastWork = 100000, MostVisits = 10;
/// Calls inside one another: as many as the stack has room for, and as no program makes.
static constexpr size_t MaxDepth = 10000;
/// Calls that are written one by one: no more of them count, however they multiply.
static constexpr double MostTimes = 1000;
/// Paths to a function that are told apart: of more blocks each is hardly used in a way of its own.
static constexpr unsigned MaxPaths = 8;
/// Contexts of a function that have pointer variables for themselves.
static constexpr unsigned MaxKept = 32;

CallGraph::CallGraph(const std::vector<Facts> &Program, FactorTable &Table, Receiver Sink)
    : Units(Program), Factors(Table), Emit(std::move(Sink)), MaxWork(LeastWork) {
  for (const Facts &Unit : Units) {
    for (const Function &F : Unit.Functions) {
      NodesOf[F.Key].push_back(Nodes.size());
      Nodes.push_back({&Unit, &F});
      MaxWork += MostVisits * (1 + F.Accesses.size() + F.Calls.size());
    }
    OwnBases.emplace_back(Unit.Bases.size(), None);
    AddressTaken.insert(Unit.AddressTaken.begin(), Unit.AddressTaken.end());
    for (const ArrayDeclaration &Array : Unit.Arrays)
      if (Array.Allocated)
        Blocks.emplace(Array.Key, &Array);
    for (const Base &R : Unit.Bases)
      if (!R.Like.empty()) {
        Like.emplace(R.Key, R.Like);
        Likened.insert(R.Like);
      }
  }
  findCalled();
}

namespace {

/// Which of some nodes are on circles, or between two, found by taking away whatever nothing leads
/// to, and whatever leads nowhere.
class Circles {
public:
  explicit Circles(size_t Nodes) : To(Nodes), From(Nodes), IsIn(Nodes, true) {}

  void connect(size_t Caller, size_t Callee) {
    To[Caller].push_back(Callee);
    From[Callee].push_back(Caller);
  }

  std::vector<bool> find() {
    trim(To, From);
    trim(From, To);
    return std::move(IsIn);
  }

private:
  using Edges = std::vector<std::vector<size_t>>;

  /// Without those that have no way out.
  void trim(const Edges &Out, const Edges &In) {
    std::vector<size_t> Ways(Out.size()), Ends;
    for (size_t Node = 0; Node < Out.size(); ++Node) {
      Ways[Node] = Out[Node].size();
      if (Ways[Node] == 0)
        Ends.push_back(Node);
    }
    while (!Ends.empty()) {
      const size_t End = Ends.back();
      Ends.pop_back();
      IsIn[End] = false;
      for (const size_t Before : In[End])
        if (--Ways[Before] == 0)
          Ends.push_back(Before);
    }
  }

  Edges To, From;
  std::vector<bool> IsIn;
};

} // namespace

void CallGraph::findCalled() {
  Circles Calls(Nodes.size());
  for (size_t Caller = 0; Caller < Nodes.size(); ++Caller)
    for (const Call &C : Nodes[Caller].Body->Calls)
      for (Node *Target : targets(*Nodes[Caller].Unit, C)) {
        Target->Called = true;
        ++Target->Calls;
        Calls.connect(Caller, static_cast<size_t>(Target - Nodes.data()));
      }
  const std::vector<bool> Recursive = Calls.find();
  for (size_t I = 0; I < Nodes.size(); ++I)
    Nodes[I].Recursive = Recursive[I];
  const CallersOf From = callers();
  findAllocating(From);
  findTeams(From);
  findForks();
  findKeeping();
}

CallGraph::CallersOf CallGraph::callers() {
  CallersOf Result(Nodes.size());
  for (Node &Caller : Nodes)
    for (const Call &C : Caller.Body->Calls)
      for (const Node *Target : targets(*Caller.Unit, C))
        Result[static_cast<size_t>(Target - Nodes.data())].push_back(&Caller);
  return Result;
}

/// What is true of some functions is so of all that call them.
void CallGraph::spread(bool Node::*Flag, std::vector<Node *> Found, const CallersOf &From) {
  for (Node *N : Found)
    N->*Flag = true;
  while (!Found.empty()) {
    const Node *Callee = Found.back();
    Found.pop_back();
    for (Node *Caller : From[static_cast<size_t>(Callee - Nodes.data())])
      if (!std::exchange(Caller->*Flag, true))
        Found.push_back(Caller);
  }
}

/// The blocks that a function stores in other than its own variables, or returns.
static std::set<std::string> storedElsewhere(const Facts &Unit, const Function &Body) {
  const auto IsOwn = [&](uint32_t Base) { return Unit.Bases[Base].isOwnPointer(); };
  std::set<uint32_t> Leaving; /* bases */
  size_t Known = 0;
  do {
    Known = Leaving.size();
    for (const PointerStore &S : Body.PointerStores)
      if (!IsOwn(S.To) || Leaving.count(S.To) > 0)
        Leaving.insert(S.From.Base);
  } while (Leaving.size() > Known);
  std::set<std::string> Keys;
  for (const uint32_t Base : Leaving)
    if (Base != None)
      Keys.insert(Unit.Bases[Base].Key);
  return Keys;
}

/// Those whose blocks their callers get, and from there all that call them.
void CallGraph::findAllocating(const CallersOf &From) {
  std::vector<Node *> Found;
  for (Node &Caller : Nodes) {
    for (const Call &C : Caller.Body->Calls)
      if (!C.Block.empty())
        CallOf.emplace(C.Block, WrittenCall{Caller.Body, &C});
    const std::set<std::string> Stored = storedElsewhere(*Caller.Unit, *Caller.Body);
    if (llvm::any_of(Caller.Body->Blocks, [&](const std::string &Key) {
          const auto Block = Blocks.find(Key);
          return Block != Blocks.end() && !Block->second->Allocated->HandedOn &&
                 Stored.count(Key) > 0;
        }))
      Found.push_back(&Caller);
  }
  spread(&Node::Allocates, std::move(Found), From);
}

//===-- Pointers that functions keep ------------------------------------------------===//
/// `from = line` in a function that gets `line`: its callers' lines are no business of each other.
void CallGraph::findKeeping() {
  for (Node &N : Nodes)
    N.KeepsArguments =
        !N.Recursive && llvm::any_of(N.Body->PointerStores, [&](const PointerStore &S) {
          return N.Unit->Bases[S.To].isOwnPointer() && S.From.Base != None &&
                 N.Unit->Bases[S.From.Base].Kind == BaseKind::Parameter;
        });
}

size_t CallGraph::ownContext(Node &Callee, size_t Visited) {
  return Callee.KeepsArguments && Callee.Kept++ < MaxKept ? Visited : 0;
}

/// The variable as one context has it. Whoever asks for it without a context means all of these.
uint32_t CallGraph::ownPointer(uint32_t Pointer, size_t InContext) {
  const size_t Known = Bases.size();
  const uint32_t Own = programBase(BaseKind::Pointer,
                                   Bases[Pointer].Key + " in context " + std::to_string(InContext));
  if (Own == Known) {
    PointerStores[Pointer].push_back({Own, {}});
    Holders[Own].push_back(Pointer);
  }
  return Own;
}

//===-- Forks ---------------------------------------------------------------------===//
/// Those with accesses and calls in parallel regions, and from there all that call them.
void CallGraph::findTeams(const CallersOf &From) {
  std::vector<Node *> Found;
  for (Node &N : Nodes)
    if (const auto IsHere = [&](const auto &At) { return isInRegion(*N.Unit, At.Scope); };
        llvm::any_of(N.Body->Accesses, IsHere) || llvm::any_of(N.Body->Calls, IsHere))
      Found.push_back(&N);
  spread(&Node::RunsTeams, std::move(Found), From);
}

void CallGraph::findForks() {
  const auto RunsTeams = [](const Node *Callee) { return Callee->RunsTeams; };
  std::vector<TeamArms> Of;
  for (const Facts &Unit : Units)
    Of.emplace_back(Unit);
  for (const Node &N : Nodes) {
    TeamArms &Own = Of[N.Unit->Unit];
    for (const Access &A : N.Body->Accesses)
      if (isInRegion(*N.Unit, A.Scope))
        Own.add(A.Scope);
    for (const Call &C : N.Body->Calls)
      if (isInRegion(*N.Unit, C.Scope) || llvm::any_of(targets(*N.Unit, C), RunsTeams))
        Own.add(C.Scope);
  }
  for (const TeamArms &Each : Of)
    Forks.push_back(Each.forks());
}

/// A fork that a run comes to once takes it through one of its arms, and so does one whose
/// condition stays the same in the one call of its function.
void CallGraph::takeArms(const Frame &F, const Scope &Branch, Execution &Inside) const {
  const uint32_t Unit = F.Of.Unit->Unit;
  if (Branch.By.Fork != None && Forks[Unit].contains(Branch.By.Fork) &&
      (Inside.IsOnce || (Branch.IsSteady && F.By.IsOnce)))
    Inside.Taken.take({Unit, Branch.By.Fork}, Branch.By.Which);
  Inside.IsOnce |= Branch.IsLast && F.By.IsOnce;
}

/// What a call does that goes to one of several functions, as those of a table of methods.
static Execution byArm(const Execution &By, uint32_t Fork, size_t Position) {
  constexpr size_t Most = 63; // All others count as one.
  Execution Own = By;
  Own.Taken.take({None, Fork}, uint64_t(1) << std::min(Position, Most));
  return Own;
}

//===-- Whose block it is -------------------------------------------------------===//
/// The path into a function. A call tells nothing where it is the only one of the function, and
/// where it cannot be given a name.
uint32_t CallGraph::pathInto(Node &Callee, const Facts &Unit, const Function &In, const Call &C,
                             uint32_t Path) {
  if (!Callee.Allocates)
    return 0;
  if (Callee.Calls < 2 || Callee.Recursive || C.Callee.empty() || C.Begin == None)
    return Path;
  CallPath Longer = Paths[Path];
  Longer.insert(Longer.begin(), {&Unit, &In, &C});
  if (const auto Known = PathNumbers.find(Longer); Known != PathNumbers.end())
    return Known->second;
  if (Callee.Paths == MaxPaths)
    return Path;
  ++Callee.Paths;
  const auto New = static_cast<uint32_t>(Paths.size());
  PathNumbers.emplace(Longer, New);
  Paths.push_back(std::move(Longer));
  return New;
}

/// What a path led to of all the blocks that a call allocates.
uint32_t CallGraph::apart(uint32_t Block, uint32_t Path) {
  if (Path == 0)
    return Block;
  if (const auto Known = Aparts.find({Block, Path}); Known != Aparts.end())
    return Known->second;
  const uint32_t Own = newApart(Block, Path);
  Aparts.insert({{Block, Path}, Own});
  return Own;
}

uint32_t CallGraph::newApart(uint32_t Block, uint32_t Path) {
  const ArrayDeclaration *Allocating = Bases[Block].Block;
  if (!Allocating || Allocating->Allocated->HandedOn)
    return Block;
  const std::string Key = Bases[Block].Key;
  const std::string OwnKey = Key + " by path " + std::to_string(Path);
  const uint32_t Own = programBase(BaseKind::Object, OwnKey, Block);
  Bases[Own].Path = Path;
  if (const uint32_t Same = original(Block); Same != Block || Likened.contains(Key))
    Like.emplace(OwnKey, Bases[Same].Key);
  return Own;
}

uint32_t CallGraph::resultBy(uint32_t Result, uint32_t Path) {
  return Path == 0 ? Result
                   : programBase(BaseKind::Result,
                                 Bases[Result].Key + " by path " + std::to_string(Path));
}

/// What a call returns.
uint32_t CallGraph::resultOf(const Facts &Unit, const Base &Returned, const Arguments &Bound) {
  const uint32_t Result = resolveBase(Unit, Returned.Index, Bound).Base;
  const auto From = CallOf.find(Returned.Key);
  if (From == CallOf.end())
    return Result;
  const std::vector<Node *> Callees = targets(Unit, *From->second.At);
  return Callees.size() != 1 ? Result
                             : resultBy(Result, pathInto(*Callees[0], Unit, *From->second.In,
                                                         *From->second.At, Bound.Path));
}

llvm::SmallVector<const CallPath *, 1> CallGraph::pathsTo(uint32_t Object) const {
  llvm::SmallVector<const CallPath *, 1> Result;
  if (const uint32_t Path = Bases[Object].Path; Path != 0)
    Result.push_back(&Paths[Path]);
  return Result;
}

/// The block of which this is what one path leads to, or the base itself.
uint32_t CallGraph::whole(uint32_t Base) const {
  const bool IsApart = Bases[Base].Kind == BaseKind::Object && Bases[Base].Path != 0;
  return IsApart ? Bases[Base].Of : Base;
}

bool CallGraph::run() {
  Arguments Nothing;
  for (const Facts &Unit : Units)
    for (const PointerStore &F : Unit.PointerStores)
      addPointerStore(Unit, F, Nothing);
  if (const auto Main = NodesOf.find("main"); Main != NodesOf.end())
    for (const size_t Start : Main->second) { // Of several programs, when there are several.
      DefaultTeam = 0;
      Execution Once;
      Once.IsOnce = true;
      visit(Nodes[Start], {}, Once);
    }
  Execution Unknown;
  Unknown.Unknown = true;
  for (Node &N : Nodes)
    if (!N.Called && !N.Visited)
      visit(N, {}, Unknown);
  // Circles that nothing outside leads into, and those left out for number; callers first.
  for (Node &N : llvm::reverse(Nodes))
    if (!N.Visited)
      visit(N, {}, Unknown);
  followPending();
  return Complete;
}

//===-- Functions -------------------------------------------------------------===//
/// The functions that a call may go to; of those with one name that of the caller's file.
std::vector<CallGraph::Node *> CallGraph::targets(const Facts &Unit, const Call &C) {
  std::vector<Node *> Result;
  if (!C.Callee.empty()) {
    const auto Found = NodesOf.find(C.Callee);
    if (Found == NodesOf.end())
      return {};
    const auto Own =
        llvm::find_if(Found->second, [&](size_t Index) { return Nodes[Index].Unit == &Unit; });
    return {&Nodes[Own == Found->second.end() ? Found->second.front() : *Own]};
  }
  for (Node &N : Nodes)
    if (N.Body->Type == C.CalleeType && AddressTaken.contains(N.Body->Key))
      Result.push_back(&N);
  return Result;
}

/// Equal for visits that would find the same.
std::string CallGraph::signature(const Node &Callee, const Arguments &Bound, const Execution &By,
                                 const std::string &Returned) const {
  std::string Text = Returned;
  const auto Append = [&](uint64_t Number) {
    Text.append(reinterpret_cast<const char *>(&Number), sizeof Number);
  };
  const auto AppendFactor = [&](FactorId Id) { Append(uint64_t(Id.Unit) << 32 | Id.Index); };
  Append(static_cast<uint64_t>(&Callee - Nodes.data()));
  Append(Bound.Path);
  Append(By.Parallel);
  Append(By.Unknown);
  Append(By.IsOnce && Callee.isCalledOnce());
  By.Taken.forEachWord(Append);
  Append(static_cast<uint64_t>(By.Who));
  Append(llvm::bit_cast<uint64_t>(By.Share));
  Append(static_cast<uint64_t>(By.Parallel ? By.Team : DefaultTeam));
  Append(By.Loops.size());
  for (const EnclosingLoop &L : By.Loops) {
    AppendFactor(L.Loop->Factor);
    Append(L.Loop == By.Divided);
    Append(static_cast<uint64_t>(L.End.distanceFrom(L.First).value_or(-1)));
  }
  const auto AppendPolynomial = [&](const Polynomial &F) {
    Append(F.terms().size());
    for (const Term &T : F.terms()) {
      Append(static_cast<uint64_t>(T.Coefficient));
      Append(T.Factors.size());
      for (const FactorId Id : T.Factors)
        AppendFactor(Id);
    }
  };
  for (const Binding &B : Bound.Values) {
    Append(B.Base);
    Append(B.Inner);
    AppendPolynomial(B.Offset);
  }
  for (const auto &[Where, Number] : Bound.Numbers) {
    Append(Where.first);
    Append(static_cast<uint64_t>(Where.second));
    AppendPolynomial(Number);
  }
  return Text;
}

void CallGraph::visit(Node &Callee, Arguments Bound, const Execution &By, std::string Returned) {
  // Recursion: one round shows the accesses, and another what tasks make of them.
  if (Callee.Active && Callee.Active->Who == By.Who && Callee.Active->Parallel == By.Parallel)
    return;
  if (Depth == MaxDepth || (Work >= MaxWork && Callee.Visited)) {
    Complete = false;
    return;
  }
  const auto [Known, New] =
      ContextOf.emplace(signature(Callee, Bound, By, Returned), Contexts.size());
  if (New)
    Contexts.emplace_back();
  Contexts[Known->second].Callers.push_back(Current);
  if (!New)
    return;
  const size_t Caller = std::exchange(Current, Known->second);
  Work += 1 + Callee.Body->Accesses.size() + Callee.Body->Calls.size();
  Callee.Visited = true;
  ++Depth;
  const Execution *Outer = std::exchange(Callee.Active, &By);
  Frame F{Callee, std::move(Bound), By, {}, std::move(Returned)};
  F.By.IsOnce &= Callee.isCalledOnce();
  F.Bound.Own = ownContext(Callee, Current);
  const Function &Body = *Callee.Body;
  for (const PointerStore &Stored : Body.PointerStores)
    addPointerStore(*Callee.Unit, Stored, F.Bound);
  noteBlocks(F);
  size_t Done = 0; // In the order of execution: it tells who touches an array first.
  for (const Call &C : Body.Calls) {
    visitAccesses(F, std::exchange(Done, C.After), C.After);
    visitCall(F, C);
  }
  visitAccesses(F, Done, Body.Accesses.size());
  Callee.Active = Outer;
  Current = Caller;
  --Depth;
}

double CallGraph::timesOf(size_t Number) {
  Context &C = Contexts[Number];
  if (C.Callers.empty() || !Complete) // Of chains of calls that were left out nobody knows.
    return 1;
  if (C.Counting) // A recursion counts as its first round.
    return 0;
  if (C.Times == 0) {
    C.Counting = true;
    for (const size_t Caller : C.Callers)
      C.Times += timesOf(Caller);
    C.Times = std::min(C.Times, MostTimes);
    C.Counting = false;
  }
  return C.Times;
}

/// With the arguments of this call it is known not to hold.
bool CallGraph::fails(Frame &F, const Condition &C) {
  const std::optional<int64_t> Number = Factors.inCaller(C.Number, F.Bound).constant();
  if (!Number)
    return false;
  switch (C.Is) {
  case Sign::Zero:
    return *Number != 0;
  case Sign::NotZero:
    return *Number == 0;
  case Sign::Negative:
    return *Number >= 0;
  case Sign::NotNegative:
    return *Number < 0;
  }
  return false;
}

/// A recursion is followed for one round, and goes on with other arguments.
bool CallGraph::isNever(Frame &F, const Scope &Branch) {
  const auto Fails = [&](const Condition &C) { return fails(F, C); };
  return !F.Of.Recursive && (llvm::any_of(Branch.If, Fails) ||
                             (!Branch.AnyOf.empty() && llvm::all_of(Branch.AnyOf, Fails)));
}

static void addAllocation(Allocations &To, const std::vector<Polynomial> &Here,
                          const Execution &By) {
  if (!llvm::is_contained(To.Values, Here))
    To.Values.push_back(Here);
  To.ByThreads &= By.Parallel && By.Who != Execution::Threads::One;
  To.InLoop |= !By.Loops.empty();
}

void CallGraph::noteBlocks(Frame &F) {
  for (const std::string &Key : F.Of.Body->Blocks) {
    const auto Found = Blocks.find(Key);
    if (Found == Blocks.end())
      continue;
    std::vector<Polynomial> Here;
    for (const NamedValue &V : Found->second->Allocated->Values)
      Here.push_back(Factors.inCaller(V.Is, F.Bound));
    const std::shared_ptr<const Execution> By = execution(F, Found->second->Allocated->Scope);
    addAllocation(Allocated[Key], Here, *By);
    if (F.Bound.Path != 0)
      addAllocation(AllocatedApart[{Key, F.Bound.Path}], Here, *By);
  }
}

const Allocations *CallGraph::allocations(const std::string &Block) const {
  const auto Found = Allocated.find(Block);
  return Found == Allocated.end() ? nullptr : &Found->second;
}

void CallGraph::forEachAllocationByPath(ByPath Do) const {
  for (const auto &[Of, Known] : AllocatedApart)
    Do(Of.first, Paths[Of.second], Known);
}

void CallGraph::visitAccesses(Frame &F, size_t Begin, size_t End) {
  for (const Access &A : llvm::ArrayRef<Access>(F.Of.Body->Accesses).slice(Begin, End - Begin)) {
    std::shared_ptr<const Execution> By = execution(F, A.Scope);
    if (By->Never)
      continue;
    View Through;
    for (const Polynomial &Bytes : A.Through)
      Through.push_back(Factors.inCaller(Bytes, F.Bound));
    emit(resolve(F, A.Address), A.Mode, A.Words, std::move(Through), std::move(By), *F.Of.Body,
         A.Line);
  }
}

void CallGraph::visitCall(Frame &F, const Call &C) {
  const auto RunsTeams = [](const Node *Callee) { return Callee->RunsTeams; };
  const std::shared_ptr<const Execution> By = execution(F, C.Scope);
  if (By->Never)
    return;
  std::vector<Binding> Arguments;
  for (const Value &V : C.Arguments)
    Arguments.push_back(resolve(F, V));
  if (C.Callee == "omp_set_num_threads" && Arguments.size() == 1)
    DefaultTeam = Arguments[0].Offset.constant().value_or(0);
  const std::vector<Node *> Callees = targets(*F.Of.Unit, C);
  visitExternal(F, C, Arguments, Callees.empty() ? 0 : C.Named);
  const PassedNumbers Numbers = passedNumbers(F, C);
  const bool IsFork = By->IsOnce && llvm::count_if(Callees, RunsTeams) > 1;
  const uint32_t Fork = IsFork ? CallForks++ : None;
  for (const auto &[Position, Callee] : llvm::enumerate(Callees))
    visit(*Callee,
          {Arguments, Numbers, {}, pathInto(*Callee, *F.Of.Unit, *F.Of.Body, C, F.Bound.Path)},
          IsFork ? byArm(*By, Fork, Position) : *By, returnedAs(F, C.Block));
}

/// What the caller has stored in structs of its own, or has got in one and passes on.
PassedNumbers CallGraph::passedNumbers(Frame &F, const Call &C) {
  PassedNumbers Result;
  for (const PassedNumber &N : C.Numbers)
    if (Polynomial Is = Factors.inCaller(N.Is, F.Bound); Factors.dependsOnThread(Is))
      Result.insert({{N.Argument, N.Offset}, std::move(Is)});
  for (uint32_t I = 0; I < C.Arguments.size() && !F.Bound.Numbers.empty(); ++I) {
    const Value &Passed = C.Arguments[I];
    const std::optional<int64_t> Offset = Passed.Offset.constant();
    const mapp::Base *From = Passed.Base == None ? nullptr : &F.Of.Unit->Bases[Passed.Base];
    if (!Offset || !From || From->Kind != BaseKind::Parameter)
      continue;
    for (const auto &[Where, Is] : F.Bound.Numbers)
      if (Where.first == From->Index)
        Result.insert({{I, Where.second - *Offset}, Is});
  }
  return Result;
}

/// A block that a function allocates and returns is the one that its caller gets, and hands on.
std::string CallGraph::returnedAs(const Frame &F, const std::string &Block) {
  const auto Found = Blocks.find(Block);
  if (Found == Blocks.end())
    return "";
  return Found->second->Allocated->HandedOn && !F.Returned.empty()
             ? F.Returned
             : Bases[apart(programBase(BaseKind::Object, Block), F.Bound.Path)].Key;
}

/// What the function does to its own block before it returns it is done to the caller's.
uint32_t CallGraph::asReturned(const Frame &F, uint32_t Base) {
  if (F.Returned.empty() || Base == None || !llvm::is_contained(F.Of.Body->Blocks, Bases[Base].Key))
    return Base;
  const ArrayDeclaration *Own = Bases[Base].Block;
  const bool IsHandedOn = Own && Own->Allocated->HandedOn;
  return IsHandedOn ? programBase(BaseKind::Object, F.Returned) : Base;
}

/// A function that is not among the files may use all that it gets a pointer to, and any function
/// what it gets for its `...`.
/// @param From the first argument of which this is true
void CallGraph::visitExternal(Frame &F, const Call &C, const std::vector<Binding> &Arguments,
                              size_t From) {
  for (size_t I = From; I < Arguments.size(); ++I) {
    if (Arguments[I].Base == None)
      continue;
    const Polynomial Span(Factors.add({FactorKind::Span, None, {}, None}));
    const std::optional<Polynomial> Whole = Arguments[I].Offset.plus(Span);
    emit({Arguments[I].Base, Whole ? *Whole : Span, Arguments[I].Start}, C.Through[I], 1, {},
         execution(F, C.Scope), *F.Of.Body, C.Line);
  }
}

std::shared_ptr<const Execution> CallGraph::execution(Frame &F, uint32_t Scope) {
  const auto Known = F.Scopes.find(Scope);
  if (Known != F.Scopes.end())
    return Known->second;
  std::shared_ptr<const Execution> Result;
  if (Scope == None) {
    Result = std::make_shared<Execution>(F.By);
  } else {
    const mapp::Scope &S = F.Of.Unit->Scopes[Scope];
    Polynomial First = Factors.inCaller(S.First, F.Bound);
    Polynomial End = Factors.inCaller(S.End, F.Bound);
    const bool ByThread =
        S.Counted && Factors.dependsOnThread(First) &&
        (std::abs(S.Step) != 1 || Factors.dependsOnThread(End)); // Else threads' ranges overlap.
    Execution Inside =
        enter(*execution(F, S.Parent), S, std::move(First), std::move(End), ByThread);
    if (S.Kind == ScopeKind::Parallel && !execution(F, S.Parent)->Parallel)
      Inside.Team =
          S.Team ? Factors.inCaller(*S.Team, F.Bound).constant().value_or(0) : DefaultTeam;
    Inside.Never |= isNever(F, S);
    if (S.Kind == ScopeKind::Branch)
      takeArms(F, S, Inside);
    Result = std::make_shared<Execution>(std::move(Inside));
  }
  F.Scopes.emplace(Scope, Result);
  return Result;
}
