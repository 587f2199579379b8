//===-- Cycle.cpp - improve a map at all sizes of groups --------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Cycle.h"

#include "Cost.h"
#include "Pairing.h"
#include "Search.h"

#include <algorithm>
#include <numeric>

using namespace threadmap;

namespace {

/// Puts items together so that they fill given slots of the coarser tree.
class Joiner {
public:
  Joiner(const Tree &FineLocations, const CoarseTree &ToCoarse, const Graph &Shared,
         const std::vector<uint32_t> &EmptyLocations, const std::vector<uint32_t> &SlotOfItem,
         std::mt19937_64 &Generator)
      : Fine(FineLocations), Link(ToCoarse), Volumes(Shared), Empty(EmptyLocations),
        Slot(SlotOfItem), Random(Generator), Free(SlotOfItem.size(), false),
        Rank(SlotOfItem.size()) {
    for (uint32_t &R : Rank)
      R = static_cast<uint32_t>(Random());
  }

  /// Puts `Members` together in such a way that they fill `Slots`; gives them these.
  void fill(std::vector<uint32_t> Members, const std::vector<uint32_t> &Slots) {
    countNeeds(Members, Slots);
    shuffle(Members, Random);
    for (const uint32_t Item : Members)
      Free[Item] = true;
    if (isUniform(Members))
      joinByMatching(Members);
    for (const uint32_t Item : Members)
      if (Free[Item])
        joinWithBest(Item, Members);
    joinRest(Members);
    assignAll(Slots);
  }

  std::vector<std::array<uint32_t, 2>> From; ///< by new item
  std::vector<uint32_t> NewSlot;             ///< by new item
  uint64_t Work = 0;

private:
  static constexpr uint32_t Choices = 6;     ///< neighbours that an item's partner is taken from
  static constexpr uint64_t WorkOfEdge = 60; ///< in the matching
  static constexpr double Spread = 0.1;      ///< of the random change of volumes

  /// What must be put together: kinds, and whether the two are in the same unit.
  using Shape = std::tuple<uint32_t, uint32_t, bool>;
  struct Need {
    uint32_t Pairs = 0;
    uint32_t Full = 0; ///< so many of them may be without empty locations
    std::vector<std::array<uint32_t, 2>> Found;
  };

  uint32_t kind(uint32_t Item) const { return Fine.Slots[Slot[Item]].Kind; }

  Shape shapeOf(const std::array<uint32_t, 2> &Pair) const {
    const Tree::Slot &A = Fine.Slots[Pair[0]], &B = Fine.Slots[Pair[1]];
    return {std::max(A.Kind, B.Kind), std::min(A.Kind, B.Kind), A.Unit != None && A.Unit == B.Unit};
  }

  void countNeeds(const std::vector<uint32_t> &Members, const std::vector<uint32_t> &Slots) {
    Needs.clear();
    for (const uint32_t S : Slots)
      if (Link.From[S][1] != None)
        ++Needs[shapeOf(Link.From[S])].Pairs;
    for (auto &[Kinds, Of] : Needs) {
      const auto [A, B, SameUnit] = Kinds;
      Of.Full = Of.Pairs;
      for (const uint32_t Item : Members)
        if (SameUnit && Empty[Item] && (kind(Item) == A || kind(Item) == B))
          Of.Full -= Of.Full > 0;
    }
  }

  /// The need that two items would meet; null where there is none left.
  Need *needFor(uint32_t A, uint32_t B) {
    for (const bool SameUnit : {true, false}) {
      const auto It =
          Needs.find({std::max(kind(A), kind(B)), std::min(kind(A), kind(B)), SameUnit});
      if (It == Needs.end() || It->second.Found.size() == It->second.Pairs)
        continue;
      if (!SameUnit || (!Empty[A] && !Empty[B] && It->second.Full))
        return &It->second;
    }
    return nullptr;
  }

  void join(uint32_t A, uint32_t B, Need &Met) {
    Free[A] = Free[B] = false;
    Met.Full -= Met.Full > 0;
    Met.Found.push_back({A, B});
  }

  /// Whether any two of all items may be put together.
  bool isUniform(const std::vector<uint32_t> &Members) const {
    if (Members.size() < Volumes.size() || Needs.size() != 1)
      return false;
    const auto [A, B, SameUnit] = Needs.begin()->first;
    return A == B && !SameUnit &&
           std::all_of(Members.begin(), Members.end(),
                       [&, Kind = A](uint32_t Item) { return kind(Item) == Kind; });
  }

  /// The pairs that share most, by matching in the graph of what each item shares most with.
  /// Volumes are changed a little at random, so that another time other pairs may come out.
  void joinByMatching(const std::vector<uint32_t> &Members) {
    Need &All = Needs.begin()->second;
    const auto Count = static_cast<uint32_t>(Members.size());
    const uint32_t Singles = Count - 2 * All.Pairs; // each is matched with a stand-in
    std::vector<WeightedPair> Allowed;
    for (uint32_t Item = 0; Item < Count; ++Item)
      addHeaviest(Item, Allowed);
    for (uint32_t I = 0; I < Singles; ++I) {
      Allowed.push_back({Count + I, Members[I], 0});
      for (uint32_t Try = 0; Try < Choices; ++Try)
        Allowed.push_back({Count + I, below(Count, Random), 0});
    }
    for (uint32_t I = Singles; I < Count; I += 2) // so that there is a perfect matching
      Allowed.push_back({Members[I], Members[I + 1], 0});
    const std::vector<uint32_t> Partner = bestPairs(Count + Singles, Allowed);
    Work += Allowed.size() * WorkOfEdge;
    for (uint32_t Item = 0; Item < Count; ++Item)
      if (Item < Partner[Item] && Partner[Item] < Count)
        join(Item, Partner[Item], All);
  }

  void addHeaviest(uint32_t Item, std::vector<WeightedPair> &Allowed) {
    std::vector<WeightedPair> Pairs;
    Volumes.forEach(Item, [&](uint32_t Other, double Value) {
      if (Value > 0 && Other != Item)
        Pairs.push_back({Item, Other, Value});
    });
    const size_t Kept = std::min<size_t>(Pairs.size(), Choices);
    std::nth_element(Pairs.begin(), Pairs.begin() + static_cast<ptrdiff_t>(Kept), Pairs.end(),
                     [&](const WeightedPair &A, const WeightedPair &B) {
                       return A.Weight > B.Weight ||
                              (A.Weight == B.Weight && Rank[A.B] > Rank[B.B]);
                     });
    Pairs.resize(Kept);
    for (WeightedPair &Pair : Pairs) {
      Pair.Weight *= 1 + Spread * static_cast<double>(below(1000, Random)) / 1000;
      Allowed.push_back(Pair);
    }
  }

  /// With the free item that shares most with it.
  void joinWithBest(uint32_t Item, const std::vector<uint32_t> &Members) {
    uint32_t Best = None;
    double Most = 0;
    const auto Try = [&](uint32_t Other, double Value) {
      if (Value <= 0 || Value < Most || !Free[Other] || Other == Item)
        return;
      if ((Value > Most || Rank[Other] > Rank[Best]) && needFor(Item, Other)) {
        Best = Other;
        Most = Value;
      }
    };
    if (Volumes.isDense() && Members.size() < Volumes.size())
      for (const uint32_t Other : Members)
        Try(Other, Volumes.row(Item)[Other]);
    else
      Volumes.forEach(Item, Try);
    if (Best != None)
      join(Item, Best, *needFor(Item, Best));
  }

  /// Items that found nobody, in any way that meets the needs.
  void joinRest(const std::vector<uint32_t> &Members) {
    std::map<uint32_t, std::vector<uint32_t>> Threads, Empties; // by kind
    for (const uint32_t Item : Members)
      if (Free[Item])
        (Empty[Item] ? Empties : Threads)[kind(Item)].push_back(Item);
    const auto Take = [](std::vector<uint32_t> &First, std::vector<uint32_t> &Second) {
      std::vector<uint32_t> &List = First.empty() ? Second : First;
      const uint32_t Item = List.back();
      List.pop_back();
      return Item;
    };
    // Pairs of one unit first: they alone are particular about empty locations.
    for (const bool InUnit : {true, false})
      for (auto &[Kinds, Of] : Needs) {
        const auto [A, B, SameUnit] = Kinds;
        while (SameUnit == InUnit && Of.Found.size() < Of.Pairs) {
          const uint32_t First = Take(Empties[A], Threads[A]);
          const uint32_t Second = Take(Threads[B], Empties[B]);
          join(First, Second, Of);
        }
      }
    for (auto *Lists : {&Threads, &Empties})
      for (auto &[Kind, Items] : *Lists)
        for (const uint32_t Item : Items) {
          Alone[Kind].push_back(Item);
          Free[Item] = false;
        }
  }

  void assignAll(const std::vector<uint32_t> &Slots) {
    for (const uint32_t S : Slots) {
      const std::array<uint32_t, 2> &Of = Link.From[S];
      NewSlot.push_back(S);
      if (Of[1] == None) {
        std::vector<uint32_t> &Items = Alone[Fine.Slots[Of[0]].Kind];
        From.push_back({Items.back(), None});
        Items.pop_back();
      } else {
        std::vector<std::array<uint32_t, 2>> &Found = Needs[shapeOf(Of)].Found;
        From.push_back(Found.back());
        Found.pop_back();
      }
    }
  }

  const Tree &Fine;
  const CoarseTree &Link;
  const Graph &Volumes;
  const std::vector<uint32_t> &Empty;
  const std::vector<uint32_t> &Slot;
  std::mt19937_64 &Random;
  std::vector<bool> Free;
  std::vector<uint32_t> Rank; ///< decides between equal volumes
  std::map<Shape, Need> Needs;
  std::map<uint32_t, std::vector<uint32_t>> Alone; ///< by kind
};

} // namespace

Cycles::Cycles(const Matrix &Volumes, const Locations &From)
    : At(From), Threads(Volumes.threads()), Finest(Volumes, From.count()) {
  Kinds Known;
  Trees.push_back(treeOf(At));
  while (Trees.back().Parts.size() > 1) {
    CoarseTree Link = coarse(Trees.back(), Trees.size(), Known);
    Trees.push_back(std::move(Link.Above));
    Links.push_back(std::move(Link));
  }
  // Where all is in one part no swap gains.
  if (!Links.empty()) {
    Trees.pop_back();
    Links.pop_back();
  }
  uint32_t Deepest = 0;
  for (const Tree::Part &Part : Trees[0].Parts)
    Deepest = std::max(Deepest, Part.Level);
  for (uint32_t Depth = 1; Depth < Deepest; ++Depth)
    Upper.push_back(withoutPartsBelow(Trees[0], Depth));
}

Cycles::Items Cycles::itemsOf(const Map &Of) const {
  Items Result;
  Result.Slot = Of;
  Result.Empty.assign(At.count(), 1);
  std::fill_n(Result.Empty.begin(), Threads, 0);
  const std::vector<uint32_t> ThreadAt = threadsByLocation(At, Of);
  for (uint32_t Location = 0; Location < At.count(); ++Location)
    if (ThreadAt[Location] == None)
      Result.Slot.push_back(Location);
  return Result;
}

void Cycles::search(Items &Of, const Tree &On, const Graph &Volumes, std::mt19937_64 &Random) {
  Search S(On, Volumes, Of.Empty, Of.Slot);
  S.improve(Random);
  const auto Wanted = static_cast<uint64_t>(Exploration * static_cast<double>(S.work()));
  S.explore(std::min(Wanted, MostExploration), Random);
  Work += S.work();
}

Cycles::Items Cycles::putTogether(const Items &Fine, size_t Level, bool Everywhere,
                                  std::mt19937_64 &Random) {
  const Tree &Tree = Trees[Level];
  const CoarseTree &Link = Links[Level];
  const Graph &Volumes = Level ? Fine.Volumes : Finest;
  Joiner Join(Tree, Link, Volumes, Fine.Empty, Fine.Slot, Random);
  if (Everywhere) {
    std::vector<uint32_t> Members(Fine.Slot.size()), Slots(Link.From.size());
    std::iota(Members.begin(), Members.end(), 0);
    std::iota(Slots.begin(), Slots.end(), 0);
    Join.fill(Members, Slots);
  } else {
    std::vector<std::vector<uint32_t>> Members(Tree.Parts.size()), Slots(Tree.Parts.size());
    for (uint32_t Item = 0; Item < Fine.Slot.size(); ++Item)
      Members[Tree.Slots[Fine.Slot[Item]].Owner].push_back(Item);
    for (uint32_t Slot = 0; Slot < Link.From.size(); ++Slot)
      Slots[Tree.Slots[Link.From[Slot][0]].Owner].push_back(Slot);
    for (size_t Part = 0; Part < Slots.size(); ++Part)
      if (!Slots[Part].empty())
        Join.fill(Members[Part], Slots[Part]);
  }

  Work += Join.Work;

  Items Result;
  Result.From = std::move(Join.From);
  Result.Slot = std::move(Join.NewSlot);
  std::vector<uint32_t> Into(Fine.Slot.size());
  for (uint32_t Item = 0; Item < Result.From.size(); ++Item) {
    Result.Empty.push_back(0);
    for (const uint32_t Old : Result.From[Item])
      if (Old != None) {
        Into[Old] = Item;
        Result.Empty[Item] += Fine.Empty[Old];
      }
  }
  Result.Volumes = Volumes.grouped(Into, static_cast<uint32_t>(Result.From.size()));
  for (uint32_t Item = 0; Item < Fine.Slot.size(); ++Item)
    Work += Volumes.degree(Item) * 2;
  return Result;
}

void Cycles::takeApart(const Items &From, size_t Level, Items &Into) const {
  const Tree &Fine = Trees[Level];
  for (uint32_t Item = 0; Item < From.From.size(); ++Item) {
    std::array<uint32_t, 2> Old = From.From[Item];
    const std::array<uint32_t, 2> &Slots = Links[Level].From[From.Slot[Item]];
    if (Old[1] == None) {
      Into.Slot[Old[0]] = Slots[0];
      continue;
    }
    // Into.Slot still tells the kinds of the items.
    if (Fine.Slots[Into.Slot[Old[0]]].Kind != Fine.Slots[Slots[0]].Kind)
      std::swap(Old[0], Old[1]);
    // Both are of the same kind as before, so this is known for all items that follow.
    Into.Slot[Old[0]] = Slots[0];
    Into.Slot[Old[1]] = Slots[1];
  }
}

void Cycles::run(Map &Of, bool Everywhere, std::mt19937_64 &Random) {
  std::vector<Items> Sizes;
  Sizes.push_back(itemsOf(Of));
  for (size_t Level = 0; Level < Links.size(); ++Level)
    Sizes.push_back(putTogether(Sizes.back(), Level, Everywhere, Random));
  for (size_t Level = Sizes.size(); Level-- > 0;) {
    search(Sizes[Level], Trees[Level], Level ? Sizes[Level].Volumes : Finest, Random);
    if (Level)
      takeApart(Sizes[Level], Level - 1, Sizes[Level - 1]);
  }
  std::copy_n(Sizes[0].Slot.begin(), Threads, Of.begin());
}

void Cycles::divide(Map &Of, uint32_t First, std::mt19937_64 &Random) {
  Items Single = itemsOf(Of);
  for (size_t Step = First; Step < Upper.size(); ++Step)
    search(Single, Upper[Step], Finest, Random);
  std::copy_n(Single.Slot.begin(), Threads, Of.begin());
}

void Cycles::swapThreads(Map &Of, std::mt19937_64 &Random) {
  Items Single = itemsOf(Of);
  search(Single, Trees[0], Finest, Random);
  std::copy_n(Single.Slot.begin(), Threads, Of.begin());
}
