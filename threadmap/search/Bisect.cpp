//===-- Bisect.cpp - divide threads in two, and again -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Bisect.h"

#include "Cost.h"
#include "Search.h"
#include "threadmap/machine/Near.h"
#include "threadmap/machine/TakenLocations.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <tuple>

using namespace threadmap;

namespace {

class Bisection {
public:
  Bisection(const Graph &Volumes, const Locations &P, const std::vector<uint32_t> &Those,
            std::mt19937_64 &Generator, uint64_t &Counter)
      : Shared(Volumes), At(P), Random(Generator), Work(Counter), Taken(P, Those) {}

  Map construct(uint32_t Threads) {
    std::vector<uint32_t> All(Threads);
    std::iota(All.begin(), All.end(), 0);
    Of.assign(Threads, None);
    divide({0}, Shared.among(All), All);
    return std::move(Of);
  }

  Map divideAnew(const Map &From) {
    Of = From;
    const std::vector<uint32_t> Parts = someSiblings();
    std::vector<uint32_t> Members;
    for (uint32_t Thread = 0; Thread < Of.size(); ++Thread)
      if (std::any_of(Parts.begin(), Parts.end(),
                      [&](uint32_t Part) { return isIn(Of[Thread], At.Parts[Part]); }))
        Members.push_back(Thread);
    divide(Parts, Shared.among(Members), Members);
    return std::move(Of);
  }

private:
  static constexpr int Tries = 4;
  static constexpr uint64_t Exploration = 2; ///< a multiple of the work of the search before
  static constexpr uint64_t WorkOfTry = 50;  ///< beside the search, and in addition ...
  static constexpr uint64_t WorkOfItem = 4;  ///< ... for each item
  static constexpr uint32_t MostSiblings = 4;

  /// Parts with children of one level, one as likely as another.
  uint32_t someParent() {
    std::vector<std::vector<uint32_t>> Parents; // by level
    for (uint32_t Index = 0; Index < At.Parts.size(); ++Index) {
      const Locations::Part &Part = At.Parts[Index];
      if (Part.Children.size() < 2)
        continue;
      Parents.resize(std::max<size_t>(Parents.size(), Part.Level + 1));
      Parents[Part.Level].push_back(Index);
    }
    std::erase_if(Parents, [](const std::vector<uint32_t> &List) { return List.empty(); });
    if (Parents.empty())
      return 0;
    const auto Levels = static_cast<uint32_t>(Parents.size());
    const std::vector<uint32_t> &Alike = Parents[below(Levels, Random)];
    return Alike[below(static_cast<uint32_t>(Alike.size()), Random)];
  }

  std::vector<uint32_t> someSiblings() {
    std::vector<uint32_t> Parts = At.Parts[someParent()].Children;
    shuffle(Parts, Random);
    const uint32_t Most = std::min(static_cast<uint32_t>(Parts.size()), MostSiblings);
    if (Most > 2)
      Parts.resize(2 + below(Most - 1, Random));
    return Parts;
  }

  static bool isIn(uint32_t Location, const Locations::Part &Part) {
    return Location >= Part.Begin && Location < Part.End;
  }

  void assign(const Locations::Part &Part, const std::vector<uint32_t> &Threads) {
    Taken.forEach(Part,
                  [&, Next = 0U](uint32_t Location) mutable { Of[Threads[Next++]] = Location; });
  }

  /// Gives threads locations in some parts; `Volumes` is what they share.
  void divide(const std::vector<uint32_t> &Parts, const Graph &Volumes,
              const std::vector<uint32_t> &Threads) {
    if (Threads.empty())
      return;
    if (Parts.size() == 1) {
      const Locations::Part &Part = At.Parts[Parts[0]];
      if (Part.Children.empty())
        assign(Part, Threads);
      else
        divide(Part.Children, Volumes, Threads);
      return;
    }
    const auto Middle = Parts.begin() + static_cast<ptrdiff_t>(Parts.size() / 2);
    const std::vector<uint32_t> Halves[] = {{Parts.begin(), Middle}, {Middle, Parts.end()}};
    uint32_t Size = 0;
    for (const uint32_t Part : Halves[0])
      Size += Taken.countIn(At.Parts[Part]);
    const std::vector<bool> InFirst = bestHalf(Volumes, Size);
    for (const bool First : {true, false}) {
      std::vector<uint32_t> Items, Members;
      for (uint32_t Item = 0; Item < Threads.size(); ++Item)
        if (InFirst[Item] == First) {
          Items.push_back(Item);
          Members.push_back(Threads[Item]);
        }
      divide(Halves[First ? 0 : 1], Volumes.among(Items), Members);
    }
  }

  std::vector<bool> bestHalf(const Graph &Volumes, uint32_t Size) {
    const uint32_t Count = Volumes.size();
    std::vector<bool> Best(Count, Size > 0);
    if (Size == 0 || Size == Count)
      return Best;
    const Tree Two = treeOfTwo(Size, Count - Size);
    const std::vector<uint32_t> Empty(Count, 0);
    double Least = std::numeric_limits<double>::infinity();
    for (int Try = 0; Try < Tries; ++Try) {
      std::vector<uint32_t> Slot = grown(Volumes, Size);
      Search S(Two, Volumes, Empty, Slot);
      S.improve(Random);
      S.explore(S.work() * Exploration, Random);
      Work += S.work() + WorkOfTry + WorkOfItem * Count;
      const double Cut = cut(Volumes, Slot, Size);
      if (Cut >= Least)
        continue;
      Least = Cut;
      for (uint32_t Item = 0; Item < Count; ++Item)
        Best[Item] = Slot[Item] < Size;
    }
    return Best;
  }

  static double cut(const Graph &Volumes, const std::vector<uint32_t> &Slot, uint32_t Size) {
    double Sum = 0;
    for (uint32_t Item = 0; Item < Slot.size(); ++Item)
      if (Slot[Item] < Size)
        Volumes.forEach(
            Item, [&](uint32_t Other, double Value) { Sum += Slot[Other] < Size ? 0 : Value; });
    return Sum;
  }

  /// Slots of two parts, the first grown to `Size` items.
  std::vector<uint32_t> grown(const Graph &Volumes, uint32_t Size) {
    const uint32_t Count = Volumes.size();
    // What an item would take from the cut; equals are told apart at random.
    std::vector<double> Gain(Count, 0);
    for (uint32_t Item = 0; Item < Count; ++Item)
      Volumes.forEach(Item, [&](uint32_t, double Value) { Gain[Item] -= Value; });
    std::vector<uint32_t> Slot(Count, None), Order(Count);
    std::iota(Order.begin(), Order.end(), 0);
    shuffle(Order, Random);
    if (Volumes.isDense())
      growByScans(Volumes, Size, Order, Gain, Slot);
    else
      growByQueue(Volumes, Size, Order, Gain, Slot);
    uint32_t Last = Size;
    for (uint32_t &S : Slot)
      if (S == None)
        S = Last++;
    return Slot;
  }

  /// Every gain changes at every step here.
  void growByScans(const Graph &Volumes, uint32_t Size, const std::vector<uint32_t> &Order,
                   std::vector<double> &Gain, std::vector<uint32_t> &Slot) {
    uint32_t Next = Order[0];
    for (uint32_t Grown = 0; Grown < Size; ++Grown) {
      Slot[Next] = Grown;
      Volumes.forEach(Next, [&](uint32_t Other, double Value) { Gain[Other] += 2 * Value; });
      Next = None;
      for (const uint32_t Item : Order)
        if (Slot[Item] == None && (Next == None || Gain[Item] > Gain[Next]))
          Next = Item;
    }
    Work += uint64_t{Size} * Volumes.size() / 2;
  }

  /// Gains that have changed are queued again; the ones before are passed over.
  void growByQueue(const Graph &Volumes, uint32_t Size, const std::vector<uint32_t> &Order,
                   std::vector<double> &Gain, std::vector<uint32_t> &Slot) {
    using Entry = std::tuple<double, uint32_t, uint32_t>; // gain, a random number, item
    std::vector<Entry> All;
    std::vector<uint32_t> Rank(Order.size());
    for (uint32_t I = 0; I < Order.size(); ++I) {
      Rank[Order[I]] = None - I;
      All.emplace_back(Gain[Order[I]], None - I, Order[I]);
    }
    std::priority_queue<Entry> Waiting(std::less<Entry>(), std::move(All));
    uint32_t Next = Order[0];
    for (uint32_t Grown = 0; Grown < Size; ++Grown) {
      Slot[Next] = Grown;
      Volumes.forEach(Next, [&](uint32_t Other, double Value) {
        Gain[Other] += 2 * Value;
        if (Slot[Other] == None)
          Waiting.emplace(Gain[Other], Rank[Other], Other);
      });
      Work += 4 * Volumes.degree(Next) + 4;
      for (bool IsFresh = false; !IsFresh && !Waiting.empty(); Waiting.pop()) {
        const auto &[Then, Number, Item] = Waiting.top();
        IsFresh = Slot[Item] == None && Gain[Item] == Then;
        Next = Item;
      }
    }
  }

  const Graph &Shared; ///< what all threads share
  const Locations &At;
  std::mt19937_64 &Random;
  uint64_t &Work;
  Map Of;
  TakenLocations Taken;
};

} // namespace

Map threadmap::bisectedMap(const Graph &Volumes, const Locations &At, uint32_t Threads,
                           std::mt19937_64 &Random, uint64_t &Work) {
  return Bisection(Volumes, At, nearLocations(At, Threads), Random, Work).construct(Threads);
}

Map threadmap::dividedAnew(const Graph &Volumes, const Locations &At, const Map &Of,
                           std::mt19937_64 &Random, uint64_t &Work) {
  return Bisection(Volumes, At, Of, Random, Work).divideAnew(Of);
}
