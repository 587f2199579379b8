//===-- CountedModel.cpp - what a placement costs by counts -----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CountedModel.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace mapp;

CountedModel::CountedModel(const ArrayDeclaration &Declared, const std::vector<Use> &All,
                           const Machine &Wanted, const Counted &Given)
    : Array(Declared), Uses(All), On(Wanted), Known(Given), Counts(Given.Counts),
      Cost(Declared, All, Wanted) {
  // Where all loops have teams of their own, the greatest of these was counted.
  for (const Use &U : Uses)
    if (U.How != Pattern::OneThread)
      Team = std::max(Team, U.Team);
  if (llvm::any_of(Uses, [](const Use &U) { return U.How != Pattern::OneThread && U.Team == 0; }))
    Team = 0;
  Nodes = Cost.segments(Team);
  addUp();
}

//===-- Who runs where --------------------------------------------------------===//

unsigned CountedModel::nodeOf(uint32_t Thread) const {
  const double Threads = std::max(1U, Counts.threads());
  const double Position = std::min(Thread + 0.5, Threads - 0.5) / Threads;
  for (const CostModel::Segment &S : Nodes)
    if (Position < S.End)
      return S.Node;
  return Nodes.back().Node;
}

void CountedModel::addUp() {
  const uint32_t Cells = Counts.cells();
  Parallel.assign(On.Nodes, std::vector<double>(Cells, 0));
  Serial = Parallel;
  for (uint32_t Thread = 0; Thread < Counts.rows(); ++Thread) {
    const unsigned Node = nodeOf(Thread);
    for (uint32_t Cell = 0; Cell < Cells; ++Cell) {
      Parallel[Node][Cell] += Counts.parallel(Thread, Cell);
      Serial[Node][Cell] += Counts.serial(Thread, Cell);
    }
  }
}

//===-- How threads meet ------------------------------------------------------===//

/// The part of the parallel accesses to what several nodes use alike: 0 where each part of the
/// array is used by one node, 1 where all use all of it as often.
double CountedModel::commonPart() const {
  const auto Users = static_cast<double>(llvm::count_if(
      Parallel, [](const auto &Of) { return llvm::any_of(Of, [](double A) { return A > 0; }); }));
  double Common = 0, All = 0;
  for (uint32_t Cell = 0; Cell < Counts.cells(); ++Cell) {
    double Sum = 0, Most = 0;
    for (const std::vector<double> &Of : Parallel) {
      Sum += Of[Cell];
      Most = std::max(Most, Of[Cell]);
    }
    if (Sum > 0 && Users > 1)
      Common += Sum * (1 - (Most / Sum - 1 / Users) / (1 - 1 / Users));
    All += Sum;
  }
  return All > 0 ? Common / All : 0;
}

/// Of what threads do in common, how much the sources show to go over the array in order; where
/// they show nothing, all of it.
double CountedModel::sweepingPart() const {
  double Sweeping = 0, Jumping = 0;
  for (const Use &U : Uses)
    if (U.How == Pattern::Indirect || U.How == Pattern::SomeThread)
      Jumping += U.Bytes;
    else if (U.How != Pattern::OneThread && U.How != Pattern::Block && U.How != Pattern::PerThread)
      Sweeping += U.Bytes;
  return Sweeping + Jumping > 0 ? Sweeping / (Sweeping + Jumping) : 1;
}

//===-- Where the pages are ---------------------------------------------------===//

/// For each cell the part that each memory has of it.
std::vector<CostModel::Shares> CountedModel::whereCellsAre(const Alternative &A,
                                                           const CostModel::Shares &Placed) const {
  const uint32_t Cells = Counts.cells();
  std::vector<CostModel::Shares> Result(Cells, CostModel::Shares(On.memories(), 0));
  if (A.What == Policy::Block) {
    const double UnitsEach = Cost.units() / Cells;
    for (const CostModel::Segment &S : Cost.blocks(A))
      for (auto Cell = static_cast<uint32_t>(S.Begin / UnitsEach); Cell < Cells; ++Cell) {
        const double Common =
            std::min(S.End, (Cell + 1) * UnitsEach) - std::max(S.Begin, Cell * UnitsEach);
        if (Cell * UnitsEach >= S.End)
          break;
        Result[Cell][On.Home[S.Node]] += std::max(0.0, Common) / UnitsEach;
      }
    return Result;
  }
  for (uint32_t Cell = 0; Cell < Cells; ++Cell) {
    if (A.What != Policy::LeaveAlone) {
      Result[Cell] = Placed;
      continue;
    }
    double Touched = 0;
    for (uint32_t Thread = 0; Thread < Counts.rows(); ++Thread) {
      Result[Cell][On.Home[nodeOf(Thread)]] += Counts.touched(Thread, Cell);
      Touched += Counts.touched(Thread, Cell);
    }
    if (Touched <= 0) // Nobody has used it, or it shares its page with something else.
      Result[Cell][On.Home[0]] = Touched = 1;
    for (double &Share : Result[Cell])
      Share /= Touched;
  }
  return Result;
}

//===-- Metrics ---------------------------------------------------------------===//

CostModel::Streams CountedModel::streams(const Sums &Of, double Whole) const {
  CostModel::Streams Result;
  for (unsigned Node = 0; Node < Of.size(); ++Node)
    for (size_t Memory = 0; Memory < Of[Node].size(); ++Memory)
      if (Of[Node][Memory] > 0)
        Result.push_back({Node, Memory, Of[Node][Memory] / Whole});
  return Result;
}

static double total(const std::vector<std::vector<double>> &Of) {
  double Sum = 0;
  for (const std::vector<double> &Row : Of)
    for (const double One : Row)
      Sum += One;
  return Sum;
}

/// How much longer the node takes that has most to do than if all had as much: for so long other
/// memories may be idle without making anybody wait.
static double unevenness(const std::vector<std::vector<double>> &Of, const Machine &On) {
  double Longest = 0, All = 0, Demand = 0;
  for (unsigned Node = 0; Node < Of.size(); ++Node) {
    double Sum = 0;
    for (const double One : Of[Node])
      Sum += One;
    Longest = std::max(Longest, Sum / On.demand(Node));
    All += Sum;
    Demand += Sum > 0 ? On.demand(Node) : 0;
  }
  return All > 0 ? std::max(1.0, Longest * Demand / All) : 1;
}

/// @param Meeting how much more than its part the most busy memory serves, as far as that comes
/// from
///   threads that go over memories together
Metrics CountedModel::sum(const Sums &InParallel, const Sums &Outside, double Meeting) const {
  Metrics Result;
  const double InTeam = total(InParallel), Alone = total(Outside);
  double Busy = Alone;
  if (InTeam > 0) {
    CostModel::Estimate E = Cost.judge(streams(InParallel, InTeam), unevenness(InParallel, On));
    if (Meeting > E.Busiest) {
      E.Delay += Meeting - E.Busiest;
      E.Busiest = Meeting;
    }
    Result.Remote += InTeam * E.Remote;
    Result.Cost += InTeam * E.Delay;
    Busy += InTeam * E.Busiest;
  }
  if (Alone > 0) { // Serial code has every memory for itself.
    const CostModel::Estimate E = Cost.judge(streams(Outside, Alone));
    Result.Remote += Alone * E.Remote;
    Result.Cost += Alone * (E.Delay - (E.Busiest - 1));
  }
  Result.Busiest = InTeam + Alone > 0 ? Busy / (InTeam + Alone) : 1;
  Result.Remote *= Known.bytesEach();
  Result.Cost *= Known.bytesEach();
  return Result;
}

/// @param InPieces threads that go over the array in order meet one memory after the other
Metrics CountedModel::byCells(const Alternative &A, const CostModel::Shares &Placed,
                              bool InPieces) const {
  const std::vector<CostModel::Shares> Where = whereCellsAre(A, Placed);
  Sums InTeam(On.Nodes, std::vector<double>(On.memories(), 0)), Alone = InTeam;
  for (unsigned Node = 0; Node < On.Nodes; ++Node)
    for (uint32_t Cell = 0; Cell < Counts.cells(); ++Cell)
      for (size_t Memory = 0; Memory < On.memories(); ++Memory) {
        InTeam[Node][Memory] += Parallel[Node][Cell] * Where[Cell][Memory];
        Alone[Node][Memory] += Serial[Node][Cell] * Where[Cell][Memory];
      }
  double Harmonic = 0; // See CostModel::meeting().
  for (size_t M = 0, Queues = 0; M < Placed.size(); ++M)
    if (Placed[M] > 0)
      Harmonic += 1 / static_cast<double>(++Queues);
  const double Together = InPieces ? commonPart() * sweepingPart() : 0;
  return sum(InTeam, Alone, 1 + std::max(0.0, Harmonic - 1) * Together);
}

/// The extents that the array may have had when it had so many bytes: the slowest was another, or
/// all were in proportion.
std::vector<uint64_t> CountedModel::rowBytes() const {
  const uint64_t Then = Counts.largestBytes();
  if (Known.RowBytes > 0)
    return {Known.RowBytes};
  if (Array.Allocated) // Where it has rows they are those of the run.
    return {};
  if (Array.Bytes == 0 || Array.UnitBytes == 0 || Array.Extents.empty() || Then == 0)
    return {};
  if (Array.Extents.size() == 1 || Then == Array.Bytes)
    return {Array.UnitBytes};
  std::vector<uint64_t> Result;
  if (Then % Array.UnitBytes == 0 && Then / Array.UnitBytes >= Counts.threads())
    Result.push_back(Array.UnitBytes);
  const double Scale = std::pow(static_cast<double>(Then) / static_cast<double>(Array.Bytes),
                                1 / static_cast<double>(Array.Extents.size()));
  uint64_t Product = Array.Bytes, Row = 1;
  for (const uint64_t Extent : Array.Extents)
    Product /= Extent; // What is left is an element.
  for (size_t I = 0; I < Array.Extents.size(); ++I) {
    const auto Extent =
        static_cast<uint64_t>(std::llround(static_cast<double>(Array.Extents[I]) * Scale));
    Product *= Extent;
    if (I == 0)
      Row = Extent;
  }
  if (Product == Then && Row > 0)
    Result.push_back(Then / Row);
  return Result;
}

double CountedModel::rows() const {
  constexpr uint64_t Short = 16; // Such extents are vectors at each point and do not grow.
  const auto Bytes = static_cast<double>(Counts.largestBytes());
  double Row = static_cast<double>(Known.Run->Profile.LineBytes);
  const std::vector<uint64_t> Possible = rowBytes();
  for (const uint64_t One : Possible)
    Row = std::max(Row, static_cast<double>(One));
  const auto Growing = llvm::count_if(Array.Extents, [](uint64_t E) { return E >= Short; });
  if (Possible.empty() && Growing > 1 && Array.Bytes > 0) {
    const double Scale =
        std::pow(Bytes / static_cast<double>(Array.Bytes), 1 / static_cast<double>(Growing));
    Row = std::max(Row, Bytes / (Scale * static_cast<double>(Array.Extents[0])));
  }
  return std::max(1.0, Bytes / Row);
}

/// Pages in which pieces of two nodes lie, as a part of all.
double CountedModel::pageRounding(const Alternative &A) const {
  double Boundaries = 1, PieceBytes = 0;
  if (A.What == Policy::BlockCyclic) {
    PieceBytes = static_cast<double>(A.Value) * static_cast<double>(Array.UnitBytes);
  } else {
    Boundaries = On.Nodes;
    PieceBytes = static_cast<double>(Array.Bytes);
    for (unsigned I = 0; I < A.Dimension; ++I)
      PieceBytes /= static_cast<double>(Array.Extents[I]);
  }
  return PieceBytes > 0 ? std::min(1.0, Boundaries * On.PageBytes / (2 * PieceBytes)) : 1;
}

/// Columns and chunks repeat within the array.
Metrics CountedModel::foldedBy(const Alternative &A, const CostModel::Shares &Placed,
                               uint64_t RowBytes) const {
  const double Threads = std::max(1U, Counts.threads());
  // How long the pattern is that repeats, in bytes, and what of it a thread has in turn.
  double Period = static_cast<double>(RowBytes);
  for (unsigned I = 1; A.What == Policy::Block && I < A.Dimension; ++I)
    Period /= static_cast<double>(Array.Extents[I]);
  double Before = 0;
  if (A.What == Policy::BlockCyclic) {
    Before = static_cast<double>(A.Before) * Period;
    Period *= static_cast<double>(A.Value) * Threads;
  }
  const double Rounded = pageRounding(A);
  Sums InTeam(On.Nodes, std::vector<double>(On.memories(), 0)), Alone = InTeam;
  for (const maiprof::ArrayCounts::Entry &E : Counts.entries()) {
    const double Offset = std::max(0.0, static_cast<double>(E.Offset) - Before);
    const double Position = std::fmod(Offset, Period) / Period;
    const auto Owner = static_cast<uint32_t>(Position * Threads);
    const unsigned Node = nodeOf(E.Thread);
    Sums &To = E.Serial ? Alone : InTeam;
    To[Node][On.Home[nodeOf(Owner)]] += E.accesses() * (1 - Rounded);
    for (size_t Memory = 0; Memory < On.memories(); ++Memory)
      To[Node][Memory] += E.accesses() * Rounded * Placed[Memory];
  }
  return sum(InTeam, Alone, 1);
}

Metrics CountedModel::folded(const Alternative &A, const CostModel::Shares &Placed) const {
  // Where rows are not known it is like distributing pages; where they may be these or those, the
  // worse.
  std::optional<Metrics> Worst;
  for (const uint64_t Bytes : rowBytes())
    if (const Metrics F = foldedBy(A, Placed, Bytes); !Worst || F.Cost > Worst->Cost)
      Worst = F;
  return Worst ? *Worst : byCells({.What = Policy::Cyclic}, Placed, false);
}

void CountedModel::estimate(Alternative &A) const {
  const CostModel::Shares Placed = Cost.placed(A);
  if (A.What == Policy::Replicate)
    A.Counted = Metrics{};
  else if (A.What == Policy::BlockCyclic || (A.What == Policy::Block && A.Dimension > 0))
    A.Counted = folded(A, Placed);
  else
    A.Counted = byCells(A, Placed, A.What == Policy::Block || A.What == Policy::LeaveAlone);
}
