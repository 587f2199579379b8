//===-- Reconsider.cpp - a choice, given what was counted -------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Reconsider.h"

#include "CountedAccess.h"

#include "advice/Advise.h"
#include "mai_types.h"
#include "trace/profile/SampleError.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mapp;

namespace {

class Reconsideration {
public:
  Reconsideration(Choice Before, const ArrayDeclaration &Declared, const std::vector<Use> &Used,
                  const Machine &On, const Counted &Given)
      : C(std::move(Before)), All(C.Candidates), Estimate(C.policy()), WhyEstimate(C.reason()),
        Array(Declared), Uses(Used), Known(Given), Counts(Given.Counts),
        Sources(Declared, Used, On), Of(accessOf(Given, Declared, Used, Sources, On)),
        Advice(Of, Sources.shape(), On, Declared.Allocated && Given.RowBytes == 0) {}

  Choice decide() && {
    listCandidates();
    C.Counts = evidence();
    const Candidate &AsEstimated = asEstimated();
    const std::string WhyNotCounts = whyNotCounts();
    if (Candidate &Best = best(); WhyNotCounts.empty() && overrules(Best, AsEstimated))
      overrule(Best);
    else
      stand(AsEstimated, WhyNotCounts);
    return std::move(C);
  }

private:
  //===-- Candidates ------------------------------------------------------------===//

  bool has(const Alternative &A) const {
    return llvm::any_of(All, [&](const Candidate &Old) { return identity(Old) == identity(A); });
  }

  void add(Alternative New) {
    if (has(New))
      return;
    Candidate &Added = All.emplace_back(std::move(New));
    Sources.price(Added);
  }

  /// One that the counts ask for.
  void addCounted(const Alternative &New) {
    if (has(New))
      return;
    add(New);
    speakByCounts(All.back());
  }

  /// What was considered before, and what counts ask for; the best by counts first.
  void listCandidates() {
    for (const Alternative &A : Advice.candidates())
      if (A.InParts || A.Reversed || !A.Shares.empty() || A.What == Policy::BlockCyclic)
        addCounted(A);
      else
        add(A);
    for (Candidate &A : All)
      Advice.price(A);
    llvm::stable_sort(All, advice::isBefore);
  }

  //===-- Rules -----------------------------------------------------------------===//

  /// The first that divides it so; null where none does.
  Candidate *dividing(llvm::function_ref<bool(const Candidate &)> So) const {
    const auto Found = llvm::find_if(All, [&](const Candidate &A) { return A.isRows() && So(A); });
    return Found == All.end() ? nullptr : &*Found;
  }

  /// Parts are alike but for what the first and the last thread's go on to: those of a loop's range
  /// in an array of which all is used.
  static bool areOfRange(const std::vector<unsigned> &Shares) {
    constexpr size_t Enough = 4;
    constexpr double Alike = 1.25;
    if (Shares.size() < Enough)
      return false;
    const auto [Least, Most] = std::minmax_element(Shares.begin() + 1, Shares.end() - 1);
    return *Most <= Alike * *Least;
  }

  /// What the estimate's candidate comes to. What is divided once it is filled counts as divided
  /// where it is used, and along row pointers as divided into the parts that were counted.
  Candidate &asEstimated() const {
    Candidate *Found = nullptr;
    if (Estimate.Rows)
      Found = dividing([](const Candidate &A) { return !A.Shares.empty(); });
    if (!Found && (Estimate.Filled || hasRange()))
      Found = dividing([](const Candidate &A) { return A.InParts && A.Shares.empty(); });
    if (!Found && hasRange())
      Found = dividing([](const Candidate &A) { return areOfRange(A.Shares); });
    return Found ? *Found : estimated();
  }

  Candidate &estimated() const {
    return *llvm::find_if(All,
                          [&](const Candidate &A) { return identity(A) == identity(Estimate); });
  }

  /// The sources tell which units of a block are divided: just those, in whatever terms.
  bool hasRange() const {
    return Array.Allocated && Estimate.What == Policy::Block && Estimate.Moves &&
           Estimate.Moves->Count;
  }

  Candidate &best() {
    const std::vector<Alternative> Priced(All.begin(), All.end());
    return All[static_cast<size_t>(&Advice.best(Priced) - Priced.data())];
  }

  /// Samples in which an alternative does better by chance are no reason to take it.
  double errorOfSaving(const Candidate &New, const Candidate &Old) const {
    const double Before = Old.price().Cost;
    const double Saved = Before > 0 ? std::clamp(1 - New.price().Cost / Before, 0.0, 1.0) : 0;
    return maiprof::shareErrorOf(Known.Run->Profile, Counts.accesses(), Saved);
  }

  bool overrules(const Candidate &Best, const Candidate &Old) const {
    return &Best != &Old && Counts.parallelAccesses() + Counts.accesses() > 0 &&
           (Advice.saves(Best, Old, errorOfSaving(Best, Old)) ||
            (Advice.isOneThreads() && !isByTouch(Estimate)));
  }

  /// Most of it is distributed when the program runs, to whoever comes first.
  bool isByChance() const {
    double ByChance = 0, Traffic = 0;
    for (const Use &U : Uses) {
      const bool Distributed =
          U.How == Pattern::SomeThread ||
          (U.How == Pattern::Scattered && U.Loop && U.Loop->Order != Schedule::Static &&
           U.Loop->OrderText.find("static") == std::string::npos);
      ByChance += Distributed ? U.Bytes : 0;
      Traffic += U.How == Pattern::OneThread ? 0 : U.Bytes;
    }
    return ByChance > Traffic / 2;
  }

  bool hasFewSamples() const { return maiprof::isTooFew(Known.Run->Profile, Counts.accesses()); }

  /// By the sources each block is one thread's, where the counts have all of one place upon
  /// another.
  bool areBlocksApart() const {
    return Known.Blocks > 1 && Known.RowBytes == 0 && Estimate.What == Policy::Block &&
           Estimate.Moves && Estimate.Moves->Rows;
  }

  /// Counts that would be others in another run, or with another size, decide nothing.
  std::string whyNotCounts() const {
    return Estimate.Filled && isByTouch(Estimate) ? "one thread had cleared it before"
           : areBlocksApart() ? "whole blocks are divided, and they were counted as one"
           : isByChance()     ? "who uses what changes from run to run"
           : hasFewSamples()  ? "there are too few samples of the array to tell whose its parts are"
           : Advice.isCoarse() ? "the array had too few rows there to tell whose they are"
                               : "";
  }

  //===-- What becomes of the list ----------------------------------------------===//

  /// The others cost more, or are excluded.
  void choose(const Candidate &Best, const std::string &WhyNoneBefore) {
    for (Candidate &A : All) {
      A.Excluded = &A < &Best ? WhyNoneBefore : "";
      if (A.What == Policy::Replicate)
        A.Excluded = ByHandOnly;
      else if (!A.Fits && Best.Fits)
        A.Excluded = DoesNotFit;
    }
  }

  /// The estimate's policy remains, for the price of what it comes to.
  void stand(const Candidate &AsEstimated, const std::string &WhyNotCounts) {
    const bool Agree = WhyNotCounts.empty();
    C.Counts->Verdict = Agree ? "the estimate stands: no policy saves a quarter by the counts"
                              : "the estimate decides: " + WhyNotCounts;
    const Alternative Same = AsEstimated;
    estimated().Counted = Same.Counted;
    llvm::stable_sort(All, advice::isBefore);
    if (C.isRuled())
      C.leaveOnly(Estimate.What, {C.number(), C.reason()}, C.evidence());
    else
      choose(estimated(), Agree ? "saves less than a quarter of what the estimate's policy costs"
                                : "counts do not decide: " + WhyNotCounts);
    if (identity(Same) != identity(Estimate))
      for (Candidate &A : All)
        if (identity(A) == identity(Same))
          A.Excluded = "the estimate's policy says the same, for arrays of any size";
    if (Agree)
      C.confirm();
  }

  void overrule(Candidate &Best) {
    C.Counts->Overruled = true;
    C.Counts->Estimate = plainEntry(Estimate) + ": " + WhyEstimate;
    C.Counts->Verdict = "the counts decide; the estimate was " + C.Counts->Estimate;
    if (Advice.isOneThreads())
      return C.leaveOnly(Policy::LeaveAlone, {Topic::OneThread, reason(Best)});
    C.dropRule();
    Candidate &Taken = isTouchedInParts(Best) ? byPages(Best) : Best;
    speakByCounts(Taken);
    Taken.OfRows = Known.RowBytes > 0;
    choose(Taken, "saves less than a quarter of what the chosen policy costs");
  }

  /// Pages are right when left to the first touch of several threads, which one huge page may have
  /// in common.
  bool isTouchedInParts(const Candidate &Best) const {
    return Best.What == Policy::LeaveAlone && Of.isTouchedApart() && Known.RowBytes == 0 &&
           (Array.Bytes == 0 || Array.Bytes >= MAI_LEAST_BLOCK);
  }

  Candidate &byPages(const Candidate &Alone) {
    Candidate Local = Alone;
    Local.What = Policy::Local;
    return *All.insert(All.begin() + (&Alone - All.data()), std::move(Local));
  }

  //===-- Words -----------------------------------------------------------------===//

  std::string reason(const Candidate &A) const { return "counted: " + Advice.reason(A); }

  static Topic number(const Candidate &A) {
    switch (A.What) {
    case Policy::LeaveAlone:
      return Topic::TouchedRight;
    case Policy::Local:
      return Topic::Local;
    case Policy::Block:
      return A.Dimension > 0     ? Topic::Columns
             : !A.Shares.empty() ? Topic::Shares
             : A.Count > 0       ? Topic::BlockPart
                                 : Topic::Block;
    case Policy::BlockCyclic:
      return Topic::BlockCyclic;
    case Policy::Skew:
    case Policy::Prime:
      return Topic::Strided;
    case Policy::Weighted:
      return Topic::Weighted;
    default:
      return Topic::Cyclic;
    }
  }

  /// What the sources show of this policy gives way to what was counted.
  void speakByCounts(Candidate &A) const {
    A.Number = number(A);
    A.Reasons = {{reason(A)}};
    A.Evidence = {};
    A.Moves = movesOf(A);
    A.Rows.reset();
    A.Filled = false;
  }

  /// How a block's text speaks of the units. Which of these is known from the counts.
  std::optional<Sweep> movesOf(const Candidate &A) const {
    const Use *Best = nullptr;
    for (const Use &U : Uses) {
      const bool Fits = A.Dimension == 0
                            ? U.isDivided()
                            : U.How == Pattern::Across && U.Dimension == A.Dimension + 1;
      if (Fits && U.Moves && (!Best || U.Bytes > Best->Bytes))
        Best = &U;
    }
    if (!Best)
      return std::nullopt;
    const Sweep &Its = *Best->Moves;
    return Sweep{Its.Unit, Its.Element, Its.Rows, Its.Level, std::nullopt, std::nullopt};
  }

  CountedEvidence evidence() const {
    const advice::Division &Parts = Advice.parts();
    CountedEvidence E;
    E.File = Known.Run->File;
    E.Bytes = Counts.bytes();
    E.Blocks = Known.Blocks;
    E.Accesses = Counts.accesses();
    E.Serial = E.Accesses > 0 ? 1 - Counts.parallelAccesses() / E.Accesses : 0;
    E.Threads = Counts.threads();
    E.IsDivided = Parts.isClear();
    E.HasPhases = Known.Run->Profile.HasPhases;
    for (uint32_t Thread = 0; Thread < Parts.threads(); ++Thread) {
      const double Begin = Parts.begin(Thread), End = Parts.end(Thread);
      const double Mine = Parts.accessesTo(Thread, 0, Parts.cells());
      const double Own = Parts.accessesTo(Thread, static_cast<uint32_t>(Begin),
                                          static_cast<uint32_t>(std::max(Begin, End)));
      E.Parts.push_back({Thread, E.Accesses > 0 ? Mine / E.Accesses : 0, Mine > 0 ? Own / Mine : 0,
                         Begin / Parts.cells(), std::max(Begin, End) / Parts.cells()});
    }
    return E;
  }

  Choice C;
  std::vector<Candidate> &All;
  const Candidate Estimate; ///< what is chosen without counts ...
  const std::string WhyEstimate;
  const ArrayDeclaration &Array;
  const std::vector<Use> &Uses;
  const Counted &Known;
  const maiprof::ArrayCounts &Counts;
  const EstimatedTraffic Sources;
  const advice::Access Of;
  const advice::Advisor Advice;
};

} // namespace

Choice mapp::reconsider(Choice Estimated, const ArrayDeclaration &Array,
                        const std::vector<Use> &Uses, const Machine &On, const Counted &Known) {
  return Reconsideration(std::move(Estimated), Array, Uses, On, Known).decide();
}
