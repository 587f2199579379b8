//===-- ProfileAdvice.cpp - what a profile advises for its arrays *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ProfileAdvice.h"

#include "Advise.h"
#include "PagePlaces.h"
#include "PolicyText.h"
#include "Races.h"
#include "RegionLoads.h"
#include "Slices.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

using namespace advice;
using maiprof::None;

//===-- The machine -----------------------------------------------------------===//

static std::vector<uint32_t> sorted(const std::set<uint32_t> &Of) { return {Of.begin(), Of.end()}; }

/// Of each of so many nodes where it is among these; as many as these are, where it is not.
static std::vector<unsigned> indices(const std::vector<uint32_t> &Among, uint32_t Nodes) {
  std::vector<unsigned> Result(Nodes, static_cast<unsigned>(Among.size()));
  for (unsigned I = 0; I < Among.size(); ++I)
    Result[Among[I]] = I;
  return Result;
}

/// The machine's nodes and memories; whatever it says, those where threads and pages are.
void ProfileAdvisor::addNodes() {
  std::set<uint32_t> Running(L.OfThread.begin(), L.OfThread.end());
  std::set<uint32_t> Holding(L.OfPage.begin(), L.OfPage.end());
  for (const maiprof::Cpu &C : P.Cpus)
    if (!L.Imagined)
      Running.insert(C.Node);
  for (uint32_t Node = 0; Node < L.Nodes; ++Node) {
    if (L.Imagined)
      Running.insert(Node);
    if (L.Imagined || P.Nodes.empty() || P.Nodes[Node].MemoryBytes > 0)
      Holding.insert(Node);
  }
  for (std::set<uint32_t> *All : {&Running, &Holding}) {
    All->erase(None);
    if (All->empty())
      All->insert(0);
  }
  WithThreads = sorted(Running);
  WithMemory = sorted(Holding);
  NodeOf = indices(WithThreads, L.Nodes);
  MemoryOf = indices(WithMemory, L.Nodes);
}

void ProfileAdvisor::setMachine() {
  On.Nodes = static_cast<unsigned>(WithThreads.size());
  On.PageBytes = static_cast<double>(P.PageBytes);
  for (const uint32_t Node : WithMemory)
    On.MemoryBytes.push_back(
        L.Imagined || P.Nodes.empty() ? 0 : static_cast<double>(P.Nodes[Node].MemoryBytes));
  std::vector<size_t> Own;
  for (const uint32_t From : WithThreads) {
    std::vector<double> &Row = On.Factors.emplace_back();
    for (const uint32_t To : WithMemory)
      Row.push_back(L.latency(From, To));
    Own.push_back(MemoryOf[From]);
  }
  setNearest(On, Own);
}

ProfileAdvisor::ProfileAdvisor(const maiprof::Profile &Counted, const maiprof::Layout &Where,
                               Runs Meant)
    : P(Counted), L(Where), On(0, 1), Wanted(Meant) {
  addNodes();
  setMachine();
  if (Wanted == Runs::Larger)
    countTeams();
}

/// How many threads access anything in each region.
void ProfileAdvisor::countTeams() {
  const std::vector<uint32_t> Numbers = maiprof::numbers(P);
  std::vector<std::set<uint32_t>> Seen(P.Phases.size() + 1);
  for (const std::vector<maiprof::Series> *List : {&P.Lines, &P.Parts, &P.CoarsePages})
    for (const maiprof::Series &S : *List)
      if (Numbers[S.Thread] != None && S.Phase < Seen.size())
        Seen[S.Phase].insert(Numbers[S.Thread]);
  for (const std::set<uint32_t> &Threads : Seen)
    TeamOf.push_back(static_cast<uint32_t>(Threads.size()));
}

//===-- The accesses ----------------------------------------------------------===//

static uint32_t countThreads(const maiprof::Profile &P) {
  uint32_t Count = 0;
  for (const uint32_t Number : maiprof::numbers(P))
    Count = Number == None ? Count : std::max(Count, Number + 1);
  return Count;
}

/// The nodes of the threads by their numbers; of one that is not known, as if all were distributed
/// in blocks.
Segments ProfileAdvisor::threads() const {
  const std::vector<uint32_t> Numbers = maiprof::numbers(P);
  std::vector<unsigned> OfNumber(countThreads(P), None);
  for (size_t I = 0; I < Numbers.size(); ++I)
    if (Numbers[I] != None && L.OfThread[I] != None)
      OfNumber[Numbers[I]] = NodeOf[L.OfThread[I]];
  Segments Result;
  const auto Threads = static_cast<double>(OfNumber.size());
  for (size_t I = 0; I < OfNumber.size(); ++I) {
    const unsigned Node =
        OfNumber[I] == None ? static_cast<unsigned>(I * On.Nodes / OfNumber.size()) : OfNumber[I];
    if (Result.empty() || Result.back().Node != Node)
      Result.push_back({Node, static_cast<double>(I) / Threads, 0});
    Result.back().End = static_cast<double>(I + 1) / Threads;
  }
  return Result;
}

static bool mayBeRows(const maiprof::ArrayUse &A) {
  return A.What != maiprof::Array::Kind::Static && A.Arrays.size() > 1;
}

/// Of several blocks each is an array by itself, unless whole blocks belong to threads: fewer than
/// these do so by chance.
static bool areRows(const maiprof::ArrayUse &A, const maiprof::ArrayCounts &Apart) {
  return mayBeRows(A) && A.Arrays.size() >= Apart.threads() && Apart.belongToThreads();
}

/// Which of so many equal parts of a team use as much as may be a share of theirs.
static std::vector<bool> users(const maiprof::ArrayCounts &Counts, uint32_t Threads, size_t Parts) {
  std::vector<double> By(Parts, 0);
  for (const maiprof::ArrayCounts::Entry &E : Counts.entries())
    if (!E.Serial && E.Thread < Threads)
      By[size_t(E.Thread) * Parts / Threads] += E.accesses();
  const double Few = Counts.parallelAccesses() / static_cast<double>(4 * Parts + 1);
  std::vector<bool> Result;
  for (const double Accesses : By)
    Result.push_back(Accesses > Few);
  return Result;
}

static bool doAllThreadsUse(const maiprof::ArrayCounts &Counts) {
  return !llvm::is_contained(users(Counts, Counts.threads(), Counts.threads()), false);
}

/// Fewer may belong to groups of threads, such as a copy for each node: there must be no doubt.
static bool areForGroups(const Advice &AsRows, const Advice &Apart) {
  constexpr double Clear = 0.1;
  return !AsRows.IsWell && AsRows.Policy == "block" &&
         AsRows.Then.Remote + Clear < Apart.Then.Remote;
}

/// Where accesses go to pages of which it is known where they are.
/// @param MemoryOfPage of such a page
Flows ProfileAdvisor::flowsTo(llvm::function_ref<size_t(uint32_t Page)> MemoryOfPage,
                              const Access &Of) const {
  Flows Result(On);
  for (const maiprof::ArrayCounts::Entry &E : Of.Counts.entries()) {
    if (E.Page == None || L.OfPage[E.Page] == None)
      continue;
    Sums &To = E.Serial ? Result.Alone : Result.InTeam;
    To[Of.nodeOf(E.Thread)][MemoryOfPage(E.Page)] += E.accesses();
  }
  return Result;
}

Flows ProfileAdvisor::now(const Access &Of) const {
  return flowsTo([&](uint32_t Page) { return MemoryOf[L.OfPage[Page]]; }, Of);
}

/// The same if other nodes' threads had won the races: each those of the node that is so many
/// places in front of its own, so that pages stay together that are.
Flows ProfileAdvisor::hadOthersWon(const Races &Raced, size_t Places, const Access &Of) const {
  std::vector<size_t> Racing;
  for (const unsigned Node : Raced.Nodes)
    Racing.push_back(On.Nearest[Node]);
  const auto MemoryOfPage = [&](uint32_t Page) {
    const size_t Memory = MemoryOf[L.OfPage[Page]];
    const auto Winner = llvm::find(Racing, Memory);
    return Raced.Pages.contains(Page) && Winner != Racing.end()
               ? Racing[(size_t(Winner - Racing.begin()) + Places) % Racing.size()]
               : Memory;
  };
  return flowsTo(MemoryOfPage, Of);
}

bool ProfileAdvisor::isChance(const maiprof::ArrayCounts::Entry &E) const {
  return !E.Serial && E.Phase < P.IsDynamic.size() && P.IsDynamic[E.Phase];
}

/// Whether who used what is chance for much of it.
bool ProfileAdvisor::isMuchChance(const Access &Of) const {
  constexpr double Much = 0.25;
  double ByChance = 0;
  for (const maiprof::ArrayCounts::Entry &E : Of.Counts.entries())
    ByChance += isChance(E) ? E.accesses() : 0;
  return ByChance > Much * Of.Counts.accesses();
}

/// Whether threads may have had nothing to do in loops that were too short: all use some of it, or
/// take part in the regions in which nearly all is used.
bool ProfileAdvisor::doAllTakePart(const Access &Of) const {
  constexpr double NearlyAll = 0.9;
  double InTeams = 0;
  std::set<uint32_t> Users;
  for (const maiprof::ArrayCounts::Entry &E : Of.Counts.entries()) {
    if (E.Serial)
      continue;
    Users.insert(E.Thread);
    if (E.Phase < TeamOf.size() && TeamOf[E.Phase] >= Of.Threads)
      InTeams += E.accesses();
  }
  return Users.size() >= Of.Threads ||
         (P.HasPhases && InTeams >= NearlyAll * Of.Counts.parallelAccesses());
}

/// The part of remote accesses that may be local in the next run, as the threads of the node that
/// has most of the pages may take more pieces of loops: those of the first node, which wakes the
/// others, took about half of what would have been remote.
double ProfileAdvisor::localByLuck(const Access &Of) const {
  constexpr double Taken = 0.5;
  Shares ByChance(WithMemory.size(), 0);
  for (const maiprof::ArrayCounts::Entry &E : Of.Counts.entries()) {
    const uint32_t Node = E.Page == None ? None : L.OfPage[E.Page];
    if (isChance(E) && Node != None && On.Nearest[Of.nodeOf(E.Thread)] != MemoryOf[Node])
      ByChance[MemoryOf[Node]] += E.accesses();
  }
  return Taken * *llvm::max_element(ByChance) / std::max(1.0, Of.Counts.accesses());
}

/// The part of accesses that is local in a run that goes well and was remote, where threads of
/// another node may be the first to touch pages: one node's win all of them.  Of a block that grows
/// they win about half of what more would be local by that than if all nodes' win as many.
/// @return below 0 where it went better than that
double ProfileAdvisor::localByRace(const Races &Raced, const Access &Of, bool Grows) const {
  constexpr double Taken = 0.5;
  Shares Own(WithMemory.size(), 0);
  double Local = 0;
  for (const maiprof::ArrayCounts::Entry &E : Of.Counts.entries()) {
    if (!Raced.Pages.contains(E.Page) || L.OfPage[E.Page] == None)
      continue;
    const size_t Nearest = On.Nearest[Of.nodeOf(E.Thread)];
    Own[Nearest] += E.accesses();
    Local += Nearest == MemoryOf[L.OfPage[E.Page]] ? E.accesses() : 0;
  }
  const double Most = *llvm::max_element(Own);
  const double Mean = std::accumulate(Own.begin(), Own.end(), 0.0) /
                      std::max<double>(1, double(Raced.Nodes.size()));
  const double Won = Grows ? Mean + Taken * (Most - Mean) : std::max(Most, Local);
  return (Won - Local) / std::max(1.0, Of.Counts.accesses());
}

/// How the memories share the pages, if they have them in pieces of several; else nothing.
Shares ProfileAdvisor::inPieces(const maiprof::ArrayCounts &Counts) const {
  std::set<uint32_t> Pages;
  for (const maiprof::ArrayCounts::Entry &E : Counts.entries())
    if (E.Page != None && L.OfPage[E.Page] != None)
      Pages.insert(E.Page);
  Shares Result(WithMemory.size(), 0);
  size_t Changes = 0;
  uint32_t Before = None;
  for (const uint32_t Page : Pages) {
    Changes += Before != None && L.OfPage[Page] != Before;
    Before = L.OfPage[Page];
    Result[MemoryOf[Before]] += 1 / static_cast<double>(Pages.size());
  }
  return Changes * 2 < Pages.size() ? Result : Shares();
}

//===-- The advice ------------------------------------------------------------===//

static Outcome outcome(const Flows &Of, const Machine &On) {
  const double All = total(Of.InTeam) + total(Of.Alone);
  Outcome Result;
  if (All <= 0)
    return Result;
  Result.Latency = 0;
  for (size_t Memory = 0; Memory < On.memories(); ++Memory) {
    double Served = 0;
    for (unsigned Node = 0; Node < On.Nodes; ++Node) {
      const double Part = (Of.InTeam[Node][Memory] + Of.Alone[Node][Memory]) / All;
      Served += Part;
      Result.Remote += On.Nearest[Node] == Memory ? 0 : Part;
      Result.Latency += Part * On.Factors[Node][Memory];
    }
    Result.Busiest = std::max(Result.Busiest, Served);
  }
  return Result;
}

/// The memory of the node that uses it most.
static Alternative bindToMainUser(const Access &Of, const Machine &On) {
  unsigned Main = 0;
  double Most = 0;
  for (unsigned Node = 0; Node < On.Nodes; ++Node) {
    double Sum = 0;
    for (uint32_t Cell = 0; Cell < Of.cells(); ++Cell)
      Sum += Of.Parallel[Node][Cell] + Of.Serial[Node][Cell];
    if (Sum > Most)
      Main = Node;
    Most = std::max(Most, Sum);
  }
  return {.What = Policy::Bind, .Value = On.Nearest[Main]};
}

/// Smaller arrays stay in caches, and their pages do not matter.
static constexpr uint64_t LeastBytes = uint64_t(64) << 10;
/// Smaller blocks hardly have a line for each thread, and show nothing of larger runs.
static constexpr uint64_t LeastNamedBytes = 512;

/// Blocks grow with the program's input, static arrays do not.
bool ProfileAdvisor::mayGrow(const maiprof::ArrayUse &A) const {
  return Wanted == Runs::Larger && A.What != maiprof::Array::Kind::Static;
}

bool ProfileAdvisor::matters(const maiprof::ArrayUse &A, const maiprof::ArrayCounts &Counts) const {
  return A.Bytes >= LeastBytes || (mayGrow(A) && Counts.largestBytes() >= LeastNamedBytes);
}

/// Those that other runs have as well, too.
unsigned ProfileAdvisor::lastingSlices(const maiprof::ArrayUse &A,
                                       const maiprof::ArrayCounts &Counts, unsigned Slices) const {
  return mayGrow(A) && areSides(Slices, Counts.largestBytes()) ? 0 : Slices;
}

/// In larger runs, those that are worth placing, blocks have at least so many bytes, and each
/// memory two pages of each of their slices, so that pages in turn do not fall on parts of these by
/// chance: the policy of a smaller one is chosen as if pages were as much smaller.
Machine ProfileAdvisor::machineFor(const maiprof::ArrayUse &A, const maiprof::ArrayCounts &Counts,
                                   unsigned Slices) const {
  constexpr double Worth = 1 << 20;
  Machine Result = On;
  const double Sliced = 2.0 * Slices * static_cast<double>(On.memories()) * On.PageBytes;
  const double Later = std::max(Worth, Sliced);
  if (const auto Bytes = static_cast<double>(Counts.largestBytes()); mayGrow(A) && Bytes < Later)
    Result.PageBytes *= Bytes / Later;
  return Result;
}

/// How many slices of one length there are, but for what a pool has between them, which does not
/// grow; 0: they have several lengths, or there are none.
static unsigned alikeOf(std::vector<unsigned> Lengths) {
  constexpr double Gap = 0.02;
  if (Lengths.empty())
    return 0;
  const double Between = std::max(1.0, Gap * *llvm::max_element(Lengths));
  llvm::erase_if(Lengths, [&](unsigned Length) { return Length <= Between; });
  if (Lengths.empty())
    return 0;
  const auto [Shortest, Longest] = std::minmax_element(Lengths.begin(), Lengths.end());
  return *Longest - *Shortest <= Between ? static_cast<unsigned>(Lengths.size()) : 0;
}

/// Where it does not fall into parts of threads as a whole, but each of several slices does.
static void addSliced(std::vector<Alternative> &To, const Advisor &Says, const Access &Of,
                      unsigned Slices) {
  if (Says.parts().isClear())
    return;
  std::vector<unsigned> Parts = unequalSlicesOf(Of.Counts, Slices);
  if (const unsigned Alike = alikeOf(Parts); Alike > 1) {
    Slices = Alike;
    Parts.clear();
  }
  if (Slices > 0)
    To.push_back({.What = Policy::Block, .Slices = Slices, .Team = Of.Team});
  if (!Parts.empty())
    To.push_back({.What = Policy::Block,
                  .Slices = static_cast<unsigned>(Parts.size()),
                  .SliceParts = std::move(Parts),
                  .Team = Of.Team});
}

/// Of an array that was allocated for the worst case, what threads use, in equal parts: in other
/// proportions only where these are far from equal, as rows at the edges have less in small runs,
/// and parts may end anywhere in a cell.  What comes and goes is used before it could be found
/// filled.
static void addFilled(std::vector<Alternative> &To, const Advisor &Says, const Access &Of,
                      const Shape &Array) {
  constexpr double Edges = 0.1;
  const Division &Parts = Says.parts();
  const double HalfCells = Of.Threads / (2.0 * std::max(1.0, double(Parts.length())));
  if (Array.UnitBytes > 0 || !Parts.isClear() || Parts.isBackwards() || Parts.first() > 0 ||
      Parts.length() >= Parts.cells() || Parts.evenPart() + Edges + HalfCells < Parts.ownPart())
    return;
  llvm::erase_if(To, [](const Alternative &A) { return !A.Shares.empty(); });
  To.push_back(
      {.What = Policy::Block, .Team = Of.Team, .FilledParts = Parts.inParts(Parts.length())});
}

/// Whether threads have no share of what they use as others do: who had which part was chance.
static bool leavesOut(const Alternative &A, const Access &Of) {
  const std::vector<bool> Uses = users(Of.Counts, Of.Threads, A.Shares.size());
  for (size_t Part = 0; Part < Uses.size(); ++Part)
    if (A.Shares[Part] == 0 && Uses[Part])
      return true;
  return false;
}

/// Whether parts grow and shrink by turns, as the edges of a random graph's vertices do: in larger
/// runs chance makes less of a difference, and another one.  What has a cause, such as a triangle
/// or a boundary, has one turn at most.
static bool goUpAndDown(const std::vector<unsigned> &Lengths) {
  constexpr unsigned Steps = 5; // Less than one is no turn.
  const auto [Least, Most] = std::minmax_element(Lengths.begin(), Lengths.end());
  unsigned Turns = 0, Low = Lengths.front(), High = Low;
  int Way = 0;
  for (const unsigned Length : Lengths) {
    Low = std::min(Low, Length);
    High = std::max(High, Length);
    const bool Falls = Way >= 0 && (High - Length) * Steps > *Most - *Least;
    const bool Rises = Way <= 0 && (Length - Low) * Steps > *Most - *Least;
    if (!Falls && !Rises)
      continue;
    Turns += Way != 0;
    Way = Falls ? -1 : 1;
    Low = High = Length;
  }
  return Turns > 1;
}

/// Fewer rows than threads, of lengths that differ: a larger run has others.
static bool hasUnequalRows(const Division &Parts) {
  constexpr unsigned Noticeable = PartsOfArray / 100;
  if (!Parts.hasFewerRows())
    return false;
  std::vector<unsigned> Rows = Parts.shares();
  llvm::erase(Rows, 0U);
  const auto [Shortest, Longest] = std::minmax_element(Rows.begin(), Rows.end());
  return *Longest - *Shortest > Noticeable;
}

/// Equal parts are of rows then, if the run finds row pointers.
static void divideByRows(std::vector<Alternative> &All) {
  for (Alternative &A : All)
    A.ByRows = isRows(A) && A.Shares.empty() && !A.InParts && !A.Reversed && A.FilledParts == 0;
}

/// In larger runs a row more or less makes no difference: equal parts are what the counted ones are
/// here.
static Alternative asCounted(const Alternative &A, const Advisor &Says) {
  Alternative Exact = A;
  if (isRows(A) && A.Shares.empty() && A.FilledParts == 0 && Says.parts().isRounded())
    Exact.Shares = Says.parts().shares();
  return Exact;
}

static void priceAsCounted(Alternative &A, const Advisor &Says) {
  Alternative Exact = asCounted(A, Says);
  Says.price(Exact);
  A.Counted = Exact.Counted;
}

static std::string textOf(Alternative A, const maiprof::Layout &L,
                          const std::vector<uint32_t> &WithMemory) {
  if (A.What == Policy::Bind)
    A.Value = L.OsIndex[WithMemory[A.Value]];
  return PolicyValue(A).withRange(A).text();
}

/// All is for the first thread whose node has the memory, in parts of the team as many as are said;
/// empty where there is no such thread, or no team.
static std::vector<unsigned> sharesOf(size_t Memory, const Access &Of, const Machine &On) {
  const uint32_t Parts = std::min(Division::MostShares, Of.Threads);
  for (uint32_t Thread = 0; Parts > 1 && Thread < Of.Threads; ++Thread)
    if (On.Nearest[Of.nodeOf(Thread)] == Memory) {
      std::vector<unsigned> Result(Parts, 0);
      Result[size_t(Thread) * Parts / Of.Threads] = 1;
      return Result;
    }
  return {};
}

/// Without what depends on the array's size, such as the range that is used, which is most of what
/// is divided; pieces of so many units say nothing of other arrays. Nor does a node of those on
/// which other runs have their threads elsewhere.
static std::string relativeText(Alternative A, const maiprof::Layout &L,
                                const std::vector<uint32_t> &WithMemory, const Access &Of,
                                const Machine &On) {
  if (A.What == Policy::BlockCyclic || A.What == Policy::Replicate)
    return "";
  if (A.What == Policy::Bind) {
    A.Shares = sharesOf(A.Value, Of, On);
    A.What = A.Shares.empty() ? Policy::Bind : Policy::Block;
  }
  A.Before = A.Count = 0;
  A.Team = 0;
  return textOf(A, L, WithMemory);
}

/// How the memories share what the policy has in pieces; else nothing.
static Shares piecesBy(const Alternative &A, const Access &Of, const Shape &Array,
                       const Machine &On) {
  const bool InPieces = isRows(A) || A.What == Policy::LeaveAlone;
  return InPieces ? placed(A, Of, Array, On) : Shares();
}

/// What threads wait for that are at one memory at a time.
static double waitingInStep(const Shares &Pieces, const Access &Of, const Machine &On) {
  return Of.Counts.parallelAccesses() * (meeting(Of, Pieces, On) - 1);
}

/// A price without what an array by itself has threads wait for and beside others does not.
/// @param Waiting accesses that they wait for beside others
static Metrics spared(Metrics Price, const Access &Of, double Waiting) {
  const double ByItself = Of.traffic() * (Price.Busiest - 1);
  const double Beside = Of.BytesEach * Waiting;
  Price.Cost -= std::max(0.0, ByItself - Beside);
  return Price;
}

static bool isFarther(const Outcome &Then, const Outcome &Now) {
  constexpr double Noticeable = 0.01;
  return Then.Remote > Now.Remote + Noticeable;
}

/// A price by what the program waits for: one access of serial code holds up the whole team.
static Metrics byWaiting(Metrics Price, const Flows &Of, const Access &By, const Machine &On) {
  Flows Serial(On);
  Serial.Alone = Of.Alone;
  Price.Cost += (By.Threads - 1) * price(Serial, On, By.BytesEach, 1).Cost;
  return Price;
}

/// The cheapest division that it would not be worth to give up, of those that are priced and
/// sorted.
static const Alternative *asWell(const std::vector<Alternative> &Sorted, const Metrics &AsItIs,
                                 double Traffic) {
  const auto Found = llvm::find_if(Sorted, [&](const Alternative &A) {
    return A.What == Policy::Block && A.Fits && !isWorth(AsItIs, *A.Counted, Traffic);
  });
  return Found == Sorted.end() ? nullptr : &*Found;
}

static bool isAsGood(const Alternative &A, const Metrics &AsItIs, double Traffic) {
  constexpr double NextToNothing = 0.01;
  return A.Counted->Remote <= AsItIs.Remote + NextToNothing * Traffic &&
         A.Counted->Cost <= AsItIs.Cost + NextToNothing * Traffic;
}

/// What mai-run places by name it counts in bytes; what others do, is theirs to know. In larger
/// runs another range of a static array is used.
uint64_t ProfileAdvisor::unitBytes(const maiprof::ArrayUse &A) const {
  return Wanted == Runs::Counted && A.What == maiprof::Array::Kind::Static ? 1 : 0;
}

Advice ProfileAdvisor::ofRows(const maiprof::ArrayUse &A, uint64_t RowBytes,
                              const RegionLoads *Others) const {
  Advice Result = of(A, maiprof::asRows(P, A.Arrays), RowBytes, RowBytes, Others);
  Result.OfRows = true;
  return Result;
}

/// The rows are divided among the first threads of the nodes: those of a loop would be among the
/// first of all threads, where there are fewer rows.
std::string ProfileAdvisor::rowsOverNodes() const {
  const Segments Nodes = threads();
  const uint32_t Parts = std::min(Division::MostShares, countThreads(P));
  Alternative A{.What = Policy::Block, .Shares = std::vector<unsigned>(Parts, 0)};
  for (const Segment &S : Nodes)
    A.Shares[std::min<size_t>(std::lround(S.Begin * Parts), Parts - 1)] = 1;
  return textOf(A, L, WithMemory);
}

/// @param Others what other arrays have memories serve; nullptr: it is seen by itself
Advice ProfileAdvisor::of(const maiprof::ArrayUse &A, const RegionLoads *Others) const {
  if (!A.IsArray || A.Accesses.sum() == 0)
    return {};
  const maiprof::ArrayCounts Counts(P, maiprof::apart(P, A.Arrays));
  if (areRows(A, Counts))
    return ofRows(A, Counts.largestBytes(), Others);
  Advice Apart = of(A, maiprof::apart(P, A.Arrays), unitBytes(A), 0, Others);
  if (!mayBeRows(A) || A.Arrays.size() >= Counts.threads() || !doAllThreadsUse(Counts))
    return Apart;
  Advice AsRows = ofRows(A, Counts.largestBytes(), Others);
  if (!areForGroups(AsRows, Apart))
    return Apart;
  AsRows.Policy = AsRows.Relative = rowsOverNodes();
  return AsRows;
}

std::vector<uint32_t> ProfileAdvisor::receivers() const {
  std::set<uint32_t> Result;
  for (const unsigned Memory : On.Nearest)
    Result.insert(WithMemory[Memory]);
  return sorted(Result);
}

Access ProfileAdvisor::access(const maiprof::ArrayCounts &Counts, uint64_t RowBytes) const {
  Access Of(Counts, On, threads(), countThreads(P));
  Of.BytesEach = maiprof::bytesEach(P);
  Of.Sweeping = 1 - Counts.jumpingPart();
  if (RowBytes > 0)
    Of.RowBytes = {RowBytes};
  Of.Rows = static_cast<double>(Counts.largestBytes()) /
            static_cast<double>(std::max(P.LineBytes, RowBytes));
  return Of;
}

/// The node of each of an array's pages by a policy; None: distributed.
std::vector<uint32_t> ProfileAdvisor::nodesOfPages(const maiprof::ArrayUse &A,
                                                   const PagePlaces *Places,
                                                   const Access &Of) const {
  const std::vector<uint32_t> Numbers = maiprof::numbers(P);
  const auto FirstTouched = [&](const maiprof::PageUse &Page) {
    const uint32_t Number = Page.FirstToucher == None ? None : Numbers[Page.FirstToucher];
    return size_t(On.Nearest[Number == None ? 0 : Of.nodeOf(Number)]);
  };
  std::vector<uint32_t> Result;
  for (const maiprof::PageUse &Page : A.Pages) {
    const size_t Memory = Places ? Places->memoryOf(Page.Number * P.PageBytes) : FirstTouched(Page);
    Result.push_back(Memory < WithMemory.size() ? WithMemory[Memory] : None);
  }
  return Result;
}

/// How an array is used, and how that fares as it is.
struct ProfileAdvisor::Use {
  const maiprof::ArrayUse &A;
  const maiprof::ArrayCounts &Counts;
  const Access &Of;
  const Shape &Array;
  const Flows &Now;
  const Races Raced;     ///< where the next run may go differently
  const unsigned Slices; ///< slicesOf() it
  const Machine Sized;   ///< as large as its policy is chosen for
  const Shares Pieces;   ///< inPieces()
  const Metrics AsItIs;  ///< where races for it go badly

  bool isWorth(const Metrics &New, const Metrics &Old) const {
    return advice::isWorth(New, Old, Of.traffic());
  }
};

ProfileAdvisor::Use ProfileAdvisor::use(const maiprof::ArrayUse &A,
                                        const maiprof::ArrayCounts &Counts, const Access &Of,
                                        const Shape &Array, const Flows &Now) const {
  Races Raced = Wanted == Runs::Larger ? racesOf(P, Of) : Races();
  const unsigned Slices = lastingSlices(A, Counts, slicesOf(Counts));
  Machine Sized = machineFor(A, Counts, Slices);
  Shares Pieces = inPieces(Counts);
  const double Meeting = Pieces.empty() ? 1 : meeting(Of, Pieces, Sized);
  const Metrics AsItIs = Raced.Pages.empty() ? price(Now, Sized, Of.BytesEach, Meeting)
                                             : priceOfLostRaces(Raced, Of, Sized, Meeting);
  return {
      A,     Counts, Of, Array, Now, std::move(Raced), Slices, std::move(Sized), std::move(Pieces),
      AsItIs};
}

/// What first touch costs where the threads of another node win its races, and that goes badly: a
/// policy that costs less then is no farther where it goes well (withoutFarther()).
Metrics ProfileAdvisor::priceOfLostRaces(const Races &Raced, const Access &Of, const Machine &Sized,
                                         double Meeting) const {
  Metrics Worst;
  for (size_t Places = 0; Places < Raced.Nodes.size(); ++Places) {
    const Metrics One = price(hadOthersWon(Raced, Places, Of), Sized, Of.BytesEach, Meeting);
    Worst = One.Cost > Worst.Cost ? One : Worst;
  }
  return Worst;
}

/// Without what only a team can have, or larger arrays, nor for these what chance makes of smaller
/// ones.
std::vector<Alternative> ProfileAdvisor::candidates(const Use &U, const Advisor &Says) const {
  const bool IsTeam = maiprof::hasTeam(P);
  std::vector<Alternative> All = Says.candidates();
  if (!maiprof::comesAndGoes(P, U.A))
    addFilled(All, Says, U.Of, U.Array);
  const auto Pages = static_cast<double>(U.Counts.largestBytes()) / U.Sized.PageBytes;
  const bool KnowsShares = U.Counts.threads() == U.Of.Threads && !Says.isCoarse();
  const bool IsRandom = mayGrow(U.A) && llvm::any_of(All, [](const Alternative &A) {
                          return !A.Shares.empty() && goUpAndDown(A.Shares);
                        });
  llvm::erase_if(All, [&](const Alternative &A) {
    const bool IsDivided = A.What == Policy::Block || A.What == Policy::BlockCyclic;
    return A.What != Policy::LeaveAlone &&
           (Pages < static_cast<double>(U.Sized.memories()) || (IsDivided && !IsTeam) ||
            (!A.Shares.empty() && (!KnowsShares || leavesOut(A, U.Of) || IsRandom)));
  });
  if ((IsRandom || hasUnequalRows(Says.parts())) && !maiprof::comesAndGoes(P, U.A))
    divideByRows(All);
  if (IsTeam)
    addSliced(All, Says, U.Of, U.Slices);
  llvm::erase_if(All, [&](const Alternative &A) {
    return A.SliceParts.empty() && lastingSlices(U.A, U.Counts, A.Slices) < A.Slices;
  });
  All.push_back(bindToMainUser(U.Of, U.Sized));
  return All;
}

/// The cheapest first.
std::vector<Alternative> ProfileAdvisor::sortedCandidates(const Use &U, const Advisor &Says) const {
  std::vector<Alternative> All = candidates(U, Says);
  for (Alternative &Each : All) {
    Says.price(Each);
    if (Each.What == Policy::LeaveAlone && !U.Raced.Pages.empty())
      Each.Counted = U.AsItIs;
    if (!mayGrow(U.A))
      continue;
    if (Each.What != Policy::LeaveAlone)
      priceAsCounted(Each, Says);
    Each.EndsEmpty = endsEmpty(U.Counts, Each.SliceParts);
  }
  llvm::stable_sort(All, isBefore);
  return All;
}

/// What does as much as first touch, which is well.
void ProfileAdvisor::addAsWell(Advice &To, const Use &U,
                               const std::vector<Alternative> &Sorted) const {
  const double Traffic = U.Of.traffic();
  if (const Alternative *Same = asWell(Sorted, U.AsItIs, Traffic)) {
    To.AsWell = relativeText(*Same, L, WithMemory, U.Of, U.Sized);
    To.IsAsGood = isAsGood(*Same, U.AsItIs, Traffic);
  }
  To.IsTouchedApart = U.Of.isTouchedApart();
}

/// Those that have no more accesses go to other nodes than first touch has, with some luck, and do
/// not follow who had which part by chance.
std::vector<Alternative> ProfileAdvisor::withoutFarther(const std::vector<Alternative> &Sorted,
                                                        const Use &U, const Advisor &Says) const {
  Outcome ByLuck = outcome(U.Now, On);
  ByLuck.Remote -= localByLuck(U.Of) + localByRace(U.Raced, U.Of, mayGrow(U.A));
  const bool IsMuchChance = isMuchChance(U.Of);
  std::vector<Alternative> Result;
  llvm::copy_if(Sorted, std::back_inserter(Result), [&](const Alternative &A) {
    if (A.What == Policy::LeaveAlone)
      return true;
    const bool FollowsUsers = A.What == Policy::Bind || !A.Shares.empty();
    return !(FollowsUsers && IsMuchChance) &&
           !isFarther(outcome(flows(asCounted(A, Says), U.Of, U.Array, U.Sized), On), ByLuck);
  });
  return Result;
}

/// Pages in turn, where they would be worth it and make no accesses remote, but for what is chance.
void ProfileAdvisor::addSparing(Advice &To, const Use &U, const Alternative &A) const {
  if (A.What == Policy::Cyclic && U.isWorth(*A.Counted, U.AsItIs) &&
      !isFarther(outcome(flows(A, U.Of, U.Array, U.Sized), On), outcome(U.Now, On)))
    To.Sparing = relativeText(A, L, WithMemory, U.Of, U.Sized);
}

/// Whether a policy is worth it with what others have memories serve.
bool ProfileAdvisor::isWorthBeside(const RegionLoads &Others, const Use &U, const Alternative &New,
                                   const std::vector<uint32_t> &NodeOfPage) const {
  const auto Spared = [&](const Metrics &Price, const std::vector<uint32_t> &Where,
                          const Shares &Pieces) {
    return spared(Price, U.Of,
                  std::max(Others.queuesOf(loads(U.A, U.Counts, Where)),
                           waitingInStep(Pieces, U.Of, U.Sized)));
  };
  return U.isWorth(Spared(*New.Counted, NodeOfPage, piecesBy(New, U.Of, U.Array, U.Sized)),
                   Spared(U.AsItIs, {}, U.Pieces));
}

/// Whether a policy that makes more accesses remote is worth it by what the program waits for.
bool ProfileAdvisor::isWorthWaiting(const Use &U, const Alternative &New, const Flows &Then) const {
  return !isFarther(outcome(Then, On), outcome(U.Now, On)) ||
         U.isWorth(byWaiting(*New.Counted, Then, U.Of, U.Sized),
                   byWaiting(U.AsItIs, U.Now, U.Of, U.Sized));
}

/// What first touch may have in other runs.
static std::string reasonOfRaces(const Metrics &AtWorst, double Traffic) {
  return llvm::formatv("; threads race for its first touch, by which {0:f1} % may be remote",
                       100 * AtWorst.Remote / Traffic);
}

/// @param UnitBytes of what policies count, where that is known
/// @param RowBytes the same of rows
Advice ProfileAdvisor::of(const maiprof::ArrayUse &A, std::vector<maiprof::ArrayCounts::Part> Parts,
                          uint64_t UnitBytes, uint64_t RowBytes, const RegionLoads *Others) const {
  const maiprof::ArrayCounts Counts(P, Parts);
  // Bytes are rows, too: pieces of so many may alternate.
  const Access Of = access(Counts, RowBytes > 0 ? RowBytes : UnitBytes);
  Shape Array{Counts.largestBytes(), UnitBytes, {}};
  if (RowBytes > 0)
    Array.Extents = {Array.Bytes / RowBytes, RowBytes};
  const Flows Now = now(Of);
  Advice Result;
  Result.Now = Result.Then = outcome(Now, On);
  if (On.memories() < 2 || Counts.accesses() <= 0 || !matters(A, Counts))
    return Result;
  const Use U = use(A, Counts, Of, Array, Now);
  const Advisor Says(Of, Array, U.Sized, RowBytes == 0,
                     mayGrow(A) && doAllTakePart(Of) ? Of.Threads : 0);
  const std::vector<Alternative> Sorted = sortedCandidates(U, Says);
  const std::vector<Alternative> Allowed =
      Wanted == Runs::Larger ? withoutFarther(Sorted, U, Says) : Sorted;
  const Alternative &Best = Says.best(Allowed);
  if (!U.isWorth(*Best.Counted, U.AsItIs)) {
    addAsWell(Result, U, isMuchChance(Of) || !U.Raced.Pages.empty() ? Allowed : Sorted);
    addSparing(Result, U, Says.best(Sorted));
    return Result;
  }
  const PagePlaces Places(Best, Of, Array, On, std::move(Parts));
  std::vector<uint32_t> NodeOfPage =
      nodesOfPages(A, Best.What == Policy::LeaveAlone ? nullptr : &Places, Of);
  const Flows Then = flows(mayGrow(A) ? asCounted(Best, Says) : Best, Of, Array, U.Sized);
  if ((Others && !isWorthBeside(*Others, U, Best, NodeOfPage)) || !isWorthWaiting(U, Best, Then))
    return Result;
  Result.IsWell = false;
  Result.Policy = textOf(Best, L, WithMemory);
  Result.Divides = Best.What == Policy::Block || Best.What == Policy::BlockCyclic;
  Result.Relative = relativeText(Best, L, WithMemory, Of, U.Sized);
  Result.Reason = Says.reason(Best);
  if (!U.Raced.Pages.empty())
    Result.Reason += reasonOfRaces(U.AsItIs, Of.traffic());
  Result.Then = outcome(Then, On);
  Result.NodeOfPage = std::move(NodeOfPage);
  return Result;
}

//===-- Beside others ---------------------------------------------------------===//

/// Adds what a thread has memories serve, as pages are.
void ProfileAdvisor::addLoads(const maiprof::Series &S, uint64_t UnitBytes, RegionLoads &To) const {
  auto Held = P.Pages.begin();
  for (const maiprof::Touch &T : S.Touches) {
    const uint64_t Number = T.Unit * UnitBytes / P.PageBytes;
    Held = std::find_if(Held, P.Pages.end(),
                        [&](const maiprof::Page &Known) { return Known.Number >= Number; });
    if (Held == P.Pages.end())
      return;
    const uint32_t Node = L.OfPage[size_t(Held - P.Pages.begin())];
    if (Held->Number == Number && Node != None)
      To.add(S.Phase, NodeOf[L.OfThread[S.Thread]], MemoryOf[Node],
             double(T.Accesses.sum()) * double(P.Sample));
  }
}

/// What OpenMP's threads have memories serve in parallel regions, as pages are.
RegionLoads ProfileAdvisor::allLoads() const {
  RegionLoads Result(On);
  const std::vector<uint32_t> Numbers = maiprof::numbers(P);
  const auto Add = [&](const std::vector<maiprof::Series> &List, uint64_t UnitBytes) {
    for (const maiprof::Series &S : List)
      if (Numbers[S.Thread] != None && L.OfThread[S.Thread] != None && S.Phase != 0)
        addLoads(S, UnitBytes, Result);
  };
  Add(P.Lines, P.LineBytes);
  Add(P.Parts, 1);
  Add(P.CoarsePages, P.PageBytes);
  return Result;
}

/// What an array has them serve.
/// @param NodeOfPage as Advice has it; empty: as pages are
RegionLoads ProfileAdvisor::loads(const maiprof::ArrayUse &A, const maiprof::ArrayCounts &Counts,
                                  const std::vector<uint32_t> &NodeOfPage) const {
  RegionLoads Result(On);
  const Access Of = access(Counts, 0);
  const auto Placed = [&](uint32_t Page) {
    const auto Found = llvm::lower_bound(
        A.Pages, P.Pages[Page].Number,
        [](const maiprof::PageUse &Each, uint64_t Number) { return Each.Number < Number; });
    const bool IsKnown = Found != A.Pages.end() && Found->Number == P.Pages[Page].Number;
    return IsKnown ? NodeOfPage[size_t(Found - A.Pages.begin())] : L.OfPage[Page];
  };
  for (const maiprof::ArrayCounts::Entry &E : Counts.entries()) {
    if (E.Serial || E.Page == None || L.OfPage[E.Page] == None)
      continue;
    const uint32_t Node = NodeOfPage.empty() ? L.OfPage[E.Page] : Placed(E.Page);
    if (Node == None)
      Result.spread(E.Phase, Of.nodeOf(E.Thread), E.accesses());
    else
      Result.add(E.Phase, Of.nodeOf(E.Thread), MemoryOf[Node], E.accesses());
  }
  return Result;
}

/// An advice that spares queues by making more accesses remote.
static bool paysWithDistance(const Advice &Its) {
  return !Its.IsWell && isFarther(Its.Then, Its.Now);
}

std::vector<Advice> ProfileAdvisor::of(const std::vector<maiprof::ArrayUse> &Arrays) const {
  std::vector<Advice> Result;
  for (const maiprof::ArrayUse &A : Arrays)
    Result.push_back(of(A, nullptr));
  if (!P.HasPhases || llvm::none_of(Result, paysWithDistance))
    return Result;
  RegionLoads All = allLoads();
  const auto CountsOf = [&](size_t I) {
    return maiprof::ArrayCounts(P, maiprof::apart(P, Arrays[I].Arrays));
  };
  for (size_t I = 0; I < Arrays.size(); ++I) {
    if (Result[I].IsWell)
      continue;
    const maiprof::ArrayCounts Counts = CountsOf(I);
    All -= loads(Arrays[I], Counts, {});
    All += loads(Arrays[I], Counts, Result[I].NodeOfPage);
  }
  for (size_t I = 0; I < Arrays.size(); ++I) {
    if (!paysWithDistance(Result[I]))
      continue;
    const maiprof::ArrayCounts Counts = CountsOf(I);
    All -= loads(Arrays[I], Counts, Result[I].NodeOfPage);
    Result[I] = of(Arrays[I], &All);
    All += loads(Arrays[I], Counts, Result[I].NodeOfPage);
  }
  return Result;
}
