//===-- Scotch.cpp - maps by Scotch -----------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Construct.h"

#include "Cost.h"

#ifdef MINAS_SCOTCH

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <stdexcept>

#include <scotch.h>

using namespace threadmap;

namespace {

void check(int Result, const char *What) {
  if (Result != 0)
    throw std::runtime_error(std::string("Scotch: ") + What + " failed");
}

/// The sharing matrix as Scotch wants it: lists of neighbours with integral weights.
class ScotchGraph {
public:
  explicit ScotchGraph(const Matrix &Volumes) {
    const uint32_t Threads = Volumes.threads();
    double Greatest = 0, Total = 0;
    Volumes.forEachPair([&](uint32_t, uint32_t, double Volume) {
      Greatest = std::max(Greatest, Volume);
      Total += 2 * Volume;
    });
    // Scotch sums weights x distances in 32 bits.
    const double Scale = std::min({1.0, 1e6 / Greatest, 1e8 / Total});
    for (uint32_t A = 0; A < Threads; ++A) {
      Begin.push_back(static_cast<SCOTCH_Num>(Other.size()));
      Volumes.forEach(A, [&](uint32_t B, double Volume) {
        if (Volume <= 0)
          return;
        Other.push_back(static_cast<SCOTCH_Num>(B));
        Weight.push_back(
            std::max<SCOTCH_Num>(1, static_cast<SCOTCH_Num>(std::lround(Volume * Scale))));
      });
    }
    Begin.push_back(static_cast<SCOTCH_Num>(Other.size()));
    check(SCOTCH_graphInit(&Graph), "graphInit");
    check(SCOTCH_graphBuild(&Graph, 0, static_cast<SCOTCH_Num>(Threads), Begin.data(), nullptr,
                            nullptr, nullptr, static_cast<SCOTCH_Num>(Other.size()), Other.data(),
                            Weight.data()),
          "graphBuild");
  }
  ScotchGraph(const ScotchGraph &) = delete;
  ScotchGraph &operator=(const ScotchGraph &) = delete;
  ~ScotchGraph() { SCOTCH_graphExit(&Graph); }

  SCOTCH_Graph Graph{};

private:
  std::vector<SCOTCH_Num> Begin, Other, Weight;
};

/// The locations as Scotch's regular tree, with locations that do not exist where parts have fewer
/// children than others of their level; these are taken out again.
class ScotchMachine {
public:
  explicit ScotchMachine(const Locations &From) : At(From) {
    countChildren();
    std::vector<SCOTCH_Num> Costs;
    for (size_t Level = 0; Level < Arity.size(); ++Level) {
      const double Below = Level + 1 < Arity.size() ? Weight[Level + 1] : 0;
      Costs.push_back(std::max<SCOTCH_Num>(
          1, static_cast<SCOTCH_Num>(std::lround((Weight[Level] - Below) / Weight.back()))));
    }
    number(0, 0, 0);
    check(SCOTCH_archInit(&Whole), "archInit");
    check(
        SCOTCH_archTleaf(&Whole, static_cast<SCOTCH_Num>(Arity.size()), Arity.data(), Costs.data()),
        "archTleaf");
    IsWhole = Existing.size() == static_cast<size_t>(SCOTCH_archSize(&Whole));
    if (IsWhole)
      return;
    check(SCOTCH_archInit(&Part), "archInit");
    check(SCOTCH_archSub(&Part, &Whole, static_cast<SCOTCH_Num>(Existing.size()), Existing.data()),
          "archSub");
  }
  ScotchMachine(const ScotchMachine &) = delete;
  ScotchMachine &operator=(const ScotchMachine &) = delete;
  ~ScotchMachine() {
    if (!IsWhole)
      SCOTCH_archExit(&Part);
    SCOTCH_archExit(&Whole);
  }

  SCOTCH_Arch *get() { return IsWhole ? &Whole : &Part; }

private:
  void countChildren() {
    uint32_t Depth = 0;
    for (const Locations::Part &P : At.Parts)
      Depth = std::max(Depth, P.Level + 1);
    Arity.assign(Depth, 1);
    Weight.assign(Depth, 0);
    for (const Locations::Part &P : At.Parts) {
      const size_t Children = P.Children.empty() ? P.End - P.Begin : P.Children.size();
      Arity[P.Level] = std::max(Arity[P.Level], static_cast<SCOTCH_Num>(Children));
      Weight[P.Level] = std::max(Weight[P.Level], P.Weight);
    }
  }

  /// Leaves of the regular tree below one of its vertices of a level.
  SCOTCH_Num leavesBelow(size_t Level) const {
    SCOTCH_Num Product = 1;
    for (size_t L = Level; L < Arity.size(); ++L)
      Product *= Arity[L];
    return Product;
  }

  /// Finds which leaf of the regular tree each location is: `First` is the first one of the part.
  void number(uint32_t Index, size_t Level, SCOTCH_Num First) {
    const Locations::Part &P = At.Parts[Index];
    SCOTCH_Num Child = 0;
    for (const uint32_t C : P.Children)
      number(C, Level + 1, First + leavesBelow(Level + 1) * Child++);
    for (uint32_t Location = P.Begin; P.Children.empty() && Location < P.End; ++Location)
      Existing.push_back(First + leavesBelow(Level + 1) * Child++);
  }

  const Locations &At;
  std::vector<SCOTCH_Num> Arity;
  std::vector<double> Weight;
  std::vector<SCOTCH_Num> Existing; ///< by location
  SCOTCH_Arch Whole{}, Part{};
  bool IsWhole = true;
};

/// Moves threads until each has a location of its own and no unit goes short.
class Repair {
public:
  Repair(const Matrix &M, const Locations &P, Map &Raw) : Volumes(M), At(P), Of(Raw) {
    ThreadAt.assign(P.count(), None);
    Taken.assign(P.AtLeast.size(), 0);
    for (uint32_t Thread = 0; Thread < Of.size(); ++Thread) {
      if (ThreadAt[Of[Thread]] == None)
        put(Thread, Of[Thread]);
      else
        Homeless.push_back(Thread);
    }
  }

  /// @return how many threads moved
  uint32_t run() {
    auto Moved = static_cast<uint32_t>(Homeless.size());
    for (uint32_t Location = 0; Location < At.count(); ++Location)
      if (ThreadAt[Location] == None && Taken[At.Unit[Location]] < At.AtLeast[At.Unit[Location]]) {
        Moved += Homeless.empty();
        put(Homeless.empty() ? takeDispensable(Location) : takeHomeless(Location), Location);
      }
    for (const uint32_t Thread : Homeless)
      put(Thread, cheapestFree(Thread));
    return Moved;
  }

private:
  void put(uint32_t Thread, uint32_t Location) {
    ThreadAt[Location] = Thread;
    Of[Thread] = Location;
    ++Taken[At.Unit[Location]];
  }

  double cost(uint32_t Thread, uint32_t Location) const {
    double Sum = 0;
    for (uint32_t Other = 0; Other < At.count(); ++Other)
      if (Other != Location && ThreadAt[Other] != None && Volumes(Thread, ThreadAt[Other]) != 0)
        Sum += Volumes(Thread, ThreadAt[Other]) * At.weight(Location, Other);
    return Sum;
  }

  uint32_t takeHomeless(uint32_t Location) {
    const auto Best =
        std::min_element(Homeless.begin(), Homeless.end(), [&](uint32_t A, uint32_t B) {
          return cost(A, Location) < cost(B, Location);
        });
    const uint32_t Thread = *Best;
    Homeless.erase(Best);
    return Thread;
  }

  /// A thread of a unit that has more than it needs, the one that loses least.
  uint32_t takeDispensable(uint32_t Location) {
    uint32_t Best = None;
    double Least = 0;
    for (uint32_t Thread = 0; Thread < Of.size(); ++Thread) {
      const uint32_t Unit = At.Unit[Of[Thread]];
      if (Taken[Unit] <= At.AtLeast[Unit])
        continue;
      const double Loss = cost(Thread, Location) - cost(Thread, Of[Thread]);
      if (Best == None || Loss < Least) {
        Best = Thread;
        Least = Loss;
      }
    }
    --Taken[At.Unit[Of[Best]]];
    ThreadAt[Of[Best]] = None;
    return Best;
  }

  uint32_t cheapestFree(uint32_t Thread) const {
    uint32_t Best = None;
    double Least = 0;
    for (uint32_t Location = 0; Location < At.count(); ++Location) {
      if (ThreadAt[Location] != None)
        continue;
      const double Cost = cost(Thread, Location);
      if (Best == None || Cost < Least) {
        Best = Location;
        Least = Cost;
      }
    }
    return Best;
  }

  const Matrix &Volumes;
  const Locations &At;
  Map &Of;
  std::vector<uint32_t> ThreadAt; ///< by location
  std::vector<uint32_t> Taken;    ///< by unit
  std::vector<uint32_t> Homeless;
};

} // namespace

bool threadmap::hasScotch() { return true; }

Map threadmap::scotchMap(const Matrix &Volumes, const Locations &At, ScotchStrategy Strategy,
                         uint64_t Seed, uint32_t &Moved) {
  ScotchGraph Graph(Volumes);
  ScotchMachine Machine(At);
  SCOTCH_randomSeed(static_cast<SCOTCH_Num>(Seed));
  SCOTCH_randomReset();
  SCOTCH_Strat Strat;
  check(SCOTCH_stratInit(&Strat), "stratInit");
  if (Strategy == ScotchStrategy::Recursive)
    check(SCOTCH_stratGraphMapBuild(&Strat, SCOTCH_STRATRECURSIVE,
                                    static_cast<SCOTCH_Num>(At.count()), 0.01),
          "stratGraphMapBuild");
  std::vector<SCOTCH_Num> Raw(Volumes.threads());
  check(SCOTCH_graphMap(&Graph.Graph, Machine.get(), &Strat, Raw.data()), "graphMap");
  SCOTCH_stratExit(&Strat);
  Map Result(Raw.begin(), Raw.end());
  Moved = Repair(Volumes, At, Result).run();
  return Result;
}

#else

using namespace threadmap;

bool threadmap::hasScotch() { return false; }

Map threadmap::scotchMap(const Matrix &, const Locations &At, ScotchStrategy, uint64_t,
                         uint32_t &Moved) {
  Moved = 0;
  return compactMap(At, At.count());
}

#endif
