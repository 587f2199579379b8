//===-- CountedTraffic.cpp - where counted accesses go ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CountedTraffic.h"

#include "Slices.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace advice;

namespace {

Streams streams(const Sums &Of, double Whole) {
  Streams Result;
  for (unsigned Node = 0; Node < Of.size(); ++Node)
    for (size_t Memory = 0; Memory < Of[Node].size(); ++Memory)
      if (Of[Node][Memory] > 0)
        Result.push_back({Node, Memory, Of[Node][Memory] / Whole});
  return Result;
}

/// How much longer the node takes that has most to do than if all had as much: for so long other
/// memories may be idle without making anybody wait.
double unevenness(const Sums &Of, const Machine &On) {
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

/// What is made in teams, and what by serial code.
std::vector<Traffic> traffic(const Flows &All, const Machine &On, double Meeting) {
  std::vector<Traffic> Result;
  if (const double InTeam = total(All.InTeam); InTeam > 0)
    Result.push_back({.Amount = InTeam,
                      .Ways = streams(All.InTeam, InTeam),
                      .InTeam = true,
                      .Unevenness = unevenness(All.InTeam, On),
                      .Meeting = Meeting});
  if (const double Alone = total(All.Alone); Alone > 0)
    Result.push_back({.Amount = Alone, .Ways = streams(All.Alone, Alone)});
  return Result;
}

} // namespace

Metrics advice::price(const Flows &All, const Machine &On, double BytesEach, double Meeting) {
  Metrics Result = price(traffic(All, On, Meeting), On);
  Result.Remote *= BytesEach;
  Result.Cost *= BytesEach;
  return Result;
}

/// Who is at one memory always does not come there from others: what each asks it for tells how
/// long that is.
double advice::meeting(const Access &Of, const Shares &Placed, const Machine &On) {
  if (llvm::count_if(Placed, [](double Part) { return Part > 0; }) < 2)
    return 1;
  return 1 + (meeting(Of.Nodes, Placed, On, false) - 1) * Of.commonPart() * Of.Sweeping;
}

namespace {

/// Where accesses go, and how they meet there.
struct Routes {
  Flows Ways;
  double Meeting = 1;
};

/// How one array's accesses fare under policies.
class Pricing {
public:
  Pricing(const Access &All, const Shape &Whole, const Machine &Wanted)
      : Of(All), Array(Whole), On(Wanted) {}

  Routes routes(const Alternative &A) const {
    const Shares Placed = placed(A);
    if (isFolded(A))
      return folded(A, Placed);
    const bool InPieces = A.What == Policy::Block || isByTouch(A);
    return {byCells(A, Placed), InPieces ? meeting(Of, Placed, On) : 1};
  }

  Shares placed(const Alternative &A) const {
    return isByTouch(A) ? Of.LeftAlone : advice::placed(A, Array, On, team(A));
  }

  Metrics price(const Routes &R) const {
    return advice::price(R.Ways, On, Of.BytesEach, R.Meeting);
  }

private:
  Segments team(const Alternative &A) const {
    return A.Team == Of.Team ? Of.Nodes : On.segments(A.Team);
  }

  //===-- By cells --------------------------------------------------------------===//

  /// For each cell the part that each memory has of it.
  std::vector<Shares> whereCellsAre(const Alternative &A, const Shares &Placed) const {
    if (A.What == Policy::Block)
      return cellsOf(blocks(A, Array, team(A)));
    if (isByTouch(A))
      return Of.FirstTouched;
    const bool IsOne = Of.Counts.bytes() == Of.Counts.largestBytes();
    return isInTurn(A) && A.What != Policy::Weighted && IsOne
               ? pagesInTurn(Placed)
               : std::vector<Shares>(Of.cells(), Placed);
  }

  /// What all use of a page has one memory, whatever is distributed around it.
  std::vector<Shares> pagesInTurn(const Shares &Placed) const {
    std::vector<size_t> Memories;
    for (size_t Memory = 0; Memory < Placed.size(); ++Memory)
      if (Placed[Memory] > 0)
        Memories.push_back(Memory);
    const double PagesEach =
        static_cast<double>(Array.Bytes) / On.PageBytes / static_cast<double>(Of.cells());
    std::vector<Shares> Result(Of.cells(), Placed);
    for (uint32_t Cell = 0; Cell < Of.cells() && PagesEach < 1; ++Cell) {
      const double Begin = Cell * PagesEach, End = Begin + PagesEach;
      // Of a cell with the border of two pages each has its part.
      const double InFirst = std::min(1.0, (std::floor(Begin) + 1 - Begin) / PagesEach);
      Result[Cell].assign(Placed.size(), 0);
      Result[Cell][Memories[static_cast<size_t>(Begin) % Memories.size()]] += InFirst;
      Result[Cell][Memories[static_cast<size_t>(End) % Memories.size()]] += 1 - InFirst;
    }
    return Result;
  }

  std::vector<Shares> cellsOf(const Segments &Blocks) const {
    const uint32_t Cells = Of.cells();
    std::vector<Shares> Result(Cells, Shares(On.memories(), 0));
    const double UnitsEach = Array.units() / Cells;
    for (const Segment &S : Blocks)
      for (auto Cell = static_cast<uint32_t>(S.Begin / UnitsEach); Cell < Cells; ++Cell) {
        const double Common =
            std::min(S.End, (Cell + 1) * UnitsEach) - std::max(S.Begin, Cell * UnitsEach);
        if (Cell * UnitsEach >= S.End)
          break;
        Result[Cell][On.Nearest[S.Node]] += std::max(0.0, Common) / UnitsEach;
      }
    return Result;
  }

  Flows byCells(const Alternative &A, const Shares &Placed) const {
    const std::vector<Shares> Where = whereCellsAre(A, Placed);
    Flows All(On);
    for (unsigned Node = 0; Node < On.Nodes; ++Node)
      for (uint32_t Cell = 0; Cell < Of.cells(); ++Cell) {
        if (Of.Parallel[Node][Cell] + Of.Serial[Node][Cell] <= 0)
          continue;
        for (size_t Memory = 0; Memory < On.memories(); ++Memory) {
          All.InTeam[Node][Memory] += Of.Parallel[Node][Cell] * Where[Cell][Memory];
          All.Alone[Node][Memory] += Of.Serial[Node][Cell] * Where[Cell][Memory];
        }
      }
    return All;
  }

  //===-- By what repeats -------------------------------------------------------===//

  /// Pages in which pieces of two nodes lie, as a part of all.
  double pageRounding(const Alternative &A) const {
    double Boundaries = 1, PieceBytes = 0;
    if (A.What == Policy::BlockCyclic) {
      PieceBytes = static_cast<double>(A.Value) * static_cast<double>(Array.UnitBytes);
    } else {
      Boundaries = On.Nodes;
      PieceBytes = static_cast<double>(Array.Bytes) / std::max(1U, A.Slices);
      for (unsigned I = 0; I < A.Dimension; ++I)
        PieceBytes /= static_cast<double>(Array.Extents[I]);
    }
    return PieceBytes > 0 ? std::min(1.0, Boundaries * On.PageBytes / (2 * PieceBytes)) : 1;
  }

  /// Columns and chunks repeat within the array.
  Flows foldedBy(const Alternative &A, const Shares &Placed, uint64_t RowBytes) const {
    const double Threads = Of.Threads;
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
    Flows All(On);
    for (const maiprof::ArrayCounts::Entry &E : Of.Counts.entries()) {
      const auto From =
          static_cast<double>(A.Reversed ? Of.Counts.bytesOf(E.Array) - E.Offset - 1 : E.Offset);
      const double Offset = std::max(0.0, From - Before);
      const double Position =
          A.Slices > 0 ? inSlice(A, Offset / static_cast<double>(Of.Counts.bytesOf(E.Array)))
                       : std::fmod(Offset, Period) / Period;
      const auto Owner = static_cast<uint32_t>(Position * Threads);
      const unsigned Node = Of.nodeOf(E.Thread);
      Sums &To = E.Serial ? All.Alone : All.InTeam;
      To[Node][On.Nearest[Of.nodeOf(Owner)]] += E.accesses() * (1 - Rounded);
      for (size_t Memory = 0; Memory < On.memories(); ++Memory)
        To[Node][Memory] += E.accesses() * Rounded * Placed[Memory];
    }
    return All;
  }

  /// Where rows are not known it is like distributing pages; where they may be these or those, the
  /// worse.
  Routes folded(const Alternative &A, const Shares &Placed) const {
    if (A.Slices > 0)
      return {foldedBy(A, Placed, Of.Counts.largestBytes() / A.Slices)};
    std::optional<Routes> Worst;
    for (const uint64_t Bytes : Of.RowBytes)
      if (Routes R{foldedBy(A, Placed, Bytes)}; !Worst || price(R).Cost > price(*Worst).Cost)
        Worst = std::move(R);
    return Worst ? *Worst : Routes{byCells({.What = Policy::Cyclic}, Placed)};
  }

  const Access &Of;
  const Shape &Array;
  const Machine &On;
};

} // namespace

Metrics advice::price(const Alternative &A, const Access &Of, const Shape &Array,
                      const Machine &On) {
  if (A.What == Policy::Replicate)
    return {};
  const Pricing All(Of, Array, On);
  return All.price(All.routes(A));
}

Shares advice::placed(const Alternative &A, const Access &Of, const Shape &Array,
                      const Machine &On) {
  return Pricing(Of, Array, On).placed(A);
}

Flows advice::flows(const Alternative &A, const Access &Of, const Shape &Array, const Machine &On) {
  return Pricing(Of, Array, On).routes(A).Ways;
}
