//===-- Branches.cpp - maps that keep branches together ---------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Branches.h"

#include "Cost.h"
#include "Halves.h"
#include "threadmap/machine/Near.h"
#include "threadmap/machine/TakenLocations.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace threadmap;

namespace {

using Vertices = std::vector<uint32_t>; // ascending

/// Divides vertices of a forest among groups of given sizes.
class Grouping {
public:
  Grouping(const Forest &Of, Halves &By, std::mt19937_64 &Generator, uint64_t &Counter)
      : F(Of), Two(By), Random(Generator), Work(Counter), In(Of.size() + size_t{1}, None) {}

  /// Halves, halves of these, and so on; then what settle() finds.
  void construct(Vertices Members, std::vector<uint32_t> WantedSizes) {
    Sizes = std::move(WantedSizes);
    Groups.assign(Sizes.size(), {});
    Changed.assign(Sizes.size(), true);
    All = std::move(Members);
    divide(All, 0, static_cast<uint32_t>(Sizes.size()), someSpread(FirstSpread));
    settle();
  }

  /// Divides some groups at random and settles again, until so much work is done or that was in
  /// vain often enough.
  void explore(uint64_t Limit) {
    const uint64_t End = Work + Limit;
    const size_t Enough = EnoughTimes * Groups.size();
    double Least = cut();
    for (size_t InVain = 0; InVain < Enough && Work < End && Groups.size() > 2; ++InVain) {
      const std::vector<Vertices> Before = Groups;
      if (!divideSome())
        return;
      settle();
      const double Cut = cut();
      if (Cut > Least) {
        goBack(Before);
        continue;
      }
      InVain = isLess(Cut, Least) ? 0 : InVain;
      Least = Cut;
    }
  }

  const std::vector<Vertices> &groups() const { return Groups; }

  /// Whether a vertex is in another group than its parent.
  bool isCut(uint32_t Vertex) const {
    return In[F.Parent[Vertex]] != None && In[Vertex] != In[F.Parent[Vertex]];
  }

private:
  /// How much prices are changed at random, at first and where all is settled.
  static constexpr double FirstSpread = 0.1, LaterSpread = 2;
  static constexpr uint32_t MostAtOnce = 4;
  static constexpr size_t EnoughTimes = 10; ///< by group

  void set(uint32_t Number, Vertices Members) {
    for (const uint32_t Vertex : Members)
      In[Vertex] = Number;
    Groups[Number] = std::move(Members);
    Changed[Number] = true;
  }

  /// By more than rounding.
  static bool isLess(double A, double B) { return B - A > 1e-9 * std::fabs(B); }

  void goBack(const std::vector<Vertices> &Before) {
    for (uint32_t Number = 0; Number < Groups.size(); ++Number)
      set(Number, Before[Number]);
    Changed.assign(Groups.size(), false);
  }

  uint32_t sizeOf(uint32_t First, uint32_t End) const {
    return std::accumulate(Sizes.begin() + First, Sizes.begin() + End, 0U);
  }

  double someSpread(double Most) { return Most * below(1024, Random) / 1024; }

  void divide(Vertices Members, uint32_t First, uint32_t End, double Spread) {
    if (End - First == 1) {
      set(First, std::move(Members));
      return;
    }
    const uint32_t Middle = First + (End - First) / 2;
    Two.divide(Members, sizeOf(First, Middle), Spread);
    Vertices Rest = std::move(Two.Second);
    divide(std::move(Two.First), First, Middle, Spread);
    divide(std::move(Rest), Middle, End, Spread);
  }

  double cut() {
    double Sum = 0;
    for (const uint32_t Vertex : All)
      Sum += isCut(Vertex) ? Two.Price[Vertex] : 0;
    Work += 2 * All.size();
    return Sum;
  }

  /// What is cut between two groups.
  double between(const Vertices &Members, uint32_t A, uint32_t B) const {
    double Sum = 0;
    for (const uint32_t Vertex : Members)
      if (isCut(Vertex) && (In[F.Parent[Vertex]] == A || In[F.Parent[Vertex]] == B))
        Sum += Two.Price[Vertex];
    return Sum;
  }

  /// Divides two groups anew. @return whether that cuts less
  bool halveAnew(uint32_t A, uint32_t B) {
    Vertices Both;
    std::ranges::merge(Groups[A], Groups[B], std::back_inserter(Both));
    const double Before = between(Both, A, B);
    Two.divide(Both, Sizes[A], 0);
    for (const uint32_t Vertex : Two.First)
      In[Vertex] = A;
    for (const uint32_t Vertex : Two.Second)
      In[Vertex] = B;
    if (isLess(between(Both, A, B), Before)) {
      set(A, Two.First);
      set(B, Two.Second);
      return true;
    }
    for (const uint32_t Number : {A, B})
      for (const uint32_t Vertex : Groups[Number])
        In[Vertex] = Number;
    return false;
  }

  using Pair = std::pair<uint32_t, uint32_t>;

  /// Groups that share, in any order.
  std::vector<Pair> pairs(bool OnlyChanged) {
    std::vector<Pair> Result;
    for (const uint32_t Vertex : All) {
      if (!isCut(Vertex))
        continue;
      const uint32_t A = In[Vertex], B = In[F.Parent[Vertex]];
      if (!OnlyChanged || Changed[A] || Changed[B])
        Result.emplace_back(std::min(A, B), std::max(A, B));
    }
    Work += 2 * All.size();
    std::ranges::sort(Result);
    Result.erase(std::unique(Result.begin(), Result.end()), Result.end());
    shuffle(Result, Random);
    return Result;
  }

  /// Divides pairs of groups anew until none cuts less.
  void settle() {
    bool Again = true;
    while (Again) {
      Again = false;
      const std::vector<Pair> Pairs = pairs(true);
      Changed.assign(Groups.size(), false);
      for (const auto &[A, B] : Pairs)
        Again |= halveAnew(A, B);
    }
  }

  /// Some groups that share, one with another.
  std::vector<uint32_t> someGroups() {
    const std::vector<Pair> Pairs = pairs(false);
    if (Pairs.empty())
      return {};
    std::vector<uint32_t> Result = {Pairs[0].first, Pairs[0].second};
    const uint32_t Wanted = 2 + below(MostAtOnce - 1, Random);
    for (const auto &[A, B] : Pairs) {
      const bool HasA = std::ranges::find(Result, A) != Result.end(),
                 HasB = std::ranges::find(Result, B) != Result.end();
      if (HasA != HasB && Result.size() < Wanted)
        Result.push_back(HasA ? B : A);
    }
    return Result;
  }

  /// Divides some groups anew, with prices at random.
  bool divideSome() {
    const double Spread = someSpread(LaterSpread);
    std::vector<uint32_t> Some = someGroups();
    if (Some.empty())
      return false;
    Vertices Members;
    for (const uint32_t Number : Some)
      Members.insert(Members.end(), Groups[Number].begin(), Groups[Number].end());
    std::ranges::sort(Members);
    shuffle(Some, Random);
    for (; Some.size() > 1; Some.pop_back()) {
      Two.divide(Members, Sizes[Some.back()], Spread);
      set(Some.back(), Two.First);
      Members = Two.Second;
    }
    set(Some[0], std::move(Members));
    return true;
  }

  const Forest &F;
  Halves &Two;
  std::mt19937_64 &Random;
  uint64_t &Work;
  Vertices All;
  std::vector<uint32_t> Sizes; ///< by group
  std::vector<Vertices> Groups;
  std::vector<uint32_t> In;  ///< by vertex: its group
  std::vector<bool> Changed; ///< by group: since its pairs with others were divided anew
};

class ForestMapper {
public:
  ForestMapper(const Forest &Branching, const Locations &P, uint64_t WorkLimit,
               std::mt19937_64 &Generator, uint64_t &Counter)
      : F(Branching), At(P), Limit(WorkLimit), Random(Generator), Work(Counter),
        Two(Branching, Generator, Counter), Taken(P, nearLocations(P, Branching.size())) {}

  Map construct() {
    Of.assign(F.size(), None);
    Vertices All(F.size());
    std::iota(All.begin(), All.end(), 0);
    Foresight = static_cast<float>(below(2049, Random)) / 1024;
    estimate(All);
    divide({0}, std::move(All));
    return std::move(Of);
  }

private:
  /// By level: what parts of it weigh, and how many threads they have, in the mean.
  struct Level {
    double Weight = 0, Threads = 0, Parts = 0;
  };

  std::vector<Level> levels() const {
    std::vector<Level> Levels;
    for (uint32_t Index = 0; Index < At.Parts.size(); ++Index) {
      const Locations::Part &Part = At.Parts[Index];
      const uint32_t Threads = Taken.countIn(Part);
      if (Threads == 0)
        continue;
      Levels.resize(std::max<size_t>(Levels.size(), Part.Level + size_t{1}));
      Level &L = Levels[Part.Level];
      L.Weight += Part.Weight;
      L.Threads += Threads;
      ++L.Parts;
    }
    return Levels;
  }

  /// Estimates what a unit shared costs within a part of each level, were the parts of that level
  /// alone to be divided.
  void estimate(const Vertices &Members) {
    const std::vector<Level> Levels = levels();
    Within.assign(Levels.size(), {});
    for (size_t L = Levels.size(); L-- > 0;) {
      const auto Weight = static_cast<float>(Levels[L].Weight / Levels[L].Parts);
      Within[L].assign(F.size(), Weight);
      if (L + 1 == Levels.size())
        continue;
      const auto Size =
          static_cast<uint32_t>(std::lround(Levels[L + 1].Threads / Levels[L + 1].Parts));
      const std::vector<bool> Cut = cutBySize(Members, Size, Weight, Within[L + 1]);
      for (const uint32_t Vertex : Members)
        if (!Cut[Vertex])
          Within[L][Vertex] = Within[L + 1][Vertex];
    }
  }

  void setPrices(double Weight, const std::vector<float> &Inside) {
    for (uint32_t Vertex = 0; Vertex < F.size(); ++Vertex)
      Two.Price[Vertex] = F.Volume[Vertex] *
                          std::max(0.0F, static_cast<float>(Weight) - Foresight * Inside[Vertex]);
  }

  std::vector<bool> cutBySize(const Vertices &Members, uint32_t Size, double Weight,
                              const std::vector<float> &Inside) {
    setPrices(Weight, Inside);
    std::vector<bool> Cut(F.size(), true);
    if (Size == 2) {
      const std::vector<bool> InPair = pairsIn(F, Two.Price);
      for (uint32_t Vertex = 0; Vertex < F.size(); ++Vertex)
        Cut[Vertex] = !InPair[Vertex];
      return Cut;
    }
    if (Size < 2)
      return Cut;
    std::vector<uint32_t> Sizes(Members.size() / Size, Size);
    if (Members.size() % Size)
      Sizes.push_back(static_cast<uint32_t>(Members.size() % Size));
    Grouping By(F, Two, Random, Work);
    By.construct(Members, std::move(Sizes));
    for (uint32_t Vertex = 0; Vertex < F.size(); ++Vertex)
      Cut[Vertex] = By.isCut(Vertex);
    return Cut;
  }

  void assign(const Locations::Part &Part, const Vertices &Members) {
    Taken.forEach(Part, [&, Next = 0U](uint32_t Location) mutable {
      Of[F.Item[Members[Next++]]] = Location;
    });
  }

  /// Gives vertices locations in some parts.
  void divide(const std::vector<uint32_t> &Parts, Vertices Members) {
    if (Members.empty())
      return;
    if (Parts.size() == 1) {
      const Locations::Part &Part = At.Parts[Parts[0]];
      if (Part.Children.empty())
        assign(Part, Members);
      else
        divide(Part.Children, std::move(Members));
      return;
    }
    std::vector<uint32_t> Sizes, Filled;
    for (const uint32_t Part : Parts)
      if (const uint32_t Size = Taken.countIn(At.Parts[Part])) {
        Sizes.push_back(Size);
        Filled.push_back(Part);
      }
    const Locations::Part &Around = At.Parts[At.Parts[Parts[0]].Parent];
    setPrices(Around.Weight, Within[Around.Level + size_t{1}]);
    Grouping By(F, Two, Random, Work);
    const uint64_t Share = Limit * Members.size() / F.size();
    By.construct(std::move(Members), Sizes);
    By.explore(Share);
    for (size_t I = 0; I < Filled.size(); ++I)
      divide({Filled[I]}, By.groups()[I]);
  }

  const Forest &F;
  const Locations &At;
  uint64_t Limit;
  std::mt19937_64 &Random;
  uint64_t &Work;
  Halves Two;
  TakenLocations Taken;
  std::vector<std::vector<float>> Within; ///< by level and vertex: what estimate() found
  float Foresight = 1; ///< how much what lies further down counts; each time otherwise
  Map Of;
};

} // namespace

Map threadmap::branchMap(const Forest &Of, const Locations &At, uint64_t Limit,
                         std::mt19937_64 &Random, uint64_t &Work) {
  return ForestMapper(Of, At, Limit, Random, Work).construct();
}
