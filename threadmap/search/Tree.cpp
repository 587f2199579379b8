//===-- Tree.cpp - locations for groups of threads -----------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Tree.h"

#include <algorithm>

using namespace threadmap;

namespace {

/// Fills in what follows from parents, weights and slots.
void complete(Tree &T) {
  for (size_t I = T.Parts.size(); I-- > 0;) {
    Tree::Part &Part = T.Parts[I];
    Part.Least = Part.Weight;
    for (const uint32_t Child : Part.Children)
      Part.Least = std::min(Part.Least, T.Parts[Child].Least);
    Part.Step = T.Parts[Part.Parent].Weight - Part.Weight;
  }
  for (uint32_t Slot = 0; Slot < T.count(); ++Slot)
    T.Parts[T.Slots[Slot].Owner].Slots.push_back(Slot);
}

/// Puts the slots of a tree together.
class Coarsening {
public:
  Coarsening(const Tree &From, size_t StepNumber, Kinds &Known)
      : Fine(From), Step(StepNumber), Kind(Known) {
    Result.Into.assign(Fine.count(), None);
  }

  CoarseTree run() {
    add(0, 0, 0);
    Result.Above.MayBeEmpty = Fine.MayBeEmpty;
    complete(Result.Above);
    return std::move(Result);
  }

private:
  bool isSlot(uint32_t Part) const {
    return Fine.Parts[Part].Children.empty() && Fine.Parts[Part].Slots.size() == 1;
  }

  uint32_t newPart(uint32_t Index, uint32_t Parent, uint32_t Level) {
    const auto Self = static_cast<uint32_t>(Result.Above.Parts.size());
    Result.Above.Parts.push_back({Parent, Level, Fine.Parts[Index].Weight, 0, 0, {}, {}});
    if (Self)
      Result.Above.Parts[Parent].Children.push_back(Self);
    return Self;
  }

  /// Copies a part; one whose children have all become slots holds these itself.
  void add(uint32_t Index, uint32_t Parent, uint32_t Level) {
    const Tree::Part &Part = Fine.Parts[Index];
    const uint32_t Self = newPart(Index, Parent, Level);
    const bool Collapses =
        !Part.Children.empty() && std::all_of(Part.Children.begin(), Part.Children.end(),
                                              [&](uint32_t Child) { return isSlot(Child); });
    if (Collapses) {
      for (const uint32_t Child : Part.Children)
        keep(Fine.Parts[Child].Slots[0], Self);
    } else if (!Part.Children.empty()) {
      for (const uint32_t Child : Part.Children)
        add(Child, Self, Level + 1);
    } else {
      putTogether(Part, Self);
    }
  }

  void putTogether(const Tree::Part &Part, uint32_t Owner) {
    std::vector<uint32_t> Slots = Part.Slots;
    std::stable_sort(Slots.begin(), Slots.end(), [&](uint32_t A, uint32_t B) {
      return Fine.Slots[A].Kind > Fine.Slots[B].Kind;
    });
    for (size_t I = 0; I + 1 < Slots.size(); I += 2)
      join(Slots[I], Slots[I + 1], Owner, Part.Weight);
    if (Slots.size() % 2)
      keep(Slots.back(), Owner);
  }

  void keep(uint32_t Slot, uint32_t Owner) {
    const Tree::Slot &Old = Fine.Slots[Slot];
    Result.Into[Slot] = Result.Above.count();
    Result.From.push_back({Slot, None});
    Result.Above.Slots.push_back({Owner, Old.Kind, Old.Unit});
  }

  void join(uint32_t A, uint32_t B, uint32_t Owner, double Weight) {
    const Tree::Slot &First = Fine.Slots[A], &Second = Fine.Slots[B];
    const auto Next = static_cast<uint32_t>(Kind.size());
    // Kinds of single locations are small numbers, so those of joined ones start above.
    const uint32_t Joined =
        Kind.try_emplace({Step, First.Kind, Second.Kind, Weight}, (1U << 16) + Next).first->second;
    Result.Into[A] = Result.Into[B] = Result.Above.count();
    Result.From.push_back({A, B});
    Result.Above.Slots.push_back({Owner, Joined, First.Unit == Second.Unit ? First.Unit : None});
  }

  const Tree &Fine;
  size_t Step;
  Kinds &Kind;
  CoarseTree Result;
};

} // namespace

uint32_t Tree::common(uint32_t A, uint32_t B) const {
  while (A != B) {
    if (Parts[A].Level < Parts[B].Level)
      std::swap(A, B);
    A = Parts[A].Parent;
  }
  return A;
}

Tree threadmap::treeOf(const Locations &At) {
  Tree Result;
  for (const Locations::Part &Part : At.Parts)
    Result.Parts.push_back({Part.Parent, Part.Level, Part.Weight, 0, 0, Part.Children, {}});
  std::vector<uint32_t> Size(At.AtLeast.size(), 0);
  for (const uint32_t Unit : At.Unit)
    ++Size[Unit];
  for (size_t Unit = 0; Unit < Size.size(); ++Unit)
    Result.MayBeEmpty.push_back(Size[Unit] - std::min(Size[Unit], At.AtLeast[Unit]));
  for (uint32_t Location = 0; Location < At.count(); ++Location) {
    const uint32_t Unit = At.Unit[Location];
    // A core of one location that may stay empty asks nothing of the search.
    const bool Free = Size[Unit] == 1 && Result.MayBeEmpty[Unit];
    const uint32_t Kind = Free ? 0 : 2 * Size[Unit] + Result.MayBeEmpty[Unit];
    Result.Slots.push_back({At.Owner[Location], Kind, Free ? None : Unit});
  }
  Result.Single = true;
  complete(Result);
  return Result;
}

Tree threadmap::withoutPartsBelow(const Tree &Of, uint32_t Depth) {
  Tree Result;
  std::vector<uint32_t> Into; // by part: itself, or what is left around it
  for (const Tree::Part &Part : Of.Parts) {
    const uint32_t Parent = Into.empty() ? 0 : Into[Part.Parent];
    if (Part.Level > Depth) {
      Into.push_back(Parent);
      continue;
    }
    const auto Self = static_cast<uint32_t>(Result.Parts.size());
    Into.push_back(Self);
    Result.Parts.push_back({Parent, Part.Level, Part.Weight, 0, 0, {}, {}});
    if (Self)
      Result.Parts[Parent].Children.push_back(Self);
  }
  Result.Slots = Of.Slots;
  for (Tree::Slot &Slot : Result.Slots)
    Slot.Owner = Into[Slot.Owner];
  Result.MayBeEmpty = Of.MayBeEmpty;
  Result.Single = Of.Single;
  complete(Result);
  return Result;
}

Tree threadmap::treeOfTwo(uint32_t First, uint32_t Second) {
  Tree Result;
  Result.Parts = {{0, 0, 1, 0, 0, {1, 2}, {}}, {0, 1, 0, 0, 0, {}, {}}, {0, 1, 0, 0, 0, {}, {}}};
  Result.Slots.assign(First, {1, 0, None});
  Result.Slots.resize(size_t{First} + Second, {2, 0, None});
  Result.Single = true;
  complete(Result);
  return Result;
}

CoarseTree threadmap::coarse(const Tree &Fine, size_t Step, Kinds &Known) {
  return Coarsening(Fine, Step, Known).run();
}
