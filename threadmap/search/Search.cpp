//===-- Search.cpp - improve a map by swaps ---------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Terms.  The benefit of a part for an item is what the item would save there against having all
// that it shares across the root: the sum, over the part and those around it, of what the item
// shares in it x what sharing costs less there than one part further out.
//
//===----------------------------------------------------------------------===//

#include "Search.h"

#include "Cost.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

using namespace threadmap;

namespace {

/// Above so many numbers the sums are no table.
constexpr size_t MostInTable = size_t{1} << 23;

/// With how many parts each item can share, where that shall count.
std::vector<size_t> mostParts(const Tree &T, const Graph &G) {
  if (G.isDense() || T.Parts.size() * T.Slots.size() <= MostInTable)
    return {};
  size_t Depth = 0;
  for (const Tree::Part &Part : T.Parts)
    Depth = std::max(Depth, size_t{Part.Level} + 1);
  std::vector<size_t> Result;
  for (uint32_t Item = 0; Item < T.Slots.size(); ++Item)
    Result.push_back(G.degree(Item) * Depth);
  return Result;
}

} // namespace

Search::Search(const Tree &Locations, const Graph &Volumes,
               const std::vector<uint32_t> &EmptyLocations, std::vector<uint32_t> &SlotOfItem)
    : T(Locations), G(Volumes), Empty(EmptyLocations), Slot(SlotOfItem), ItemAt(Slot.size()),
      EmptyOfUnit(T.MayBeEmpty.size(), 0),
      Shared(T.Parts.size(), Slot.size(), mostParts(Locations, Volumes)), Row(Slot.size(), 0),
      Queue(Slot.size()), Queued(Slot.size(), false), IsHeld(Slot.size(), false) {
  for (uint32_t Item = 0; Item < Slot.size(); ++Item) {
    ItemAt[Slot[Item]] = Item;
    const uint32_t Unit = T.Slots[Slot[Item]].Unit;
    if (Unit != None)
      EmptyOfUnit[Unit] += Empty[Item];
  }
  Work += Shared.size() / 4;
  if (Shared.isTable()) {
    countShared();
    listSlots();
  } else {
    listShared();
    TriedIn.assign(T.Parts.size(), 0);
    for (uint32_t Part = 0; Part < T.Parts.size(); ++Part)
      if (T.Parts[Part].Children.empty())
        Leaves.push_back(Part);
  }
  double Total = 0;
  for (uint32_t Item = 0; Item < Slot.size(); ++Item) {
    Total += std::fabs(shared(0, Item));
    Signed |= shared(0, Item) < 0;
  }
  Least = Total * T.Parts[0].Weight * 1e-12;
}

void Search::countShared() {
  const auto Size = static_cast<uint32_t>(Slot.size());
  for (uint32_t Item = 0; Item < Size; ++Item) {
    double *Of = Shared.row(T.Slots[Slot[Item]].Owner);
    G.forEach(Item, [&](uint32_t Other, double Value) { Of[Other] += Value; });
    Work += G.degree(Item) / 2;
  }
  for (size_t Part = T.Parts.size(); Part-- > 1;) {
    double *Of = Shared.row(T.Parts[Part].Parent);
    for (uint32_t Item = 0; Item < Size; ++Item)
      Of[Item] += shared(static_cast<uint32_t>(Part), Item);
  }
}

void Search::listSlots() {
  SlotsIn.resize(T.Parts.size());
  for (uint32_t Index = 0; Index < T.count(); ++Index)
    for (uint32_t Part = T.Slots[Index].Owner; Part; Part = T.Parts[Part].Parent)
      SlotsIn[Part].push_back(Index);
}

void Search::listShared() {
  for (uint32_t Item = 0; Item < Slot.size(); ++Item)
    G.forEach(Item, [&](uint32_t Other, double Value) {
      uint32_t Part = T.Slots[Slot[Other]].Owner;
      for (; Part; Part = T.Parts[Part].Parent)
        Shared.add(Part, Item, Value);
      Shared.add(Part, Item, Value);
    });
}

double Search::benefit(uint32_t Item, uint32_t Part) const {
  double Sum = 0;
  for (; Part; Part = T.Parts[Part].Parent)
    Sum += T.Parts[Part].Step * shared(Part, Item);
  return Sum;
}

/// Parts between `Part` and `Top`, without this, with what each unit shared in them counts.
void Search::collectPath(uint32_t Part, uint32_t Top, double Sign) {
  for (; Part != Top; Part = T.Parts[Part].Parent)
    Path.emplace_back(Part, Sign * T.Parts[Part].Step);
}

/// Whether the unit around slot `To` has threads enough when what is at `From` comes there.
bool Search::leavesEnough(uint32_t From, uint32_t To) const {
  const uint32_t Unit = T.Slots[To].Unit;
  if (Unit == None || Unit == T.Slots[From].Unit)
    return true;
  return EmptyOfUnit[Unit] + Empty[ItemAt[From]] - Empty[ItemAt[To]] <= T.MayBeEmpty[Unit];
}

bool Search::isAllowed(uint32_t A, uint32_t B) const {
  const Tree::Slot &First = T.Slots[A], &Second = T.Slots[B];
  if (!T.Single && First.Kind != Second.Kind)
    return false;
  return (First.Unit == None && Second.Unit == None) || (leavesEnough(A, B) && leavesEnough(B, A));
}

/// Looks for a partner among the items of a part where the item has so much more benefit.
void Search::tryPart(uint32_t Item, uint32_t Part, double Difference, Swap &Best) {
  const uint32_t Own = T.Slots[Slot[Item]].Owner;
  const uint32_t Top = T.common(Own, Part);
  Path.clear();
  collectPath(Own, Top, 1);
  collectPath(Part, Top, -1);
  // Where the item goes its partner is gone, and the other way round.
  const double Correction = 2 * T.Parts[Top].Weight - T.Parts[Own].Weight - T.Parts[Part].Weight;
  const double *Volume = G.isDense() ? G.row(Item) : Row.data();
  for (const uint32_t Location : T.Parts[Part].Slots) {
    const uint32_t Other = ItemAt[Location];
    double Gain = Difference - Correction * Volume[Other];
    for (const auto &[Index, Step] : Path)
      Gain += Step * shared(Index, Other);
    if (Gain > Best.Gain && !IsHeld[Other] && isAllowed(Slot[Item], Location))
      Best = {Other, Gain};
  }
  Work += T.Parts[Part].Slots.size() * 2;
}

/// The swap of this item that gains most.  One that gains is better for one of the two items where
/// that one goes, so it suffices to look from each item at where it would have more benefit.
Search::Swap Search::bestSwap(uint32_t Item) {
  const uint32_t Own = T.Slots[Slot[Item]].Owner;
  const double Here = benefit(Item, Own);
  Swap Best;
  Best.Gain = Least;
  loadRow(Item);
  if (Shared.isTable())
    tryAll(Item, Here, Best);
  else if (Signed)
    trySome(Item, Here, Best);
  else
    tryShared(Item, Here, Best);
  clearRow(Item);
  return Best;
}

/// Looks everywhere.
void Search::tryAll(uint32_t Item, double Here, Swap &Best) {
  const uint32_t Own = T.Slots[Slot[Item]].Owner;
  Stack.assign(1, {0, 0.0});
  while (!Stack.empty()) {
    const auto [Part, Benefit] = Stack.back();
    Stack.pop_back();
    if (T.Parts[Part].Children.empty() && Part != Own)
      tryPart(Item, Part, Benefit - Here, Best);
    for (const uint32_t Child : T.Parts[Part].Children) {
      const double Value = shared(Child, Item);
      const double Within = Benefit + T.Parts[Child].Step * Value;
      const double AtBest = Within + Value * (T.Parts[Child].Weight - T.Parts[Child].Least);
      if (AtBest > Here || Signed)
        Stack.emplace_back(Child, Within);
    }
    Work += T.Parts[Part].Children.size() + 1;
  }
}

/// Looks where others are that the item shares with: wherever else it is better than here, it is
/// better still beside these.
void Search::tryShared(uint32_t Item, double Here, Swap &Best) {
  TriedIn[T.Slots[Slot[Item]].Owner] = ++Round;
  G.forEach(Item, [&](uint32_t Other, double) {
    const uint32_t Part = T.Slots[Slot[Other]].Owner;
    if (std::exchange(TriedIn[Part], Round) == Round)
      return;
    if (const double There = benefit(Item, Part); There > Here)
      tryPart(Item, Part, There - Here, Best);
  });
  Work += 8 * G.degree(Item);
}

/// Looks in some parts, each time in others: where volumes count against a part the item is well
/// off almost everywhere.
void Search::trySome(uint32_t Item, double Here, Swap &Best) {
  constexpr size_t Some = 16;
  for (size_t I = 0; I < std::min(Some, Leaves.size()); ++I) {
    const uint32_t Part = Leaves[NextLeaf];
    NextLeaf = (NextLeaf + Leaves.size() / Some + 1) % Leaves.size();
    if (Part != T.Slots[Slot[Item]].Owner)
      tryPart(Item, Part, benefit(Item, Part) - Here, Best);
  }
  Work += 8 * Some;
}

void Search::loadRow(uint32_t Item) {
  if (!G.isDense())
    G.forEach(Item, [&](uint32_t Other, double Value) { Row[Other] = Value; });
}

void Search::clearRow(uint32_t Item) {
  if (!G.isDense())
    G.forEach(Item, [&](uint32_t Other, double) { Row[Other] = 0; });
}

void Search::look(uint32_t Item) {
  if (Queued[Item])
    return;
  Queued[Item] = true;
  Queue[(Head + Length++) % Queue.size()] = Item;
}

void Search::lookAtNeighbours(uint32_t Item) {
  look(Item);
  G.forEach(Item, [&](uint32_t Other, double Value) {
    if (Value != 0)
      look(Other);
  });
}

void Search::addRow(uint32_t Item, uint32_t Part, uint32_t Top, double Sign) {
  for (; Part != Top; Part = T.Parts[Part].Parent) {
    if (Shared.isTable()) {
      double *Of = Shared.row(Part);
      G.forEach(Item, [&](uint32_t Other, double Value) { Of[Other] += Sign * Value; });
    } else if (Sign > 0) {
      G.forEach(Item, [&](uint32_t Other, double Value) { Shared.add(Part, Other, Value); });
    } else {
      G.forEach(Item, [&](uint32_t Other, double Value) { Shared.remove(Part, Other, Value); });
    }
    Work += G.degree(Item) * (G.isDense() ? 1 : 3) / 2 + 1;
  }
}

void Search::addDifference(uint32_t Part, uint32_t Top, double Sign) {
  for (; Part != Top; Part = T.Parts[Part].Parent) {
    double *Of = Shared.row(Part);
    for (size_t Item = 0; Item < Row.size(); ++Item)
      Of[Item] += Sign * Row[Item];
    Work += Row.size() / 2 + 1;
  }
}

void Search::swap(uint32_t A, uint32_t B) {
  const uint32_t First = Slot[A], Second = Slot[B];
  const uint32_t From = T.Slots[First].Owner, To = T.Slots[Second].Owner;
  const uint32_t Top = T.common(From, To);
  if (G.isDense()) {
    for (size_t Item = 0; Item < Row.size(); ++Item)
      Row[Item] = G.row(A)[Item] - G.row(B)[Item];
    addDifference(From, Top, -1);
    addDifference(To, Top, 1);
  } else {
    addRow(A, From, Top, -1);
    addRow(A, To, Top, 1);
    addRow(B, To, Top, -1);
    addRow(B, From, Top, 1);
  }
  const uint32_t UnitA = T.Slots[First].Unit, UnitB = T.Slots[Second].Unit;
  if (UnitA != None)
    EmptyOfUnit[UnitA] = EmptyOfUnit[UnitA] + Empty[B] - Empty[A];
  if (UnitB != None)
    EmptyOfUnit[UnitB] = EmptyOfUnit[UnitB] + Empty[A] - Empty[B];
  std::swap(Slot[A], Slot[B]);
  std::swap(ItemAt[First], ItemAt[Second]);
}

void Search::improve(std::mt19937_64 &Random) {
  std::vector<uint32_t> Order(Slot.size());
  std::iota(Order.begin(), Order.end(), 0);
  shuffle(Order, Random);
  for (const uint32_t Item : Order)
    look(Item);
  descend();
}

/// Makes the swaps that gain, of all items to look at. @return their gain
double Search::descend() {
  double Gain = 0;
  while (Length) {
    const uint32_t Item = Queue[Head];
    Head = (Head + 1) % Queue.size();
    --Length;
    Queued[Item] = false;
    if (IsHeld[Item])
      continue;
    const Swap Best = bestSwap(Item);
    if (Best.Other == None)
      continue;
    swap(Item, Best.Other);
    Done.emplace_back(Item, Best.Other);
    Gain += Best.Gain;
    lookAtNeighbours(Item);
    lookAtNeighbours(Best.Other);
  }
  return Gain;
}

/// One of those that the item shares with, each as likely as it shares much.
uint32_t Search::randomNeighbour(uint32_t Item, std::mt19937_64 &Random) {
  double Left = shared(0, Item) * (static_cast<double>(below(1U << 30, Random)) / (1U << 30));
  uint32_t Chosen = None;
  G.forEach(Item, [&](uint32_t Other, double Value) {
    if (Value > 0 && (Left >= 0 || Chosen == None))
      Chosen = Other;
    Left -= Value;
  });
  return Chosen;
}

/// The child of a part that has another part in it, or is it.
uint32_t Search::childWith(uint32_t Top, uint32_t Part) const {
  while (T.Parts[Part].Parent != Top)
    Part = T.Parts[Part].Parent;
  return Part;
}

void Search::swapAndHold(uint32_t Item, uint32_t Other) {
  Done.emplace_back(Item, Other);
  swap(Item, Other);
  for (const uint32_t Each : {Item, Other}) {
    IsHeld[Each] = true;
    Held.push_back(Each);
    lookAtNeighbours(Each);
  }
}

/// @return the items that were held
std::vector<uint32_t> Search::release() {
  for (const uint32_t Item : Held)
    IsHeld[Item] = false;
  return std::exchange(Held, {});
}

/// Brings an item into a part where a neighbour of it is, by the swap that costs least. @return
/// whether there is one
bool Search::begin(uint32_t Item, uint32_t Part, uint32_t Neighbour, double &Gain) {
  Swap First;
  First.Gain = -std::numeric_limits<double>::infinity();
  IsHeld[Neighbour] = true;
  loadRow(Item);
  tryPart(Item, Part, benefit(Item, Part) - benefit(Item, T.Slots[Slot[Item]].Owner), First);
  clearRow(Item);
  IsHeld[Neighbour] = false;
  if (First.Other == None)
    return false;
  Gain += First.Gain;
  swapAndHold(Item, First.Other);
  return true;
}

/// The item in one part that shares most with those in another, against what it shares here and
/// with the item that is to come for it, whose volumes are given.
uint32_t Search::readiest(uint32_t From, uint32_t To, const double *Volume,
                          std::mt19937_64 &Random) {
  const std::vector<uint32_t> &Slots = SlotsIn[From];
  const auto Count = static_cast<uint32_t>(Slots.size());
  const uint32_t First = below(Count, Random); // decides between equal ones
  uint32_t Best = None;
  double Most = 0;
  for (uint32_t I = 0; I < Count; ++I) {
    const uint32_t Item = ItemAt[Slots[(I + First) % Count]];
    if (IsHeld[Item])
      continue;
    const double Gain = shared(To, Item) - shared(From, Item) - (Volume ? 2 * Volume[Item] : 0);
    if (Best == None || Gain > Most) {
      Best = Item;
      Most = Gain;
    }
  }
  Work += Count;
  return Best;
}

/// What a swap gains; the item's row is loaded.
double Search::gainOf(uint32_t Item, uint32_t Other) {
  const uint32_t Own = T.Slots[Slot[Item]].Owner, Part = T.Slots[Slot[Other]].Owner;
  const uint32_t Top = T.common(Own, Part);
  const double Correction = 2 * T.Parts[Top].Weight - T.Parts[Own].Weight - T.Parts[Part].Weight;
  Path.clear();
  collectPath(Own, Top, 1);
  collectPath(Part, Top, -1);
  double Gain = -Correction * (G.isDense() ? G.row(Item) : Row.data())[Other];
  for (const auto &[Index, Step] : Path)
    Gain += Step * (shared(Index, Other) - shared(Index, Item));
  return Gain;
}

/// More items go from one part to another, and others come back for them.
void Search::follow(uint32_t From, uint32_t To, uint32_t Swaps, double &Gain,
                    std::mt19937_64 &Random) {
  for (; Swaps; --Swaps) {
    const uint32_t Item = readiest(From, To, nullptr, Random);
    if (Item == None)
      return;
    loadRow(Item);
    const uint32_t Other = readiest(To, From, G.isDense() ? G.row(Item) : Row.data(), Random);
    const bool MaySwap = Other != None && isAllowed(Slot[Item], Slot[Other]);
    if (MaySwap)
      Gain += gainOf(Item, Other);
    clearRow(Item);
    if (!MaySwap)
      return;
    swapAndHold(Item, Other);
  }
}

/// The swaps that gain, first without the items that are held. @return their gain
double Search::settle() {
  double Gain = descend();
  for (const uint32_t Item : release())
    look(Item);
  return Gain + descend();
}

/// @return whether the map is other than before, and not dearer
bool Search::trial(uint32_t Item, std::mt19937_64 &Random) {
  const uint32_t Neighbour = randomNeighbour(Item, Random);
  Work += G.degree(Item) + 4;
  if (Neighbour == None)
    return false;
  const uint32_t Own = T.Slots[Slot[Item]].Owner, Part = T.Slots[Slot[Neighbour]].Owner;
  if (Own == Part)
    return false;
  const uint32_t Top = T.common(Own, Part);
  const uint32_t From = childWith(Top, Own), To = childWith(Top, Part);
  Done.clear();
  double Gain = 0;
  if (!begin(Item, Part, Neighbour, Gain))
    return false;
  if (Shared.isTable()) {
    const size_t Half = std::min(SlotsIn[From].size(), SlotsIn[To].size()) / 2;
    follow(From, To, below(static_cast<uint32_t>(Half) + 1, Random), Gain, Random);
  }
  Gain += settle();
  if (Gain >= -Least)
    return true;
  for (size_t I = Done.size(); I-- > 0;)
    swap(Done[I].first, Done[I].second);
  return false;
}

void Search::explore(uint64_t Limit, std::mt19937_64 &Random) {
  const auto Count = static_cast<uint32_t>(Slot.size());
  const uint64_t End = Work + Limit;
  while (Work < End)
    trial(below(Count, Random), Random);
}
