//===-- Choose.cpp - phase 3: policies for each array -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Choose.h"

#include "Candidates.h"
#include "Courses.h"
#include "UseText.h"
#include "UsesOfArray.h"

#include "advice/Advise.h"
#include "mai_types.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace mapp;

namespace {

SourcePosition evidence(const Use &U) {
  return U.Loop ? U.Loop->Where : SourcePosition{U.In->File, U.Line};
}

/// The choice for one array, one rule a function.
class Chooser {
public:
  Chooser(const ArrayDeclaration &Declared, const std::vector<Use> &All, const Machine &Wanted)
      : Array(Declared), Uses(All), On(Wanted), S(All), Parts(Declared, All) {
    Result.Candidates = collectCandidates(Declared, All, Parts, On);
  }

  Choice choose() && {
    for (Candidate &C : Result.Candidates)
      justify(C);
    if (!isRuled())
      excludeByPrice();
    touchByPages();
    return std::move(Result);
  }

private:
  /// Leaves the array alone where first touch is right, or nothing would be better.
  bool isRuled() {
    if (isRegular() || wantsOwnRows(Array, Uses))
      return false;
    const std::optional<Pattern> Spread = spread();
    if (const Use *Owner = S.heaviest(Pattern::PerThread);
        Owner && (!Spread || isWrittenByOwners(Uses)))
      Result.leaveOnly(Policy::LeaveAlone, {Topic::OwnParts, words(Pattern::PerThread) + ToItsUser},
                       evidence(*Owner));
    else if (!Spread)
      Result.leaveOnly(Policy::LeaveAlone, {Topic::OneThread, words(Pattern::OneThread)});
    return Result.isRuled();
  }

  bool isRegular() const {
    return S.heaviest(Pattern::Block) != nullptr || S.heaviest(Pattern::Mirrored) != nullptr;
  }

  double dividedBytes() const { return S.bytes(Pattern::Block) + S.bytes(Pattern::Mirrored); }

  /// The pattern with most traffic among those of which none has a contiguous share for a thread.
  std::optional<Pattern> spread() const {
    return S.dominant({Pattern::Scattered, Pattern::Across, Pattern::Everyone, Pattern::Indirect,
                       Pattern::SomeThread});
  }

  static bool isByTasks(const Use &U) { return U.How == Pattern::SomeThread; }

  /// Tasks have their data in pieces. Of an array that is divided most have theirs on one node, and
  /// may go there; of one that is distributed page by page none. Loops of tasks are not meant:
  /// these begin in order, so that all threads would come to one memory.
  bool isOfTasksAlone() const {
    return llvm::any_of(Uses, isByTasks) && llvm::all_of(Uses, [](const Use &U) {
             return isByTasks(U) || U.How == Pattern::OneThread;
           });
  }

  /// Rows that are divided in order are what somebody wants.
  bool wantsRows() const { return isRegular() || isOfTasksAlone() || Listed; }

  //===-- What excludes policies ------------------------------------------------===//

  static constexpr double Little = 0.01; ///< of the traffic, which may be an estimate's fault

  /// The cheapest of those that need no more than a loop's own shares, or pages in turn.
  const Candidate &plain() const {
    return *llvm::find_if(Result.Candidates, [&](const Candidate &C) {
      return isOfTasksAlone() ? C.isRows()
                              : C.What == Policy::Cyclic || (isRegular() && C.isRows());
    });
  }

  /// Less than a quarter is not worth relying on estimates; what costs more is not taken anyway.
  static bool isWorthIt(const Candidate &Special, const Candidate &Plain) {
    return advice::saves(Special, Plain, 0) || !advice::isBefore(Special, Plain);
  }

  /// Rows that go to the threads one by one are where first touch would have had them.
  bool isOfOwnRows(const Candidate &C) const {
    return C.What == Policy::BlockCyclic && C.Value == 1 && wantsOwnRows(Array, Uses);
  }

  std::string exclusion(const Candidate &C, const Candidate &Plain) const {
    switch (C.What) {
    case Policy::Replicate:
      return ByHandOnly;
    case Policy::LeaveAlone:
      return isTouchedByOwners()
                 ? ""
                 : "estimates cannot tell whether first touch is right; a profile can";
    case Policy::Local:
      return isTouchedInShares() ? "" : "no loop's shares begin where the run decides";
    case Policy::Cyclic:
      return isOfTasksAlone() ? "no task would have its data on one node" : "";
    default:
      if (C.isRows())
        return wantsRows() ? "" : "no loop divides " + units() + " in order";
      return isOfOwnRows(C) || isWorthIt(C, Plain)
                 ? ""
                 : "saves less than a quarter of what " + policyText(Plain) +
                       " costs, too little for an estimate";
    }
  }

  /// Each thread writes a part of its own first, by its number, and nobody else all of it.
  bool isTouchedByOwners() const {
    const Use *First = firstWrite(Uses);
    return First && First->How == Pattern::PerThread && !wantsOwnRows(Array, Uses) &&
           llvm::none_of(Uses, [](const Use &U) {
             return U.How == Pattern::OneThread && U.Mode != AccessMode::Read;
           });
  }

  const Candidate &leftAlone() const {
    return *llvm::find_if(Result.Candidates,
                          [](const Candidate &C) { return C.What == Policy::LeaveAlone; });
  }
  Candidate &leftAlone() { return const_cast<Candidate &>(std::as_const(*this).leftAlone()); }

  /// So much more than with first touch may go to other nodes. A hundredth of the traffic may be an
  /// estimate's fault. Where one thread writes all first, all is in one memory, and the threads
  /// wait for it, unless their caches hold what they share: then that thread may make a
  /// fifth of all accesses.
  double allowance(const Candidate &Of, const std::vector<Use> &In) const {
    constexpr double AgainstQueues = 0.16;
    const Use *First = firstWrite(In);
    const bool IsByThreads = First && First->How != Pattern::OneThread;
    const bool IsCached = advice::isInTurn(Of) && Array.Bytes < MAI_LEAST_SHARED;
    return (IsByThreads || IsCached ? Little : AgainstQueues) * trafficOf(In);
  }

  static double trafficOf(const std::vector<Use> &All) {
    double Sum = 0;
    for (const Use &U : All)
      Sum += U.Bytes;
    return Sum;
  }

  double traffic() const { return trafficOf(Uses); }

  /// One thread fills it, and most accesses are made by whichever thread the run chooses for them.
  bool isUsedByChance() const {
    const auto IsChance = [](const Use &U) {
      return U.How == Pattern::SomeThread || isOfRun(U.Loop);
    };
    double Chance = 0;
    for (const Use &U : Uses)
      Chance += IsChance(U) ? U.Bytes : 0;
    const Use *First = firstWrite(Uses);
    return First && First->How == Pattern::OneThread && Chance > traffic() / 2;
  }

  /// Policies that make hardly anything local that is not so by first touch spare the threads
  /// queues at a memory, and nothing else.
  void findThoseAgainstQueues() {
    constexpr double Noticeable = 0.1;
    const double Alone = leftAlone().Estimated->Remote;
    const bool ByChance = isUsedByChance();
    for (Candidate &C : Result.Candidates)
      C.UnlessCached =
          advice::isInTurn(C) ||
          (ByChance && C.isRows() && C.Estimated->Remote > Alone - Noticeable * traffic());
  }

  /// Columns of a block become pages in turn where its rows turn out to be short: these are no
  /// better than what threads that write it first leave.
  void findThoseForLongRows() {
    const Use *First = firstWrite(Uses);
    const auto InTurn = llvm::find_if(Result.Candidates,
                                      [](const Candidate &C) { return C.What == Policy::Cyclic; });
    const bool IsTouchedAsWell =
        First && First->How != Pattern::OneThread &&
        leftAlone().Estimated->Remote <= InTurn->Estimated->Remote + Little * traffic();
    for (Candidate &C : Result.Candidates)
      C.ForLongRows =
          Array.Allocated && C.What == Policy::Block && C.Dimension > 0 && IsTouchedAsWell;
  }

  /// Two halves in step, a[i] and a[n / 2 + i]: to divide one of them is wrong for the other.
  bool leavesOut(const Candidate &C) const {
    const auto IsOutside = [&](const Use &U) {
      return U.HasRange && (U.First + U.Count <= static_cast<int64_t>(C.Before) ||
                            U.First >= static_cast<int64_t>(C.Before + C.Count));
    };
    const auto IsOfIt = [&](const Use &U) { return Parts.of(U) == rangeOf(C); };
    return llvm::any_of(Uses, [&](const Use &Other) {
      return Other.isDivided() && IsOutside(Other) && IsOfIt(Other);
    });
  }

  /// Of a machine that is given it is known what distance costs: there the price decides.
  bool isMachineKnown() const { return !On.Cpus.empty(); }

  /// Threads write it first, each in places that the text tells: first touch may be right.
  static bool isTouchedByThreads(const std::vector<Use> &In) {
    const Use *First = firstWrite(In);
    return First && First->How != Pattern::OneThread && First->How != Pattern::SomeThread &&
           First->How != Pattern::Indirect;
  }

  /// It is so in runs of one course.
  void excludeWorseIn(const UsesOfRun &Runs) {
    const EstimatedTraffic Sources(Array, Runs.Uses, On);
    const auto PriceOf = [&](Alternative A) {
      Sources.price(A);
      return *A.Estimated;
    };
    const Metrics Alone = PriceOf(leftAlone());
    const double LittleCost = Little * trafficOf(Runs.Uses);
    for (Candidate &C : Result.Candidates) {
      if (!C.Excluded.empty())
        continue;
      const Metrics Own = PriceOf(C);
      const bool IsFarther = Own.Remote > Alone.Remote + allowance(C, Runs.Uses);
      if ((IsFarther && !isMachineKnown()) || Own.Cost > Alone.Cost + LittleCost)
        C.Excluded = "worse than first touch in some runs: " + words(Runs.Main);
    }
  }

  /// Which of several things a run does an option says, so that none outweighs another: in runs
  /// that do one of them nothing is to be worse than first touch, where that may be right for it.
  void excludeWorseInSomeRuns() {
    for (const UsesOfRun &Runs : usesByCourse(Uses))
      if (isTouchedByThreads(Runs.Uses))
        excludeWorseIn(Runs);
  }

  /// Nothing becomes worse than it is without a policy.
  void excludeWorse() {
    if (isMachineKnown())
      return;
    const Candidate &Alone = leftAlone();
    for (Candidate &C : Result.Candidates)
      if (C.Excluded.empty() && C.Estimated->Remote > Alone.Estimated->Remote + allowance(C, Uses))
        C.Excluded = "more accesses to other nodes than with first touch";
      else if (C.Excluded.empty() && C.isRows() && C.UnlessCached && Array.Bytes < MAI_LEAST_SHARED)
        C.Excluded = "each core's cache holds it, and which thread uses what is left to chance";
      else if (C.Excluded.empty() && C.Count > 0 && leavesOut(C))
        C.Excluded = "the same loop runs over other " + units() + ", too";
  }

  /// It is a part of something larger.
  bool isRowOfTable() const { return Array.Allocated && !Array.Allocated->Rows.empty(); }

  /// Nobody waits for the memory of what caches hold: shares are taken there that make a quarter of
  /// the traffic more local than pages in turn do.
  void excludeInTurnWhereCached() {
    constexpr double Quarter = 0.25;
    if (Array.Bytes == 0 || Array.Bytes >= MAI_LEAST_SHARED || isRowOfTable() || isMachineKnown())
      return;
    const auto Shares = llvm::find_if(
        Result.Candidates, [](const Candidate &C) { return C.isRows() && C.Excluded.empty(); });
    if (Shares == Result.Candidates.end())
      return;
    for (Candidate &C : Result.Candidates)
      if (C.Excluded.empty() && advice::isInTurn(C) &&
          C.Estimated->Remote > Shares->Estimated->Remote + Quarter * traffic())
        C.Excluded = "each core's cache holds it, and shares make more of it local";
  }

  /// Nothing tells how far the loop goes in the block, or it goes further at some times than at
  /// others.
  static bool mayEndInside(const Use &U) {
    return U.Moves && !U.Moves->Rows && (!U.Moves->Count || U.Moves->IsVarying);
  }

  /// The loop's shares begin somewhere in the array. The rows of a block of the heap follow
  /// arguments: there only what lies behind all that the loop goes over is such a part.
  bool beginsInside(const Use &U) const {
    return U.isDivided() && (Array.Allocated ? U.IsBehind : U.IsShifted);
  }

  /// Threads write it first, in shares of a part of it, such as the grids of a multigrid method
  /// that lie one behind the other: who touches them first knows where.
  bool isTouchedInShares() const {
    const Use *First = firstLastingWrite(Uses);
    const Use *Main = heaviest([](const Use &U) { return U.isDivided(); });
    const auto IsOtherwise = [](const Use &U) {
      const bool IsFilled =
          U.How == Pattern::OneThread && U.Mode != AccessMode::Read && !isForgettable(U);
      return IsFilled || (U.isDivided() && (U.IsDelimited || U.HasRange));
    };
    const bool AreWhole = Array.Allocated && Array.Allocated->IsOneOfMany && Main && Main->Moves &&
                          Main->Moves->Rows; // Each is one thread's.
    return First && First->isDivided() && !AreWhole && llvm::none_of(Uses, IsOtherwise) &&
           ((Array.Allocated && mayEndInside(*Main)) ||
            llvm::any_of(Uses, [this](const Use &U) { return beginsInside(U); }));
  }

  /// That which leaves pages to the threads that write their shares of it.
  Candidate &byTouch() {
    const auto Cleared = llvm::find_if(Result.Candidates,
                                       [](const Candidate &C) { return C.What == Policy::Local; });
    return Cleared == Result.Candidates.end() ? leftAlone() : *Cleared;
  }

  /// Of equal traffic, by estimates that take such shares to be those of the whole array.
  void preferFirstTouch() {
    Candidate &Chosen = Result.policy(), &ByTouch = byTouch();
    const bool IsByFields = Chosen.Slices > 0;
    if (!(IsByFields || Chosen.isRows() || advice::isInTurn(Chosen)) || !isTouchedInShares() ||
        (!IsByFields && ByTouch.Estimated->Remote > Chosen.Estimated->Remote + Little * traffic()))
      return;
    for (Candidate &C : Result.Candidates)
      if (C.Excluded.empty())
        C.Excluded = "threads write it first, in shares that begin where the run decides";
    ByTouch.Excluded.clear();
  }

  /// Threads write its columns first, in one order: of these pages in turn make none local that
  /// would not be so by first touch.
  void preferTouchOfColumns() {
    if (!isTouchedInColumns())
      return;
    const double Alone = leftAlone().Estimated->Remote;
    for (Candidate &C : Result.Candidates)
      if (C.Excluded.empty() && advice::isInTurn(C) &&
          Alone <= C.Estimated->Remote + Little * traffic()) {
        C.Excluded = "threads write it first, each its columns";
        leftAlone().Excluded.clear();
      }
  }

  /// Of short rows one thread may be the first everywhere.
  bool isTouchedInColumns() const {
    const Use *First = firstWrite(Uses);
    constexpr int64_t LongRow = 16384; // MAI_LEAST_ROW
    return First && First->How == Pattern::Across && First->InOrder &&
           First->Loop->Order == Schedule::Static && Array.Allocated &&
           (!First->Moves || First->Moves->Unit.constant().value_or(LongRow) >= LongRow);
  }

  //===-- First touch, by pages ---------------------------------------------------===//

  /// Threads write first what is theirs, and more than what pages would hardly differ for.
  bool isTouchedInParts() const {
    const Use *First = firstWrite(Uses);
    const bool IsOwn = First && First->How == Pattern::PerThread && !Array.Allocated;
    return First && (First->isDivided() || IsOwn || isTouchedInColumns()) && !isRowOfTable() &&
           (Array.Bytes == 0 || Array.Bytes >= MAI_LEAST_BLOCK);
  }

  /// What is left alone comes in huge pages, each with the first of the threads that share it.
  void touchByPages() {
    Candidate &Alone = leftAlone();
    const bool IsNext = Alone.Excluded.empty() && isTouchedInColumns();
    if ((Result.policy().What != Policy::LeaveAlone && !IsNext) || !isTouchedInParts())
      return;
    Candidate Local = Alone;
    Local.What = Policy::Local;
    Local.Number = Topic::Local;
    Alone.Excluded = "a huge page may hold parts of several threads";
    Result.Candidates.insert(Result.Candidates.begin() + (&Alone - Result.Candidates.data()),
                             std::move(Local));
    if (Result.isRuled())
      Result.leaveOnly(Policy::Local, {Topic::Local, Result.reason()}, Result.evidence());
  }

  void excludeByPrice() {
    findThoseAgainstQueues();
    findThoseForLongRows();
    const Candidate &Plain = plain();
    for (Candidate &C : Result.Candidates)
      C.Excluded = exclusion(C, Plain);
    excludeWorse();
    excludeWorseInSomeRuns();
    if (Result.isExhausted())
      leftAlone().Excluded.clear();
    excludeInTurnWhereCached();
    preferFirstTouch();
    preferTouchOfColumns();
    if (!Result.policy().Fits)
      return;
    for (Candidate &C : Result.Candidates)
      if (!C.Fits && C.Excluded.empty())
        C.Excluded = DoesNotFit;
  }

  //===-- What speaks for policies, and against them -----------------------------===//

  void justify(Candidate &C) const {
    switch (C.What) {
    case Policy::Block:
      return C.Slices > 0 ? fields(C) : C.Dimension > 0 ? columns(C) : block(C);
    case Policy::BlockCyclic:
      return blockCyclic(C);
    case Policy::Cyclic:
      return cyclic(C);
    case Policy::Weighted:
      return distributed(C, Topic::Weighted, ", and the nodes' memories are unequal");
    case Policy::Skew:
    case Policy::Prime:
      return distributed(C, Topic::Strided,
                         ", with strides that would keep pages in turn to few nodes");
    case Policy::Replicate:
      C.Reasons.push_back({"read only after it is filled"});
      return;
    case Policy::LeaveAlone:
      return leftAlone(C);
    case Policy::Local:
      return cleared(C);
    case Policy::Bind:
    case Policy::Given:
      return;
    }
  }

  std::string units() const { return Array.Extents.size() > 1 ? "rows" : "elements"; }
  std::string words(const Use &U) const { return describe(U, Array.Extents.size() > 1); }
  std::string words(Pattern P) const { return words(*S.heaviest(P)); }

  static void askFor(Candidate &C, Topic Number, std::string Words, const Use &Why) {
    C.Number = Number;
    C.Reasons.push_back({std::move(Words)});
    C.Evidence = evidence(Why);
    if (Why.Moves)
      C.Moves = *Why.Moves;
  }

  /// Lists tell what is active of what there is room for.
  void askForListed(Candidate &C) const {
    askFor(C, Topic::Block, words(*Listed), *Listed);
    C.Filled = !C.Moves && isWritten([](const Use &U) { return U.How == Pattern::OneThread; });
  }

  void block(Candidate &C) const {
    const Use *Why = heaviest([&](const Use &U) {
      return U.isDivided() && U.Reversed == C.Reversed && U.Team == C.Team &&
             Parts.of(U) == rangeOf(C);
    });
    if (!Why) {
      if (const Use *Tasks = heaviest(isByTasks); Tasks && isOfTasksAlone())
        askFor(C, Topic::Block, words(*Tasks), *Tasks);
      else if (Listed)
        askForListed(C);
      return;
    }
    askFor(C, C.Count > 0 ? Topic::BlockPart : Topic::Block, words(*Why), *Why);
    addOtherPattern(C);
    addOtherTeam(C);
    if (C.Count == 0 && Why->IsDelimited && Why->Rows && !C.Reversed)
      C.Rows = *Why->Rows;
    C.Filled = C.Count == 0 && C.Team == 0 &&
               (Array.Allocated ? !C.Reversed && hasRoom(*Why)
                                : Why->IsDelimited && isFilledThrough(Why->Through));
    C.Moves = sweepBy(Uses, *Why);
    if (const Use *Alike = C.Moves ? withRange(*Why, *C.Moves) : nullptr)
      C.Moves = sweepBy(Uses, *Alike);
  }

  /// Shares whose bounds the threads look up, each its own, are those of the whole that other loops
  /// over the same units divide.
  const Use *withRange(const Use &Own, const Sweep &OfOwn) const {
    if (Own.Loop->Kind != ScopeKind::Loop || OfOwn.Rows)
      return nullptr;
    return heaviest([&](const Use &U) {
      return U.How == Own.How && U.Team == Own.Team && U.Loop->Kind == ScopeKind::Divided &&
             U.Moves && U.Moves->Unit == OfOwn.Unit && U.Moves->First && U.Moves->Count;
    });
  }

  void addOtherPattern(Candidate &C) const {
    const std::optional<Pattern> Spread = spread();
    if (Spread == Pattern::Indirect)
      C.Reasons.push_back({words(Pattern::Indirect), true, "also "});
    else if (Spread && S.bytes(*Spread) > dividedBytes() / 10)
      C.Reasons.push_back({words(*Spread), true, "less often, "});
    if (const Pattern Other = C.Reversed ? Pattern::Block : Pattern::Mirrored;
        S.bytes(Other) > dividedBytes() / 10)
      C.Reasons.push_back({words(Other), true, "less often, "});
  }

  /// A loop whose threads have other shares than these.
  void addOtherTeam(Candidate &C) const {
    for (const Use &U : Uses)
      if (U.isDivided() && U.Team != C.Team && U.Bytes > dividedBytes() / 10) {
        C.Reasons.push_back({U.Team == 0
                                 ? "another loop has the default team"
                                 : llvm::formatv("another loop has {0} threads", U.Team).str(),
                             true});
        return;
      }
  }

  /// What row pointers delimit ends where the last row does, and arrays are declared for the worst
  /// case. Where one thread fills it, or each thread its own rows: these stay where first touch has
  /// them if no team starts behind that.
  bool isFilledThrough(const std::string &RowPointers) const {
    return isWritten([](const Use &U) { return U.How == Pattern::OneThread; }) ||
           (isWritten([&](const Use &U) { return U.Through == RowPointers; }) &&
            !isWritten(
                [&](const Use &U) { return U.Through != RowPointers && !U.Through.empty(); }));
  }

  /// The block has room for more than there is: the program changes the number up to which the loop
  /// goes.
  static bool hasRoom(const Use &U) {
    return !U.IsDelimited && mayEndInside(U) && U.Moves->IsVarying;
  }

  bool isWritten(llvm::function_ref<bool(const Use &)> Which) const {
    return llvm::any_of(Uses, [&](const Use &U) { return U.Mode != AccessMode::Read && Which(U); });
  }

  static Range rangeOf(const Candidate &C) {
    return C.Count > 0 ? std::optional(std::pair(C.Before, C.Count)) : std::nullopt;
  }

  void columns(Candidate &C) const {
    const Use *Why = heaviest([&](const Use &U) {
      return U.How == Pattern::Across && U.Dimension == C.Dimension + 1 && U.InOrder &&
             U.Reversed == C.Reversed && U.Team == C.Team;
    });
    askFor(C, Topic::Columns, words(*Why), *Why);
  }

  void fields(Candidate &C) const {
    const Use *Why = heaviest([](const Use &U) { return bool(U.InField); });
    askFor(C, Topic::Block, words(*Why) + ", in each of several fields", *Why);
    C.Moves.reset();
  }

  void blockCyclic(Candidate &C) const {
    const Use *Why = heaviest([&](const Use &U) {
      return U.How == Pattern::Scattered && U.Chunk == static_cast<int64_t>(C.Value) &&
             U.Reversed == C.Reversed && U.Team == C.Team;
    });
    if (!Why)
      Why = S.heaviest(Pattern::PerThread);
    askFor(C, Topic::BlockCyclic, words(*Why), *Why);
  }

  void cyclic(Candidate &C) const {
    const Use *Why = S.heaviest(named());
    if (!Why)
      return;
    askFor(C, Topic::Cyclic, words(*Why), *Why);
    if (const std::optional<Pattern> Divided = S.dominant({Pattern::Block, Pattern::Mirrored});
        Divided && named() != *Divided)
      C.Reasons.push_back({words(*Divided), true, "that outweighs "});
    if (isReadOnlyTable(Array, Uses))
      C.Reasons.push_back({"read only after it is filled"});
  }

  void distributed(Candidate &C, Topic Number, const std::string &Because) const {
    if (const Use *Why = S.heaviest(named()))
      askFor(C, Number, words(*Why) + Because, *Why);
  }

  void leftAlone(Candidate &C) const {
    C.Number = Topic::TouchedRight;
    const Use *First = firstWrite(Uses);
    if (First && First->How == Pattern::OneThread)
      C.Reasons.push_back({"one thread writes it first, in " + First->In->Name + "()", true});
    else if (First)
      C.Reasons.push_back({"threads write it first: " + words(*First)});
  }

  void cleared(Candidate &C) const {
    const Use *First = firstLastingWrite(Uses);
    C.Number = Topic::Local;
    C.Reasons.push_back({"threads write it first once it is cleared: " + words(*First)});
    C.Evidence = evidence(*First);
  }

  /// The pattern that speaks for distributing pages. Against blocks it is no indirect one: of those
  /// blocks meet as many.
  Pattern named() const {
    const std::optional<Pattern> Sweep =
        S.dominant({Pattern::Scattered, Pattern::Across, Pattern::Everyone});
    if (isRegular() && Sweep)
      return *Sweep;
    return spread().value_or(S.heaviest(Pattern::Block) ? Pattern::Block : Pattern::Mirrored);
  }

  template <typename Predicate> const Use *heaviest(Predicate Wanted) const {
    const Use *Best = nullptr;
    for (const Use &U : Uses)
      if (Wanted(U) && (!Best || isHeavier(U, *Best)))
        Best = &U;
    return Best;
  }

  const ArrayDeclaration &Array;
  const std::vector<Use> &Uses;
  const Use *const Listed = listedUse(Uses);
  const Machine &On;
  const UsesByPattern S;
  const Ranges Parts;
  Choice Result;
};

} // namespace

/// What pages in turn would spare queues for may turn out to be so small that each core's cache
/// holds it: then shares may be better.
static void chooseWhereCached(const ArrayDeclaration &Array, const std::vector<Use> &Uses,
                              const Machine &On, Choice &Of) {
  const auto IsAsked = [](const Candidate &C) { return C.UnlessCached; };
  if (llvm::none_of(Of.Candidates, IsAsked))
    return;
  ArrayDeclaration Small = priced(Array, Uses);
  const uint64_t Larger = Small.Bytes / (MAI_LEAST_SHARED / 2);
  Small.Bytes = MAI_LEAST_SHARED / 2;
  if (!Small.Extents.empty() && (Small.Extents[0] /= Larger) == 0) // Not a row fits.
    Small.Extents = Array.Extents;
  const Choice Cached = Chooser(Small, Uses, On).choose();
  const Candidate &Best = Cached.policy();
  if (Best.isRows() && Best.Dimension == 0 && Best.Count == 0)
    for (Candidate &C : llvm::make_filter_range(Of.Candidates, IsAsked))
      C.WhereCached = policyText(Best);
}

Choice mapp::choose(const ArrayDeclaration &Array, const std::vector<Use> &Uses,
                    const Machine &On) {
  if (Uses.empty())
    return Choice::leftAlone({Topic::NotUsed, "not used in the files given"});
  if (!Array.Allocated)
    return Chooser(Array, Uses, On).choose();
  const ArrayDeclaration Priced = priced(Array, Uses);
  Choice Chosen = Chooser(Priced, Uses, On).choose();
  if (Array.Bytes == 0)
    chooseWhereCached(Array, Uses, On, Chosen);
  return Chosen;
}

ArrayDeclaration mapp::priced(const ArrayDeclaration &Array, const std::vector<Use> &Uses) {
  constexpr uint64_t SomeBlock = 1 << 26, LongRow = 1 << 20, SomeRows = 8;
  constexpr int64_t SomeElement = 1 << 12;
  ArrayDeclaration Result = Array;
  if (Array.Allocated && Array.Bytes == 0)
    Result.Bytes = SomeBlock;
  const auto Columns = llvm::find_if(
      Uses, [](const Use &U) { return U.How == Pattern::Across && U.Dimension == 2 && U.Moves; });
  if (!Array.Allocated || Columns == Uses.end())
    return Result;
  const auto Row = static_cast<uint64_t>(Columns->Moves->Unit.constant().value_or(
      static_cast<int64_t>(std::min(LongRow, Result.Bytes / SomeRows))));
  const auto Element =
      static_cast<uint64_t>(Columns->Moves->Element.constant().value_or(SomeElement));
  if (Row <= Result.Bytes && Element <= Row)
    Result.Extents = {Result.Bytes / Row, Row / Element};
  return Result;
}
