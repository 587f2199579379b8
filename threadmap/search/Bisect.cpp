//===-- Bisect.cpp - divide threads in two, and again -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Bisect.h"

#include "Cost.h"
#include "Search.h"
#include "threadmap/machine/Near.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <tuple>

using namespace threadmap;

namespace {

class Bisection {
public:
  Bisection(const Locations &P, uint32_t Threads, std::mt19937_64 &Generator, uint64_t &Counter)
      : At(P), Random(Generator), Work(Counter), Of(Threads, None), Taken(P.count(), false) {
    for (const uint32_t Location : nearLocations(P, Threads))
      Taken[Location] = true;
  }

  Map run(const Graph &Volumes) {
    std::vector<uint32_t> All(Of.size());
    std::iota(All.begin(), All.end(), 0);
    divide(0, Volumes.among(All), All);
    return std::move(Of);
  }

private:
  static constexpr int Tries = 4;
  static constexpr uint64_t Exploration = 2; ///< a multiple of the work of the search before

  uint32_t threadsIn(uint32_t Part) const {
    const auto Begin = Taken.begin() + At.Parts[Part].Begin,
               End = Taken.begin() + At.Parts[Part].End;
    return static_cast<uint32_t>(std::count(Begin, End, true));
  }

  /// Gives threads locations in a part; `Volumes` is what they share.
  void divide(uint32_t Index, const Graph &Volumes, const std::vector<uint32_t> &Threads) {
    const Locations::Part &Part = At.Parts[Index];
    if (Threads.empty())
      return;
    if (Part.Children.empty()) {
      for (uint32_t Location = Part.Begin, Next = 0; Location < Part.End; ++Location)
        if (Taken[Location])
          Of[Threads[Next++]] = Location;
      return;
    }
    const std::vector<bool> InFirst = bestHalf(Volumes, threadsIn(Part.Children[0]));
    for (const bool First : {true, false}) {
      std::vector<uint32_t> Items, Members;
      for (uint32_t Item = 0; Item < Threads.size(); ++Item)
        if (InFirst[Item] == First) {
          Items.push_back(Item);
          Members.push_back(Threads[Item]);
        }
      divide(Part.Children[First ? 0 : 1], Volumes.among(Items), Members);
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
      Work += S.work();
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

  const Locations &At;
  std::mt19937_64 &Random;
  uint64_t &Work;
  Map Of;
  std::vector<bool> Taken; ///< by location
};

} // namespace

Map threadmap::bisectedMap(const Graph &Volumes, const Locations &Halves, uint32_t Threads,
                           std::mt19937_64 &Random, uint64_t &Work) {
  return Bisection(Halves, Threads, Random, Work).run(Volumes);
}
