//===-- Refine.cpp - the cheapest map that is found -------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Refine.h"

#include "Bisect.h"
#include "Branches.h"
#include "Construct.h"
#include "Cost.h"
#include "Cycle.h"

#include <algorithm>
#include <cmath>
#include <future>

using namespace threadmap;

namespace {

/// Up to so many threads maps are made by division, too, and two searches run side by side (of more
/// where these are a forest), wherever that is: machines that a map is for have more CPUs than one.
constexpr uint32_t MostForTwo = 512;

/// Up to so many threads what branches is divided as branches; a long branch of more takes too much
/// memory.
constexpr uint32_t MostForBranches = 4096;

/// Of more threads what is a forest is divided as such only; as it shares little, so many take
/// little time.
constexpr uint32_t FewInForest = 100, ManyInForest = 1024;

/// Work is counted, not timed, so that the same input gives the same map everywhere.
uint64_t workLimit(uint32_t Threads, double Effort) {
  constexpr double For1024 = 3.6e7;
  constexpr double Most = 4; // For more threads what is constructed takes longer, not the search.
  constexpr double Least = 64.0 / 1024; // What is left to chance is most with few threads.
  const double Size = std::clamp(Threads / 1024.0, Least, Most);
  return static_cast<uint64_t>(Effort * For1024 * std::pow(Size, Size > 1 ? 2.25 : 0.85));
}

/// What all searches start from.
struct Problem {
  Problem(const Matrix &M, const Locations &P) : Volumes(M), At(P), Shared(M, M.threads()) {
    if (M.threads() <= MostForBranches)
      Branching = forestIn(Shared);
  }

  /// Whether two searches, of which the other may have more luck, take little enough time.
  bool mayBeSearchedTwice() const {
    const uint32_t Threads = Volumes.threads();
    const bool SharesLittle = !Shared.isDense() && Branching && Branching->IsAll;
    return Threads <= MostForTwo || (Threads <= ManyInForest && SharesLittle);
  }

  const Matrix &Volumes;
  const Locations &At;
  Graph Shared;
  std::optional<Forest> Branching;
};

class Refiner {
public:
  Refiner(const Problem &Of, uint64_t Seed, double Effort)
      : Volumes(Of.Volumes), At(Of.At), Shared(Of.Shared), Branching(Of.Branching), Random(Seed),
        Limit(workLimit(Volumes.threads(), Effort)), Cycle(Volumes, At) {
    Limit = static_cast<uint64_t>(static_cast<double>(Limit) * partForForests());
    Cycle.MostExploration = static_cast<uint64_t>(static_cast<double>(Limit) * SearchShare);
  }

  Map run() {
    constructFrom(greedyMap(Volumes, At));
    construct();
    // So that no map that is compared with is cheaper, nor dearer than the worst.
    startFromCheaper(compactMap(At, Volumes.threads()));
    startFromCheaper(scatteredMap(At, Volumes.threads()));
    while (work() < constructionLimit() && !isSettled())
      construct();
    while (work() < Limit && !isSettled())
      improveNext();
    return Kept[0].Of;
  }

private:
  struct Candidate {
    double Cost;
    Map Of;
    uint32_t Tries; ///< to improve it
  };
  static constexpr size_t MostKept = 4;
  static constexpr uint32_t EnoughTimes = 10;
  static constexpr double ConstructionShare = 0.5;
  static constexpr double ConstructionShareOfForests = 0.9;
  static constexpr double BranchesShare = 0.1; ///< of all work, for one map by branches
  static constexpr double LessForFew = 0.6, MoreForMany = 1.5; ///< of forests, which divide well
  static constexpr double SearchShare = 1.0 / 32; ///< of all work, for the trials of one search
  static constexpr double DivisionExploration = 50;

  double cost(const Map &Of) const {
    if (Shared.isDense())
      return costOf(Volumes, At, Of);
    double Sum = 0;
    for (uint32_t Thread = 0; Thread < Of.size(); ++Thread)
      Shared.forEach(Thread, [&](uint32_t Other, double Volume) {
        Sum += Other < Thread ? Volume * At.weight(Of[Thread], Of[Other]) : 0;
      });
    return Sum;
  }

  uint64_t work() const { return Cycle.work() + BisectionWork; }

  /// Whether it is unlikely that more work finds a cheaper map: independent constructions have
  /// found the cheapest again and again.
  bool isSettled() const { return TimesFound >= EnoughTimes; }

  void constructFrom(Map Of) {
    Cycle.swapThreads(Of, Random);
    keep(std::move(Of));
  }

  void startFromCheaper(Map Of) {
    if (isLess(cost(Of), Kept[0].Cost))
      constructFrom(std::move(Of));
  }

  /// Of many threads too few maps are constructed to begin them at random.
  bool mayDivide() const { return Cycle.divisions() && Volumes.threads() <= MostForTwo; }

  /// By the largest parts first or, where that may not be, by matching.
  void constructByDivision() {
    Map Of = randomMap(At, Volumes.threads(), Random);
    if (mayDivide()) {
      divideFrom(Of, 0);
    } else {
      Cycle.Exploration = 3;
      Cycle.construct(Of, Random);
    }
    keep(std::move(Of));
  }

  /// Divides all threads anew, but for the first steps (Cycles::divide()), and improves that.
  void divideFrom(Map &Of, uint32_t First) {
    Cycle.Exploration = DivisionExploration;
    Cycle.divide(Of, First, Random);
    Cycle.Exploration = 3;
    Cycle.improve(Of, Random);
  }

  /// Whether nothing is shared but along a forest.
  bool isForest() const { return Branching && Branching->IsAll && Volumes.threads() > FewInForest; }

  /// The cheapest divisions of few are found at once; those of many are worth some more.
  double partForForests() const {
    if (!Branching || !Branching->IsAll || Shared.isDense() || Volumes.threads() > ManyInForest)
      return 1;
    return Volumes.threads() > FewInForest ? MoreForMany : LessForFew;
  }

  double constructionLimit() const {
    return static_cast<double>(Limit) *
           (isForest() ? ConstructionShareOfForests : ConstructionShare);
  }

  void construct() {
    if (Branching)
      constructByBranches();
    if (isForest())
      return;
    constructByBisection();
    constructByDivision();
  }

  void constructByBranches() {
    const double Most = BranchesShare * static_cast<double>(Limit);
    Map Of = branchMap(*Branching, At, static_cast<uint64_t>(Most), Random, BisectionWork);
    Cycle.Exploration = 3;
    Cycle.improve(Of, Random);
    keep(std::move(Of));
  }

  void constructByBisection() {
    Map Of = bisectedMap(Shared, At, Volumes.threads(), Random, BisectionWork);
    Cycle.Exploration = 3;
    Cycle.improve(Of, Random);
    keep(std::move(Of));
  }

  void keep(Map Of) {
    const double Cost = cost(Of);
    if (Kept.empty() || isLess(Cost, Kept[0].Cost))
      TimesFound = 0;
    TimesFound += Kept.empty() || !isLess(Kept[0].Cost, Cost);
    const bool Known = std::any_of(Kept.begin(), Kept.end(), [&](const Candidate &C) {
      return !isLess(C.Cost, Cost) && !isLess(Cost, C.Cost);
    });
    if (Known)
      return;
    Kept.push_back({Cost, std::move(Of), 0});
    sortKept();
  }

  /// By more than rounding.
  static bool isLess(double A, double B) { return B - A > 1e-12 * std::fabs(B); }

  void sortKept() {
    std::stable_sort(Kept.begin(), Kept.end(),
                     [](const Candidate &A, const Candidate &B) { return A.Cost < B.Cost; });
    if (Kept.size() > MostKept)
      Kept.pop_back();
  }

  /// The cheaper a candidate is, the more often it is tried.
  Candidate &nextToImprove() {
    size_t Best = 0;
    for (size_t I = 1; I < Kept.size(); ++I)
      if ((I + 1) * (Kept[I].Tries + 1) < (Best + 1) * (Kept[Best].Tries + 1))
        Best = I;
    return Kept[Best];
  }

  void improveNext() {
    Candidate &C = nextToImprove();
    ++C.Tries;
    while (DivisionWork < SwapWork && work() < Limit && At.Parts.size() > 1)
      divideAnew(C);
    const uint64_t Begin = work();
    Cycle.Exploration = 5;
    Cycle.improve(C.Of, Random);
    C.Cost = cost(C.Of);
    SwapWork += work() - Begin;
    sortKept();
  }

  /// What swaps cannot do: threads that share go elsewhere together, however many they are.
  void divideAnew(Candidate &C) {
    const uint64_t Begin = work();
    Map Of = mayDivide() && below(2, Random) ? allDivided(C.Of) : someDivided(C.Of);
    DivisionWork += work() - Begin;
    const double Cost = cost(Of);
    if (isLess(C.Cost, Cost))
      return;
    C.Of = std::move(Of);
    C.Cost = Cost;
  }

  Map someDivided(const Map &From) {
    Map Of = dividedAnew(Shared, At, From, Random, BisectionWork);
    Cycle.Exploration = 0;
    Cycle.swapThreads(Of, Random);
    return Of;
  }

  Map allDivided(Map Of) {
    divideFrom(Of, below(Cycle.divisions(), Random));
    return Of;
  }

  const Matrix &Volumes;
  const Locations &At;
  const Graph &Shared;
  const std::optional<Forest> &Branching;
  std::mt19937_64 Random;
  uint64_t Limit;
  Cycles Cycle;
  uint64_t BisectionWork = 0;
  uint64_t DivisionWork = 0, SwapWork = 0; ///< of the two ways to improve what is kept
  std::vector<Candidate> Kept;             ///< the cheapest first
  uint32_t TimesFound = 0;                 ///< the cheapest, by constructions
};

} // namespace

Map threadmap::refinedMap(const Matrix &Volumes, const Locations &At, uint64_t Seed,
                          double Effort) {
  const Problem Of(Volumes, At);
  const auto Search = [&](uint64_t Stream) { return Refiner(Of, Stream, Effort).run(); };
  if (!Of.mayBeSearchedTwice())
    return Search(Seed);
  std::future<Map> Other = std::async(std::launch::async | std::launch::deferred, Search, ~Seed);
  const Map First = Search(Seed), Second = Other.get();
  return costOf(Volumes, At, Second) < costOf(Volumes, At, First) ? Second : First;
}
