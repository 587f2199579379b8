//===-- Exchange.cpp - improve a map by distances ---------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A cell is a number of locations that are alike for all others: those of one part and domain.  For
// each thread and each cell the search keeps what the thread would pay there, so what an exchange
// gains follows from four of these numbers.
//
//===----------------------------------------------------------------------===//

#include "Exchange.h"

#include "Cost.h"
#include "Graph.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

using namespace threadmap;

namespace {

/// Gains below this share of the cost are rounding.
constexpr double Rounding = 1e-12;

/// Which contents of domains belong into which domain: a small problem of its own.
class DomainOrder {
public:
  DomainOrder(const Locations &From, std::vector<double> Shared, std::vector<uint32_t> Alike)
      : At(From), Count(From.Domains), Volumes(std::move(Shared)), Shape(std::move(Alike)) {}

  /// By contents: the domain for them, or nothing where no order is cheaper than the one there is.
  std::vector<uint32_t> run(std::mt19937_64 &Random) {
    std::vector<uint32_t> Best(Count);
    std::iota(Best.begin(), Best.end(), 0);
    const double Before = cost(Best);
    double Least = Before;
    for (uint32_t Start = 0; Start < Starts; ++Start) {
      std::vector<uint32_t> Order = Start ? randomOrder(Random) : Best;
      descend(Order);
      const double Cost = cost(Order);
      if (Cost >= Least)
        continue;
      Least = Cost;
      Best = std::move(Order);
    }
    return Least < Before - Rounding * std::fabs(Before) ? Best : std::vector<uint32_t>();
  }

private:
  static constexpr uint32_t Starts = 20;

  double between(uint32_t A, uint32_t B) const { return At.Between[size_t{A} * Count + B]; }
  double volume(uint32_t A, uint32_t B) const { return Volumes[size_t{A} * Count + B]; }

  double cost(const std::vector<uint32_t> &Order) const {
    double Sum = 0;
    for (uint32_t A = 0; A < Count; ++A)
      for (uint32_t B = 0; B < A; ++B)
        Sum += volume(A, B) * between(Order[A], Order[B]);
    return Sum;
  }

  /// Any order that puts contents into domains like their own.
  std::vector<uint32_t> randomOrder(std::mt19937_64 &Random) const {
    std::map<uint32_t, std::vector<uint32_t>> Domains;
    for (uint32_t D = 0; D < Count; ++D)
      Domains[Shape[D]].push_back(D);
    for (auto &[Alike, List] : Domains)
      shuffle(List, Random);
    std::vector<uint32_t> Order;
    for (uint32_t D = 0; D < Count; ++D) {
      Order.push_back(Domains[Shape[D]].back());
      Domains[Shape[D]].pop_back();
    }
    return Order;
  }

  double gain(const std::vector<uint32_t> &Order, uint32_t A, uint32_t B) const {
    double Sum = 0;
    for (uint32_t Other = 0; Other < Count; ++Other)
      if (Other != A && Other != B)
        Sum += (volume(A, Other) - volume(B, Other)) *
               (between(Order[A], Order[Other]) - between(Order[B], Order[Other]));
    return Sum;
  }

  void descend(std::vector<uint32_t> &Order) const {
    const double Least = Rounding * std::fabs(cost(Order));
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (uint32_t A = 0; A < Count; ++A)
        for (uint32_t B = 0; B < A; ++B)
          if (Shape[A] == Shape[B] && gain(Order, A, B) > Least) {
            std::swap(Order[A], Order[B]);
            Changed = true;
          }
    }
  }

  const Locations &At;
  uint32_t Count;
  std::vector<double> Volumes; ///< between the contents of domains
  std::vector<uint32_t> Shape; ///< by domain
};

class Exchange {
public:
  Exchange(const Matrix &M, const Locations &P, Map Start, uint64_t Seed, std::vector<bool> Stay,
           const Crowding *Wanted)
      : At(P), Shared(M, M.threads()), Of(std::move(Start)), Random(Seed), Held(std::move(Stay)),
        By(Wanted) {
    MayOrder = !By && At.Domains > 1 && At.Domains <= MostDomains &&
               std::find(Held.begin(), Held.end(), true) == Held.end();
    makeCells();
    if (MayOrder)
      findShapes();
  }

  Map run() {
    orderDomains();
    settleAll();
    const uint64_t Limit = Work + WorkOfThread * Of.size();
    while (Work < Limit && Of.size() > 1)
      trial();
    if (orderDomains())
      settleAll();
    return std::move(Of);
  }

private:
  static constexpr uint64_t WorkOfThread = 60000;
  static constexpr uint32_t MostDomains = 256; ///< of which the order is searched

  struct Partner {
    uint32_t Location = None;
    double Gain = 0;
  };

  void makeCells() {
    std::map<std::tuple<uint32_t, uint32_t, uint32_t, double>, uint32_t> Known;
    std::vector<std::array<uint32_t, 2>> Examples; // two locations of each, or one twice
    for (uint32_t Location = 0; Location < At.count(); ++Location) {
      const uint32_t Group = By ? By->GroupOf[Location] : 0;
      const double Slow = By && !By->Slowness.empty() ? By->Slowness[Location] : 0;
      const auto [Entry, IsNew] =
          Known.try_emplace({At.Owner[Location], At.Domain[Location], Group, Slow},
                            static_cast<uint32_t>(Known.size()));
      if (IsNew)
        Examples.push_back({Location, Location});
      Examples[Entry->second][1] = Location;
      Cell.push_back(Entry->second);
    }
    Cells = Examples.size();
    for (size_t A = 0; A < Cells; ++A)
      for (size_t B = 0; B < Cells; ++B) {
        const bool IsSingle = A == B && Examples[A][0] == Examples[A][1];
        Distance.push_back(IsSingle ? 0 : At.weight(Examples[A][0], Examples[B][A == B]));
      }
  }

  /// Domains are alike that have locations at the same distances from one another, with the same
  /// needs; by number, the first such domain.
  void findShapes() {
    std::vector<std::vector<uint32_t>> Members(At.Domains);
    for (uint32_t Location = 0; Location < At.count(); ++Location)
      Members[At.Domain[Location]].push_back(Location);
    for (uint32_t D = 0; D < At.Domains; ++D) {
      uint32_t First = 0;
      while (!areAlike(Members[First], Members[D]))
        ++First;
      Shape.push_back(First);
    }
    LocationsOf = std::move(Members);
  }

  bool areAlike(const std::vector<uint32_t> &A, const std::vector<uint32_t> &B) const {
    if (A.size() != B.size())
      return false;
    for (size_t I = 0; I < A.size(); ++I) {
      if (At.AtLeast[At.Unit[A[I]]] != At.AtLeast[At.Unit[B[I]]])
        return false;
      for (size_t J = 0; J < I; ++J)
        if (At.weight(A[I], A[J]) != At.weight(B[I], B[J]) ||
            (At.Unit[A[I]] == At.Unit[A[J]]) != (At.Unit[B[I]] == At.Unit[B[J]]))
          return false;
    }
    return true;
  }

  /// @return whether whole contents of domains were exchanged
  bool orderDomains() {
    if (!MayOrder)
      return false;
    std::vector<double> Between(size_t{At.Domains} * At.Domains, 0);
    for (uint32_t A = 0; A < Of.size(); ++A)
      Shared.forEach(A, [&](uint32_t B, double Volume) {
        Between[size_t{At.Domain[Of[A]]} * At.Domains + At.Domain[Of[B]]] += Volume;
      });
    const std::vector<uint32_t> Order = DomainOrder(At, std::move(Between), Shape).run(Random);
    if (Order.empty())
      return false;
    std::vector<uint32_t> Rank(At.count()); // of each location in its domain
    for (const std::vector<uint32_t> &List : LocationsOf)
      for (uint32_t I = 0; I < List.size(); ++I)
        Rank[List[I]] = I;
    for (uint32_t &Location : Of)
      Location = LocationsOf[Order[At.Domain[Location]]][Rank[Location]];
    return true;
  }

  /// Counts what each thread pays where.
  void prepare() {
    ThreadAt = threadsByLocation(At, Of);
    TakenOfUnit.assign(At.AtLeast.size(), 0);
    Price.assign(Of.size() * Cells, 0);
    Row.assign(Of.size(), 0);
    Queued.assign(Of.size(), false);
    Queue.clear();
    double Total = 0;
    for (uint32_t Thread = 0; Thread < Of.size(); ++Thread) {
      ++TakenOfUnit[At.Unit[Of[Thread]]];
      Shared.forEach(Thread, [&](uint32_t Other, double Volume) {
        addPrice(Thread, Volume, Cell[Of[Other]]);
      });
      Total += std::fabs(price(Thread, Cell[Of[Thread]]));
    }
    Least = Total * Rounding;
    if (By)
      prepareLoads(Total);
  }

  void prepareLoads(double Total) {
    Load = By->loads(Of);
    if (Penalty == 0)
      Penalty = By->unitPrice(Total);
  }

  /// What crowding costs less when a thread goes to a location and the one there comes here.
  double relief(uint32_t Thread, uint32_t To) const {
    const uint32_t From = Of[Thread], Other = ThreadAt[To];
    const double Moved = By->Weight[Thread] - (Other == None ? 0 : By->Weight[Other]);
    const double Speed = By->Slowness.empty() ? 0 : Moved * (By->Slowness[From] - By->Slowness[To]);
    const uint32_t Here = By->GroupOf[From], There = By->GroupOf[To];
    if (Here == There)
      return Penalty * Speed;
    return Penalty *
           (By->excess(Here, Load[Here]) + By->excess(There, Load[There]) -
            By->excess(Here, Load[Here] - Moved) - By->excess(There, Load[There] + Moved) + Speed);
  }

  double &price(uint32_t Thread, uint32_t To) { return Price[Thread * Cells + To]; }
  double distance(uint32_t A, uint32_t B) const { return Distance[A * Cells + B]; }

  void addPrice(uint32_t Thread, double Volume, uint32_t From) {
    const double *Far = Distance.data() + From * Cells;
    double *Into = Price.data() + Thread * Cells;
    for (size_t C = 0; C < Cells; ++C)
      Into[C] += Volume * Far[C];
  }

  void look(uint32_t Thread) {
    if (Held[Thread])
      return;
    if (!Queued[Thread])
      Queue.push_back(Thread);
    Queued[Thread] = true;
  }

  /// Whether a thread may leave its unit for a free location.
  bool mayLeave(uint32_t From, uint32_t To) const {
    const uint32_t Unit = At.Unit[From];
    return Unit == At.Unit[To] || TakenOfUnit[Unit] > At.AtLeast[Unit];
  }

  /// What it gains that a thread goes to a location and the one that is there comes here.
  double gain(uint32_t Thread, uint32_t To) {
    const uint32_t Here = Cell[Of[Thread]], There = Cell[To], Other = ThreadAt[To];
    if (Held[Thread] || (Other != None && Held[Other]))
      return -HUGE_VAL;
    const double Own = price(Thread, Here) - price(Thread, There) + (By ? relief(Thread, To) : 0);
    if (Other == None)
      return mayLeave(Of[Thread], To) ? Own : -HUGE_VAL;
    return Own + price(Other, There) - price(Other, Here) -
           Row[Other] * (2 * distance(Here, There) - distance(Here, Here) - distance(There, There));
  }

  /// Calls a function while Row is that of a thread.
  template <typename Function> void withRow(uint32_t Thread, Function Call) {
    Shared.forEach(Thread, [&](uint32_t Other, double Volume) { Row[Other] = Volume; });
    Call();
    Shared.forEach(Thread, [&](uint32_t Other, double) { Row[Other] = 0; });
  }

  Partner best(uint32_t Thread) {
    Partner Result{None, Least};
    withRow(Thread, [&] {
      for (uint32_t To = 0; To < At.count(); ++To)
        if (Cell[To] != Cell[Of[Thread]])
          if (const double Gain = gain(Thread, To); Gain > Result.Gain)
            Result = {To, Gain};
    });
    Work += At.count() + 2 * Shared.degree(Thread);
    return Result;
  }

  void exchange(uint32_t Thread, uint32_t To) {
    const uint32_t From = Of[Thread], Other = ThreadAt[To];
    move(Thread, From, To);
    if (Other != None)
      move(Other, To, From);
    ThreadAt[To] = Thread;
    ThreadAt[From] = Other;
  }

  void move(uint32_t Thread, uint32_t From, uint32_t To) {
    --TakenOfUnit[At.Unit[From]];
    ++TakenOfUnit[At.Unit[To]];
    Of[Thread] = To;
    if (By) {
      Load[By->GroupOf[From]] -= By->Weight[Thread];
      Load[By->GroupOf[To]] += By->Weight[Thread];
    }
    Shared.forEach(Thread, [&](uint32_t Other, double Volume) {
      if (Volume == 0)
        return;
      addPrice(Other, -Volume, Cell[From]);
      addPrice(Other, Volume, Cell[To]);
    });
    Work += Shared.degree(Thread) * Cells / 2;
  }

  void lookAround(uint32_t Thread) {
    look(Thread);
    Shared.forEach(Thread, [&](uint32_t Other, double Volume) {
      if (Volume != 0)
        look(Other);
    });
  }

  /// Makes the exchanges that gain, of all threads to look at. @return what they gain
  double settle() {
    double Gain = 0;
    for (size_t Next = 0; Next < Queue.size(); ++Next) {
      const uint32_t Thread = Queue[Next];
      Queued[Thread] = false;
      const Partner With = best(Thread);
      if (With.Location == None)
        continue;
      Gain += With.Gain;
      exchangeAndLook(Thread, With.Location);
    }
    Queue.clear();
    return Gain;
  }

  /// From scratch, as after whole contents of domains were exchanged.
  void settleAll() {
    constexpr int MostRounds =
        8; // What balance gains follows from all threads, not from those near.
    prepare();
    double Gain = 1;
    for (int Round = 0; Round < (By ? MostRounds : 1) && Gain > Least; ++Round) {
      for (uint32_t Thread = 0; Thread < Of.size(); ++Thread)
        look(Thread);
      Gain = settle();
    }
  }

  void exchangeAndLook(uint32_t Thread, uint32_t To) {
    Done.emplace_back(Thread, Of[Thread]);
    const uint32_t Other = ThreadAt[To];
    exchange(Thread, To);
    lookAround(Thread);
    if (Other != None)
      lookAround(Other);
  }

  /// A few exchanges at random, then those that gain; taken back where the whole did not pay
  /// (iterated local search, Lourenço et al. 2003).
  void trial() {
    constexpr uint32_t MostSteps = 3;
    Done.clear();
    double Gain = 0;
    for (uint32_t Steps = 1 + below(MostSteps, Random); Steps; --Steps) {
      const uint32_t Thread = below(static_cast<uint32_t>(Of.size()), Random);
      const uint32_t To = below(At.count(), Random);
      ++Work;
      if (Cell[To] == Cell[Of[Thread]])
        continue;
      double Loss = 0;
      withRow(Thread, [&] { Loss = gain(Thread, To); });
      if (!std::isfinite(Loss))
        continue;
      Gain += Loss;
      exchangeAndLook(Thread, To);
    }
    Gain += settle();
    if (Gain >= -Least)
      return;
    for (size_t I = Done.size(); I-- > 0;)
      exchange(Done[I].first, Done[I].second);
  }

  const Locations &At;
  Graph Shared;
  Map Of;
  std::mt19937_64 Random;
  std::vector<bool> Held; ///< by thread: it stays where it is
  const Crowding *By;     ///< null: crowding does not count
  bool MayOrder;          ///< whether contents of domains may be exchanged

  size_t Cells = 0;
  std::vector<uint32_t> Cell;                     ///< by location
  std::vector<double> Distance;                   ///< from cell to cell
  std::vector<uint32_t> Shape;                    ///< by domain
  std::vector<std::vector<uint32_t>> LocationsOf; ///< by domain

  std::vector<uint32_t> ThreadAt;    ///< by location
  std::vector<uint32_t> TakenOfUnit; ///< locations that have a thread
  std::vector<double> Price;         ///< by thread and cell
  std::vector<double> Row;           ///< what the thread in hand shares with each other
  std::vector<uint32_t> Queue;       ///< threads to look at
  std::vector<bool> Queued;
  std::vector<std::pair<uint32_t, uint32_t>> Done; ///< exchanges of a trial: who, and from where
  double Least = 0;                                ///< gains below are rounding
  double Penalty = 0;                              ///< of a unit of crowding
  std::vector<double> Load;                        ///< by group
  uint64_t Work = 0;
};

} // namespace

Map threadmap::exchanged(const Matrix &Volumes, const Locations &At, Map Of, uint64_t Seed,
                         std::vector<bool> Held, const Crowding *By) {
  Held.resize(Volumes.threads(), false);
  if (At.Domains)
    return Exchange(Volumes, At, std::move(Of), Seed, std::move(Held), By).run();
  Locations One = At; // Without distances all is one domain, in which levels count.
  One.Domains = 1;
  One.Domain.assign(At.count(), 0);
  return Exchange(Volumes, One, std::move(Of), Seed, std::move(Held), By).run();
}
