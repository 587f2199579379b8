//===-- Verdicts.cpp - what cures of a program's placement save -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Cures are tried by counts: the advisor's policy for each array, copies on each node, other nodes
// for the threads, and what sources could change. The rules are in mai-trace(1).
//
//===----------------------------------------------------------------------===//

#include "Verdicts.h"

#include "Cures.h"
#include "Lines.h"
#include "ThreadMap.h"
#include "support/Text.h"
#include "trace/profile/Modelled.h"
#include "trace/profile/SampleError.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

using namespace maiprof;
using support::countText;
using support::percentText;

const char *maiprof::wordOf(Trouble What) {
  switch (What) {
  case Trouble::Placement:
    return "placement";
  case Trouble::Contention:
    return "contention";
  case Trouble::Replication:
    return "replication";
  case Trouble::Threads:
    return "threads";
  case Trouble::SharedLines:
    return "shared-lines";
  case Trouble::FalseSharing:
    return "false-sharing";
  case Trouble::Changing:
    return "changing";
  case Trouble::Scattered:
    return "scattered";
  case Trouble::Irregular:
    return "irregular";
  case Trouble::Table:
    return "table";
  }
  return "";
}

namespace {

/// Smaller arrays stay in caches: of these not the pages matter, but lines that move between
/// caches.
constexpr uint64_t LeastBytes = uint64_t(64) << 10;
/// Copies on each node must fit.
constexpr uint64_t MostBytesOfCopies = uint64_t(64) << 20;
/// Of all accesses those that no placement makes local.
constexpr double MuchRemains = 0.1;

/// All accesses of a program.
double allAccesses(const Profile &P, const Usage &U) {
  return double(std::max<uint64_t>(1, U.Total.Accesses.sum() + P.OnOwnStacks.sum()));
}

/// Adds an array's accesses where they go now, or takes them away.
void addNow(Traffic &Sum, const ArrayUse &A, const Layout &L, double Sign) {
  for (const PageUse &Page : A.Pages)
    for (const auto &[Thread, Accesses] : Page.Users)
      if (Page.Node != None && L.OfThread[Thread] != None)
        Sum.add(Thread, Page.Node, Sign * double(Accesses.sum()));
}

Traffic trafficNow(const Profile &P, const Usage &U) {
  Traffic Sum(P.Threads.size(), U.Where.Nodes, allAccesses(P, U));
  for (const ArrayUse &A : U.Arrays)
    addNow(Sum, A, U.Where, 1);
  return Sum;
}

/// Most of the team's threads have hardly had anything to do, as in a run that is over before the
/// kernel gives them a CPU: who shares with whom among the others is chance.
bool isOfFew(const Profile &P, const Usage &U) {
  constexpr double Hardly = 0.1;
  const std::vector<uint32_t> Numbers = numbers(P);
  std::vector<double> By;
  for (size_t Thread = 0; Thread < Numbers.size(); ++Thread)
    if (Numbers[Thread] != None)
      By.push_back(double(U.Threads[Thread].Accesses.sum()));
  const double All = std::accumulate(By.begin(), By.end(), 0.0);
  const auto Idle = std::count_if(By.begin(), By.end(), [&](double Accesses) {
    return Accesses * double(By.size()) < Hardly * All;
  });
  return size_t(Idle) * 2 > By.size();
}

/// Whether mostly several threads used an array's lines while its blocks were there.
bool isSharedWhileThere(const Profile &P, const Array &A) {
  double Shared = 0, All = 0;
  for (const Series &S : P.Lines) {
    auto At = std::lower_bound(S.Touches.begin(), S.Touches.end(), A.Start / P.LineBytes,
                               [](const Touch &T, uint64_t Unit) { return T.Unit < Unit; });
    for (; At != S.Touches.end() && At->Unit * P.LineBytes < A.end(); ++At) {
      All += double(At->Accesses.sum());
      Shared += S.View > Series::Alone ? double(At->Accesses.sum()) : 0;
    }
  }
  return 2 * Shared > All;
}

/// Blocks that were freed and allocated again: threads that have used them one after the other look
/// as if they shared them.
bool isReused(const Profile &P, const ArrayUse &A) {
  return std::any_of(A.Arrays.begin(), A.Arrays.end(), [&](uint32_t I) {
    return P.Arrays[I].Instances > 1 && !isSharedWhileThere(P, P.Arrays[I]);
  });
}

class Judging {
public:
  Judging(const Profile &Counted, const Usage &Used, double LeastGain)
      : P(Counted), U(Used), L(Used.Where), Advisor(Counted, Used.Where),
        Receivers(Advisor.receivers()), Met(meetings(Counted, Used, Used.Where.OfThread)),
        MetAsIs(Met), All(allAccesses(Counted, Used)), Base(trafficNow(Counted, Used)) {
    Result.LeastGain = LeastGain;
    Result.OfArrays = Advisor.of(U.Arrays);
    for (const ArrayUse &A : U.Arrays)
      if (!A.IsArray)
        Result.NotKnown += double(A.Accesses.sum()) / All;
    Result.Now = Base.effect(L.OfThread);
    for (const ArrayUse &A : U.Arrays)
      BordersOf.push_back(bordersOf(A));
  }

  Judgement run() {
    for (size_t I = 0; I < U.Arrays.size(); ++I)
      if (isSmall(I) || isRest(I))
        judgeLines(I);
      else if (isJudged(I) && !judgePages(I) && !isReused(P, U.Arrays[I]))
        judgeCopies(I);
    judgeThreads();
    dropWhatThreadsCure();
    for (size_t I = 0; I < U.Arrays.size(); ++I)
      if (isJudged(I) && !isReused(P, U.Arrays[I]) && !isCured(U.Arrays[I]))
        judgeRest(I);
    judgeIrregular();
    sort();
    return std::move(Result);
  }

private:
  /// How all accesses fare if an array's pages go elsewhere.
  /// @param Place adds the accesses of a thread to its page of that number
  template <typename Placer> Effect with(const ArrayUse &A, Placer &&Place) const {
    Traffic Sum = Base;
    addNow(Sum, A, L, -1);
    for (size_t I = 0; I < A.Pages.size(); ++I)
      for (const auto &[Thread, Accesses] : A.Pages[I].Users)
        if (L.OfThread[Thread] != None)
          Place(Sum, I, Thread, double(Accesses.sum()));
    return Sum.effect(L.OfThread);
  }

  /// What is cyclic is on certain nodes, which matters where few pages are used most; of other
  /// distributions only the parts are known.
  Effect withPolicy(const ArrayUse &A, const advice::Advice &Its) const {
    std::vector<uint32_t> Nodes = Its.NodeOfPage;
    std::vector<bool> Stays(Nodes.size());
    for (size_t I = 0; I < Nodes.size(); ++I)
      if (isBorder(A, I)) {
        Stays[I] = true;
        Nodes[I] = A.Pages[I].Node;
      }
    return with(A, [&](Traffic &Sum, size_t I, uint32_t Thread, double Count) {
      if (Nodes[I] != None)
        Sum.add(Thread, Nodes[I], Count);
      else if (!Stays[I] && Its.Policy == "cyclic" && A.Arrays.size() == 1)
        Sum.add(Thread, Receivers[(A.Pages[I].Number - A.Pages[0].Number) % Receivers.size()],
                Count);
      else if (!Stays[I])
        Sum.spread(Thread, Receivers, Count);
    });
  }

  /// With a copy on each node.
  Effect withCopies(const ArrayUse &A) const {
    return with(A, [&](Traffic &Sum, size_t I, uint32_t Thread, double Count) {
      const uint32_t Node = isBorder(A, I) ? A.Pages[I].Node : L.OfThread[Thread];
      if (Node != None)
        Sum.add(Thread, Node, Count);
    });
  }

  /// The node that makes nearly all accesses to a page; None where there is none.
  uint32_t owner(const PageUse &Page) const {
    constexpr double NearlyAll = 0.75; /* a stencil reads the neighbour's border */
    std::vector<double> Nodes(L.Nodes);
    double Sum = 0;
    for (const auto &[Thread, Accesses] : Page.Users)
      if (L.OfThread[Thread] != None) {
        Nodes[L.OfThread[Thread]] += double(Accesses.sum());
        Sum += double(Accesses.sum());
      }
    const auto Most = std::max_element(Nodes.begin(), Nodes.end());
    return *Most >= NearlyAll * Sum ? uint32_t(Most - Nodes.begin()) : None;
  }

  bool isWhole(const ArrayUse &A, uint64_t Start) const {
    return std::any_of(A.Arrays.begin(), A.Arrays.end(), [&](uint32_t I) {
      return P.Arrays[I].Start <= Start && Start + P.PageBytes <= P.Arrays[I].end();
    });
  }

  /// Which pages of an array are at its borders: the first and the last, if neighbours share them,
  /// and those within or beside which the parts of two nodes meet. Who touches them first is
  /// chance, and there are as few of them in large arrays as in small ones: no policy is judged by
  /// them.
  std::vector<bool> bordersOf(const ArrayUse &A) const {
    const size_t Count = A.Pages.size();
    std::vector<uint32_t> Owners;
    for (const PageUse &Page : A.Pages)
      Owners.push_back(owner(Page));
    std::vector<bool> Borders(Count);
    for (size_t I = 1; I + 1 < Count; ++I)
      Borders[I] = Owners[I - 1] != None && Owners[I + 1] != None && Owners[I - 1] != Owners[I + 1];
    if (areParts(Borders))
      for (size_t I = 0; I < Count; ++I)
        Borders[I] = Borders[I] && Owners[I] == None;
    for (const size_t I : {size_t(0), Count - 1})
      if (Count)
        Borders[I] = !isWhole(A, A.Pages[I].Number * P.PageBytes);
    return Borders;
  }

  /// Whether so many pages are beside those of other nodes that nodes have small parts in turn.
  bool areParts(const std::vector<bool> &Borders) const {
    constexpr size_t OfEachNode = 4;
    const auto Found = size_t(std::count(Borders.begin(), Borders.end(), true));
    return Found > OfEachNode * L.Nodes && 4 * Found >= Borders.size();
  }

  bool isBorder(const ArrayUse &A, size_t I) const {
    return BordersOf[size_t(&A - U.Arrays.data())][I];
  }

  Verdict verdict(Trouble What, const std::string &Array) const {
    Verdict V;
    V.What = What;
    V.Array = Array;
    V.After = Result.Now;
    return V;
  }

  /// Whether a gain is enough, of samples also where it is as low as it may be. Notes how far it
  /// may be off.
  /// @param Changed of all accesses those that it concerns
  bool isSurelyEnough(Verdict &V, double Changed) const {
    V.Error = differenceError(P, V.Gain, Changed);
    return isEnough(P.Sampled ? V.Gain - V.Error : V.Gain);
  }

  double share(size_t I) const { return double(U.Arrays[I].Accesses.sum()) / All; }

  bool isEnough(double Gain) const { return Gain >= Result.LeastGain && Gain > 0; }

  bool isSmall(size_t I) const { return U.Arrays[I].IsArray && U.Arrays[I].Bytes < LeastBytes; }
  /// What lies in no known array, such as variables and small blocks.
  bool isRest(size_t I) const { return !U.Arrays[I].IsArray && U.Arrays[I].Arrays.empty(); }
  bool isJudged(size_t I) const { return U.Arrays[I].IsArray && !isSmall(I) && L.Nodes > 1; }

  //===-- Pages -----------------------------------------------------------------===//

  /// Of an array's accesses those that are local if each page is where most of its users are: at
  /// most, as the parts of nodes of a page are at most the root of the part of pairs.
  double localAtBest(const Meeting &M) const {
    return P.Sampled && areEnough(M.OfPage)
               ? std::min(M.ByPage, std::sqrt(M.OfPage.part()) * M.Accesses)
               : M.ByPage;
  }

  /// Of all accesses those to the array that are remote wherever its pages are.
  double remaining(size_t I) const { return (Met[I].Accesses - localAtBest(Met[I])) / All; }

  /// Of all accesses those that would be local, too, if pages were moved before each region.
  double moved(const Meeting &M) const {
    const double Then = P.Sampled ? M.OfPageInRegion.part() * M.Accesses : M.ByPageAndRegion;
    return std::max(0.0, Then - localAtBest(M)) / All;
  }

  /// Whether samples of one region meet in a place by one node, and those of two by others.
  static bool areDivided(const Pairs &Any, const Pairs &InRegion) {
    const Pairs OfTwo = Any.without(InRegion);
    return areEnough(OfTwo) && areEnough(InRegion) &&
           InRegion.part() - OfTwo.part() >= (1 - OfTwo.part()) / 2;
  }

  /// Whether regions divide an array in different ways, more than each uses all of it.
  bool isChanging(const Meeting &M, double Remaining) const {
    if (P.Sampled)
      return areDivided(M.OfPage, M.OfPageInRegion) || areDivided(M.OfLine, M.OfLineInRegion);
    const double Changed = (M.ByLineAndRegion - M.ByLine) / All;
    return std::max(moved(M), Changed) >= Remaining / 2;
  }

  /// A policy. @return whether one helps
  bool judgePages(size_t I) {
    const ArrayUse &A = U.Arrays[I];
    const advice::Advice &Its = Result.OfArrays[I];
    if (Its.IsWell || (isReused(P, A) && !Its.Divides))
      return false;
    Verdict V = verdict(Trouble::Placement, A.Name);
    V.After = withPolicy(A, Its);
    V.Gain = gain(Result.Now, V.After);
    if (!isSurelyEnough(V, share(I)) || isHalfACure(I, V.Gain))
      return false;
    const double Local = Result.Now.Remote - V.After.Remote;
    if (Local < Result.LeastGain && !(isCrowded() && isUsedAgain(Met[I]) && !isThereByChance(A)))
      return false;
    V.What = Local >= V.Gain / 4 ? Trouble::Placement : Trouble::Contention;
    V.Remaining = remaining(I);
    V.Sentence = V.What == Trouble::Placement
                     ? "its pages are not on the nodes of the threads that use them"
                     : "all nodes use it, and one serves them";
    V.Reason = Its.Reason;
    V.Policy = policyFor(P, A, Its);
    V.LeastSize = leastSize(P, A);
    V.Cures = placementCures(P, A, Its);
    if (V.What == Trouble::Contention)
      sayWhatRemains(V, I);
    Result.Verdicts.push_back(std::move(V));
    return true;
  }

  double remoteNow(const ArrayUse &A) const {
    double Sum = 0;
    for (const PageUse &Page : A.Pages)
      for (const auto &[Thread, Accesses] : Page.Users)
        if (Page.Node != None && L.OfThread[Thread] != None && L.OfThread[Thread] != Page.Node)
          Sum += double(Accesses.sum());
    return Sum / All;
  }

  /// Where regions divide an array differently, a policy that does for one of them leaves the
  /// others as they are.
  bool isHalfACure(size_t I, double Gain) const {
    constexpr double Much = 0.75; /* of what the same division in all regions saves */
    const double Remaining = remaining(I);
    return Remaining >= MuchRemains && isChanging(Met[I], Remaining) &&
           Gain < Much * (remoteNow(U.Arrays[I]) - Remaining + moved(Met[I]));
  }

  /// Pages that are distributed are remote to most of their users. What all read can be copied;
  /// else that nothing makes it local is what is wrong first, and relieving the node is what can be
  /// done.
  void sayWhatRemains(Verdict &V, size_t I) const {
    if (mayBeCopied(I)) {
      V.Cures.push_back(copyCure(P, U.Arrays[I]));
      V.Reason += "; a copy on each node would save " +
                  percentText(gain(Result.Now, withCopies(U.Arrays[I]))) + " of all accesses";
    } else if (V.Remaining >= std::max(MuchRemains, V.Gain / 2)) {
      const std::vector<std::string> Policies = std::move(V.Cures);
      explainScattered(V, Met[I]);
      V.What = Trouble::Scattered;
      V.Sentence += ", and one node serves them";
      V.Cures.insert(V.Cures.begin(), Policies.begin(), Policies.end());
    }
  }

  /// Whether its cure makes nothing local.
  static bool isRelief(const Verdict &V) {
    return V.What == Trouble::Contention || V.What == Trouble::Scattered;
  }

  /// A node serves so much more than its even part that it is no chance.
  bool isCrowded() const {
    constexpr double Uneven = 1.5;
    return !OfFew && Result.Now.Busiest * L.Nodes >= Uneven;
  }

  /// Whether a page is where first touch puts it.
  bool isWithToucher(const PageUse &Page) const {
    return Page.FirstToucher != None && Page.Node != None &&
           L.OfThread[Page.FirstToucher] == Page.Node;
  }

  /// Whether the thread that touched a page first has no more to do with it than one of another
  /// node.
  bool isRacedFor(const PageUse &Page) const {
    if (!isWithToucher(Page))
      return false;
    uint64_t Own = 0, Others = 0;
    for (const auto &[Thread, Accesses] : Page.Users)
      if (Thread == Page.FirstToucher)
        Own = Accesses.sum();
      else if (L.OfThread[Thread] != None && L.OfThread[Thread] != Page.Node)
        Others = std::max(Others, Accesses.sum());
    return Others >= Own;
  }

  /// Its pages are on a node since one of many threads came first there, and another may in the
  /// next run. Who fills an array for all has more to do with it than others. Samples, and a part
  /// of a run, do not tell.
  bool isThereByChance(const ArrayUse &A) const {
    if (isReused(P, A))
      return true;
    if (P.Sampled || P.HasGaps)
      return false;
    const auto Raced = size_t(std::count_if(A.Pages.begin(), A.Pages.end(),
                                            [&](const PageUse &Page) { return isRacedFor(Page); }));
    return 2 * Raced > A.Pages.size();
  }

  bool mayBeCopied(size_t I) const {
    constexpr double HardlyEver = 0.1, FillingMost = 0.3, RemoteLeast = 0.4, ElementBytes = 4;
    /* Loads take the time that a timer sees: where each is followed by a store, samples have 3 to
       30 % of stores. */
    constexpr double HardlyEverSampled = 0.01;
    const Meeting &M = Met[I];
    const double Once = double(U.Arrays[I].Bytes) / ElementBytes;
    const double Most =
        P.Sampled ? HardlyEverSampled * M.Accesses
                  : std::max(HardlyEver * M.Accesses, std::min(FillingMost * M.Accesses, Once));
    return U.Arrays[I].Bytes <= MostBytesOfCopies && M.Written <= Most &&
           M.Accesses - localAtBest(M) >= RemoteLeast * M.Accesses;
  }

  /// Copies of what all read.
  bool judgeCopies(size_t I) {
    const ArrayUse &A = U.Arrays[I];
    if (!mayBeCopied(I) || remaining(I) < MuchRemains)
      return false;
    Verdict V = verdict(Trouble::Replication, A.Name);
    V.After = withCopies(A);
    V.Gain = gain(Result.Now, V.After);
    if (!isSurelyEnough(V, share(I)))
      return false;
    V.Remaining = remaining(I);
    V.Sentence = "all nodes read it, and it is on one of them wherever it is";
    V.Reason = "only " + percentText(Met[I].Written / Met[I].Accesses) +
               " of the accesses write; a copy on each node serves the others";
    V.Cures = {copyCure(P, A)};
    Result.Verdicts.push_back(std::move(V));
    return true;
  }

  //===-- What no placement cures -----------------------------------------------===//

  /// More than to bring it in, whoever does that. Of samples, pages need some, which tell whose
  /// they are.
  bool isUsedAgain(const Meeting &M) const {
    constexpr double Once = 4; /* accesses to a line, samples of a page */
    if (!P.Sampled)
      return M.Accesses >= Once * double(M.Lines);
    return M.Accesses >= Once * OfSample * double(M.Pages) ||
           (areEnough(M.OfPage) && isUsedLonger(M));
  }

  /// Whether a timer saw more than bringing in what it saw takes.
  bool isUsedLonger(const Meeting &M) const {
    constexpr double Once = 2000; /* ns: a line from the farthest memory, several times */
    const double Nanoseconds = M.Accesses * double(std::max<uint64_t>(1, P.Sampled->Period));
    return P.Sampled->Of == Sampling::Unit::Time &&
           Nanoseconds >= Once * double(M.Pages * (P.PageBytes / P.LineBytes));
  }

  void judgeRest(size_t I) {
    const Meeting &M = Met[I];
    if (remaining(I) < MuchRemains || !isUsedAgain(M) || OfFew)
      return;
    Verdict V = verdict(Trouble::Scattered, U.Arrays[I].Name);
    V.Remaining = remaining(I);
    if (P.Sampled && V.Remaining <= differenceError(P, V.Remaining, V.Remaining))
      return;
    if (isChanging(M, V.Remaining))
      explainChanging(V, U.Arrays[I], moved(M));
    else
      explainScattered(V, M);
    Result.Verdicts.push_back(std::move(V));
  }

  void explainChanging(Verdict &V, const ArrayUse &A, double Moved) const {
    V.What = Trouble::Changing;
    V.Sentence = "parallel regions divide it among the threads in different ways";
    V.Reason = "wherever its pages are, " + percentText(V.Remaining) +
               " of all accesses are remote; if they were moved before each region, " +
               percentText(V.Remaining - Moved);
    V.Gain = Moved;
    if (!isSurelyEnough(V, V.Remaining)) {
      V.Gain = 0;
    } else {
      V.After.Remote = std::max(0.0, Result.Now.Remote - Moved);
    }
    V.Cures = changingCures(P, A, V.Gain > 0);
  }

  /// Not even its lines belong to nodes.
  bool isScattered(const Meeting &M) const {
    constexpr double Nearly = 0.85;
    return P.Sampled ? M.OfLineInRegion.part() < Nearly : M.ByLineAndRegion < Nearly * M.Accesses;
  }

  static constexpr const char *StaticSchedule =
      "#pragma omp parallel for schedule(static)   # in place of dynamic schedules, small chunks "
      "and "
      "tasks, so that a thread gets the same part each time, in one piece";

  static constexpr const char *Sorting =
      "# sort it into the order in which threads use it, or let each thread allocate and fill what "
      "it uses";

  void explainScattered(Verdict &V, const Meeting &M) const {
    V.Sentence = "no placement of its pages makes them local: " + percentText(V.Remaining) +
                 " of all accesses are remote wherever they are";
    if (P.Sampled && !areEnough(M.OfLineInRegion)) {
      V.Reason = "each page is used by threads of all nodes; whether its lines are, so few samples "
                 "do not tell";
      V.Cures = {Sorting, StaticSchedule};
    } else if (!isScattered(M)) {
      V.Reason = "its lines belong to nodes, but each page holds lines of several: it lies in "
                 "memory in another order than threads use it";
      V.Cures = {Sorting};
    } else {
      V.Reason = "each part is used by threads of all nodes: at random, or by another thread each "
                 "time (dynamic schedules, tasks)";
      V.Cures = {StaticSchedule};
    }
  }

  //===-- Irregular accesses ----------------------------------------------------===//

  /// Where a model has seen the accesses.
  void judgeIrregular() {
    if (!P.SeenBy)
      return;
    const Modelled Seen = modelled(P, U);
    for (size_t I = 0; I < U.Arrays.size(); ++I) {
      if (!isJudged(I) || isReused(P, U.Arrays[I]))
        continue;
      const ModelledUse &Use = Seen.Arrays[I];
      const bool IsIrregular = isUsedByAll(I) && isIrregular(Use);
      const bool SaysTable = IsIrregular && isTable(I) && comesFromOthers(I, Use, Seen.Total);
      const bool SaysPointers = IsIrregular && !isTable(I) && missesMuch(Use, Seen.Total);
      if (SaysTable || SaysPointers || comesFromOwnNode(Use))
        dropScattered(U.Arrays[I].Name);
      if (SaysTable)
        sayTable(I, Use, Seen.Total);
      if (SaysPointers)
        sayShuffled(I, Use, Seen.Total);
    }
  }

  /// What all nodes use of it stays in their caches.
  static bool comesFromOwnNode(const ModelledUse &Use) {
    constexpr double Nearly = 0.85;
    return double(Use.LocalMemory) >= Nearly * double(Use.transfers());
  }

  void dropScattered(const std::string &Name) {
    std::erase_if(Result.Verdicts, [&](const Verdict &V) {
      return V.Array == Name && V.What == Trouble::Scattered;
    });
  }

  /// Each page by threads of all nodes: in place of it all, half of what cannot be local will do.
  bool isUsedByAll(size_t I) const {
    const double Spread = 1 - 1 / double(L.Nodes); /* would be remote at random */
    const Meeting &M = MetAsIs[I];
    return M.Accesses > 0 && M.Accesses - M.ByPage >= Spread / 2 * M.Accesses;
  }

  static bool isIrregular(const ModelledUse &Use) {
    constexpr double Regular = 0.5; /* of the array's misses */
    return Use.Misses > 0 && Use.regularity() < Regular;
  }

  static bool missesMuch(const ModelledUse &Use, const ModelledUse &Total) {
    constexpr double Much = 0.1; /* of all misses */
    return double(Use.Misses) >= Much * double(Total.Misses);
  }

  /// Of all lines from other nodes those that are the array's.
  static double partOfRemote(const ModelledUse &Use, const ModelledUse &Total) {
    return double(Use.remote()) / double(std::max<uint64_t>(1, Total.remote()));
  }

  /// What a pool's table leads to comes with it, but lies in small blocks, which are not counted
  /// as the table's: half will do.
  bool comesFromOthers(size_t I, const ModelledUse &Use, const ModelledUse &Total) const {
    const double Least = std::max(Result.LeastGain, LeastGainByDefault);
    return partOfRemote(Use, Total) >= (isOfPools(I) ? Least / 2 : Least);
  }

  /// Mostly other threads than OpenMP's use it.
  bool isOfPools(size_t I) const {
    double ByPools = 0;
    for (const PageUse &Page : U.Arrays[I].Pages)
      for (const auto &[Thread, Accesses] : Page.Users)
        if (P.Threads[Thread].What == Thread::Kind::Other)
          ByPools += double(Accesses.sum());
    return ByPools > double(U.Arrays[I].Accesses.sum()) / 2;
  }

  /// Pools of threads have no iterations that data could be copied to, nor is what is copied for
  /// one thread seen by others that write.
  bool isTable(size_t I) const {
    constexpr double Often = 0.1; /* of its accesses */
    return isOfPools(I) || MetAsIs[I].Written >= Often * MetAsIs[I].Accesses;
  }

  static std::string lines(const ModelledUse &Use, const ModelledUse &Total) {
    return "a prefetcher predicts " + percentText(Use.regularity()) + " of its " +
           countText(double(Use.Misses)) +
           " misses, and threads of all nodes use each page: " + countText(double(Use.remote())) +
           " lines come from other nodes, " + percentText(partOfRemote(Use, Total)) +
           " of all that do";
  }

  void sayTable(size_t I, const ModelledUse &Use, const ModelledUse &Total) {
    Verdict V = verdict(Trouble::Table, U.Arrays[I].Name);
    V.Remaining = remaining(I);
    V.Sentence = "one table for all nodes: partition by key";
    V.Reason = lines(Use, Total);
    V.Cures = {"# give each node a part of it, mai_partition_new(), and have what concerns a key "
               "done by threads of the key's node, mai_queue_put_by_key(): mai_sharing(3)"};
    Result.Verdicts.push_back(std::move(V));
  }

  void sayShuffled(size_t I, const ModelledUse &Use, const ModelledUse &Total) {
    Verdict V = verdict(Trouble::Irregular, U.Arrays[I].Name);
    V.Remaining = remaining(I);
    V.Sentence =
        "shared by shuffled pointers: no placement helps; copy data instead, saves up to " +
        percentText(partOfRemote(Use, Total)) + " of the lines from other nodes";
    V.Reason = lines(Use, Total);
    V.Cures = {
        "# where pointers to it are exchanged, copy what they lead to, so that each thread's data "
        "stay its own, one behind the other, and touch them first by the same loop"};
    Result.Verdicts.push_back(std::move(V));
  }

  //===-- Lines -----------------------------------------------------------------===//

  void judgeLines(size_t I) {
    /* accesses: below, the lines may have had one writer at a time */
    constexpr double HotCounted = 4096, HotSampled = 16;
    constexpr uint64_t FewLines =
        16; /* of variables; small blocks have had one user after the other */
    const ArrayUse &A = U.Arrays[I];
    const Meeting &M = Met[I];
    const double HotLine = P.Sampled ? HotSampled * OfSample : HotCounted;
    const auto AreHot = [&](double Accesses, uint64_t Lines) {
      return Lines > 0 && (!isRest(I) || Lines <= FewLines) &&
             Accesses >= HotLine * double(Lines) && !isReused(P, A) && isEnough(Accesses / All);
    };
    if (P.Sampled && isRest(I)) /* variables have names there, run-times have locks */
      return;
    if (AreHot(M.FalselyShared, M.FalselySharedLines))
      judgeFalseSharing(A, M);
    if (!AreHot(M.Contended, M.ContendedLines))
      return;
    Verdict V = verdict(Trouble::SharedLines, A.Name);
    V.Gain = M.Contended / All;
    if (!isSurelyEnough(V, V.Gain))
      return;
    V.Sentence = std::to_string(M.LineUsers) + " threads write the same " +
                 (M.ContendedLines == 1 ? "line" : "lines") +
                 " in parallel, which moves from cache to cache";
    V.Reason = countText(uint64_t(M.Contended)) + " accesses to " +
               std::to_string(M.ContendedLines) + " lines are others' than of their main user";
    V.Cures = lineCures(P, A);
    Result.Verdicts.push_back(std::move(V));
  }

  /// Threads that use different bytes of lines need none of what moves.
  void judgeFalseSharing(const ArrayUse &A, const Meeting &M) {
    Verdict V = verdict(Trouble::FalseSharing, A.Name);
    V.Gain = M.FalselyShared / All;
    if (!isSurelyEnough(V, V.Gain))
      return;
    V.Sentence =
        std::to_string(M.FalseLineUsers) + " threads use different bytes of the same " +
        (M.FalselySharedLines == 1 ? "line" : "lines") +
        " in parallel, which moves from cache to cache though none needs what others write";
    V.Reason = countText(uint64_t(M.FalselyShared)) + " accesses to " +
               std::to_string(M.FalselySharedLines) +
               " lines are others' than of their main user; in one of them " +
               bytesByThread(P, M.AFalseLine);
    V.Cures = paddingCures(P, A);
    Result.Verdicts.push_back(std::move(V));
  }

  //===-- Threads ---------------------------------------------------------------===//

  template <typename Rule> bool anyOf(const ArrayUse &A, Rule &&Is) const {
    return std::any_of(Result.Verdicts.begin(), Result.Verdicts.end(),
                       [&](const Verdict &V) { return V.Array == A.Name && Is(V); });
  }

  bool isCured(const ArrayUse &A) const {
    return anyOf(A, [](const Verdict &V) { return V.Gain > 0; });
  }

  /// Where its pages would be does not depend on the threads. What is spread because one node
  /// serves it may be on that node by chance, if threads of several nodes race for its pages.
  bool isPlaced(const ArrayUse &A) const {
    return anyOf(A, [](const Verdict &V) { return V.Gain > 0 && !isRelief(V); });
  }

  /// Arrays need not be spread whose pages belong to nodes once threads are on the right ones.
  void dropWhatThreadsCure() {
    constexpr double NearlyAll = 0.75;
    if (std::none_of(Result.Verdicts.begin(), Result.Verdicts.end(),
                     [](const Verdict &V) { return V.What == Trouble::Threads; }))
      return;
    for (size_t I = 0; I < U.Arrays.size(); ++I)
      if (Met[I].ByPage >= NearlyAll * Met[I].Accesses)
        std::erase_if(Result.Verdicts,
                      [&](const Verdict &V) { return isRelief(V) && V.Array == U.Arrays[I].Name; });
  }

  /// What a page is to threads that go to other nodes.
  enum class Tie {
    Toucher, ///< it would go with its first toucher
    Node,    ///< it is where it is
    Chance   ///< it has had one user after the other, or is placed otherwise: it does not speak
  };

  Tie tie(const ArrayUse &A, size_t I, bool MaySpeak) const {
    const PageUse &Page = A.Pages[I];
    if (!MaySpeak || Page.Node == None || isBorder(A, I))
      return Tie::Chance;
    return isWithToucher(Page) ? Tie::Toucher : Tie::Node;
  }

  /// Calls Visit(tie, page, thread, accesses) for all pages and their users.
  template <typename Visitor> void forEachTie(Visitor &&Visit) const {
    for (const ArrayUse &A : U.Arrays) {
      const bool MaySpeak = A.IsArray && A.Bytes >= LeastBytes && !isReused(P, A) && !isPlaced(A);
      for (size_t I = 0; I < A.Pages.size(); ++I) {
        const Tie Its = tie(A, I, MaySpeak);
        for (const auto &[Thread, Accesses] : A.Pages[I].Users)
          if (L.OfThread[Thread] != None && A.Pages[I].Node != None)
            Visit(Its, A.Pages[I], Thread, double(Accesses.sum()));
      }
    }
  }

  Attraction attraction() const {
    Attraction Sum(P.Threads.size(), L.Nodes);
    forEachTie([&](Tie Its, const PageUse &Page, uint32_t Thread, double Count) {
      if (Its == Tie::Toucher)
        Sum.toPagesOf(Thread, Page.FirstToucher, Count);
      else if (Its == Tie::Node)
        Sum.toNode(Thread, Page.Node, Count);
    });
    return Sum;
  }

  /// How all accesses fare with threads on these nodes; what is chance is as local as it was.
  Effect withThreads(const std::vector<uint32_t> &NodeOf) const {
    Traffic Sum(P.Threads.size(), L.Nodes, All);
    forEachTie([&](Tie Its, const PageUse &Page, uint32_t Thread, double Count) {
      uint32_t Node = Page.Node;
      if (Its == Tie::Toucher)
        Node = NodeOf[Page.FirstToucher];
      else if (Its == Tie::Chance && Node == L.OfThread[Thread])
        Node = NodeOf[Thread];
      else if (Its == Tie::Chance && Node == NodeOf[Thread])
        Node = L.OfThread[Thread];
      Sum.add(Thread, Node, Count);
    });
    return Sum.effect(NodeOf);
  }

  /// What is near then is all on one node.
  bool crowdsOneNode(const Verdict &V) const {
    constexpr double Noticeable = 0.1, Shares = 2;
    return V.After.Busiest > Result.Now.Busiest + Noticeable && V.After.Busiest * L.Nodes > Shares;
  }

  void judgeThreads() {
    constexpr double LeftAtMost = 0.8; /* of the remote accesses; else it is next to chance */
    if (L.Nodes < 2 || OfFew)
      return;
    const std::vector<uint32_t> Better = attraction().best(L.OfThread);
    Verdict V = verdict(Trouble::Threads, "");
    V.After = withThreads(Better);
    V.Gain = Result.Now.Remote - V.After.Remote;
    if (!isSurelyEnough(V, 1) || V.After.Remote > LeftAtMost * Result.Now.Remote ||
        crowdsOneNode(V))
      return;
    V.Sentence = "threads that use the same memory are on different nodes";
    Met = meetings(P, U, Better);
    V.Reason = "better are " + groupsText(P, L, Better);
    V.Nodes = Better;
    V.Cpus = cpusFor(P, L, Better);
    V.Cures = mapCures(P, V.Cpus);
    Result.Verdicts.push_back(std::move(V));
  }

  /// By whole percents: what differs less is in the order of names in every run.
  void sort() {
    const auto Key = [](const Verdict &V) {
      return std::tuple(-std::lround(V.Gain * 100), -std::lround(V.Remaining * 100), V.Array);
    };
    std::stable_sort(Result.Verdicts.begin(), Result.Verdicts.end(),
                     [&](const Verdict &L_, const Verdict &R) { return Key(L_) < Key(R); });
  }

  const Profile &P;
  const double OfSample = sampleWeight(P); ///< what one stands for
  const Usage &U;
  const Layout &L;
  const advice::ProfileAdvisor Advisor;
  const std::vector<uint32_t> Receivers;
  std::vector<Meeting> Met;           ///< with threads on better nodes, where there are some
  const std::vector<Meeting> MetAsIs; ///< as the model has seen them
  const double All;
  const bool OfFew = isOfFew(P, U);
  const Traffic Base;                       ///< as it is
  std::vector<std::vector<bool>> BordersOf; ///< by index in Usage::Arrays: which pages are some
  Judgement Result;
};

std::string threadText(const Profile &P, const Effect &Of) {
  if (Of.MostRemote == None)
    return percentText(0);
  return percentText(Of.MostRemotePart) + " (thread " + P.Threads[Of.MostRemote].name() + ")";
}

} // namespace

Judgement maiprof::judge(const Profile &P, const Usage &U, double LeastGain) {
  return Judging(P, U, LeastGain).run();
}

namespace {

/// What a profile would have been of a program with no other region.
Profile onlyRegion(const Profile &P, uint32_t Phase) {
  Profile Its = P;
  const auto IsOther = [&](const auto &Each) { return Each.Phase != Phase; };
  std::erase_if(Its.Lines, IsOther);
  std::erase_if(Its.Parts, IsOther);
  std::erase_if(Its.CoarsePages, IsOther);
  std::erase_if(Its.Given, IsOther);
  std::erase_if(Its.Bytes, IsOther);
  Its.OnOwnStacks = {};
  Its.HasGaps = true;
  return Its;
}

/// The regions that access most: phases, and how many accesses each makes.
std::vector<std::pair<uint64_t, uint32_t>> mainRegions(const Profile &P) {
  constexpr size_t Most = 12;
  std::vector<std::pair<uint64_t, uint32_t>> All;
  for (uint32_t Phase = 1; Phase <= P.Phases.size(); ++Phase)
    All.emplace_back(0, Phase);
  for (const std::vector<Series> *List : {&P.Lines, &P.Parts, &P.CoarsePages})
    for (const Series &S : *List)
      for (const Touch &T : S.Touches)
        if (S.Phase > 0)
          All[S.Phase - 1].first += T.Accesses.sum();
  std::sort(All.rbegin(), All.rend());
  All.resize(std::min(Most, All.size()));
  return All;
}

} // namespace

void maiprof::judgeRegions(Judgement &J, const Profile &P, const Layout &L) {
  constexpr double LeastPart = 0.02; /* of all accesses: less does not matter */
  const double All = double(totalCounts(P).sum()) / double(P.Sample);
  for (const auto &[Accesses, Phase] : mainRegions(P)) {
    if (double(Accesses) < LeastPart * All)
      continue;
    const Profile Its = onlyRegion(P, Phase);
    J.OfRegions[Phase] = judge(Its, usage(Its, L), J.LeastGain).Verdicts;
  }
}

Effect maiprof::effectOf(const Profile &P, const Usage &U) {
  return trafficNow(P, U).effect(U.Where.OfThread);
}

std::string maiprof::effectText(const Effect &Now, const Effect &After, const Profile &P) {
  return "remote " + percentText(Now.Remote) + " -> " + percentText(After.Remote) +
         ", most loaded node " + percentText(Now.Busiest) + " -> " + percentText(After.Busiest) +
         ", most remote thread " + threadText(P, Now) + " -> " + threadText(P, After);
}

std::string maiprof::summary(const Judgement &J, const Profile &P, const Layout &L) {
  const auto Cured = std::count_if(J.Verdicts.begin(), J.Verdicts.end(),
                                   [](const Verdict &V) { return V.Gain > 0; });
  const std::string Least = percentText(J.LeastGain) + " of the accesses";
  if (Cured > 0)
    return std::to_string(Cured) + (Cured == 1 ? " cure saves " : " cures save ") + Least +
           " or more";
  const std::string Found = std::string("nothing to gain") +
                            (J.Verdicts.empty() ? "" : " by placement") + ": no cure saves " +
                            Least;
  if (L.Nodes < 2)
    return Found + "; there is one node only (--nodes imagines more)";
  return Found + "; remote are " + percentText(J.Now.Remote) + ", the most loaded node serves " +
         percentText(J.Now.Busiest) + ", the most remote thread's are " + threadText(P, J.Now);
}
