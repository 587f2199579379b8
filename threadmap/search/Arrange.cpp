//===-- Arrange.cpp - neighbours that share ---------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Arrange.h"

#include "SquareTable.h"

#include <algorithm>
#include <numeric>

using namespace threadmap;

namespace {

/// A path through all members along which neighbours share much: it grows at both ends, then
/// pieces of it are turned round as long as that gains.
class Path {
public:
  explicit Path(const SquareTable &SharedByMembers) : Shared(SharedByMembers) {}

  std::vector<size_t> run() {
    grow();
    for (int Pass = 0; Pass < MaxPasses && turnPieces(); ++Pass)
      ;
    if (Order.front() > Order.back())
      std::reverse(Order.begin(), Order.end());
    return std::move(Order);
  }

private:
  static constexpr int MaxPasses = 8;

  void grow() {
    std::vector<size_t> Left(Shared.size());
    std::iota(Left.begin(), Left.end(), 0);
    std::vector<size_t> Before, After = {0};
    Left.erase(Left.begin());
    while (!Left.empty()) {
      const size_t First = Before.empty() ? After.front() : Before.back();
      const auto AtStart = nearest(Left, First), AtEnd = nearest(Left, After.back());
      const bool Start = Shared(First, *AtStart) > Shared(After.back(), *AtEnd);
      (Start ? Before : After).push_back(Start ? *AtStart : *AtEnd);
      Left.erase(Start ? AtStart : AtEnd);
    }
    Order.assign(Before.rbegin(), Before.rend());
    Order.insert(Order.end(), After.begin(), After.end());
  }

  std::vector<size_t>::iterator nearest(std::vector<size_t> &Left, size_t To) const {
    return std::max_element(Left.begin(), Left.end(),
                            [&](size_t A, size_t B) { return Shared(To, A) < Shared(To, B); });
  }

  /// What a member shares with its neighbour in the path, beyond whose ends is nothing.
  double link(size_t A, size_t B) const {
    return A < Order.size() && B < Order.size() ? Shared(Order[A], Order[B]) : 0;
  }

  bool turnPieces() {
    bool Turned = false;
    for (size_t First = 0; First < Order.size(); ++First)
      for (size_t Last = First + 1; Last < Order.size(); ++Last) {
        const double Before = link(First - 1, First) + link(Last, Last + 1);
        const double After = link(First - 1, Last) + link(First, Last + 1);
        if (After <= Before * (1 + 1e-12))
          continue;
        std::reverse(Order.begin() + static_cast<ptrdiff_t>(First),
                     Order.begin() + static_cast<ptrdiff_t>(Last) + 1);
        Turned = true;
      }
    return Turned;
  }

  const SquareTable &Shared;
  std::vector<size_t> Order;
};

class Arranger {
public:
  Arranger(const Matrix &M, const Locations &P, Map &ToChange)
      : Volumes(M), At(P), Of(ToChange), ThreadAt(threadsByLocation(P, ToChange)),
        GroupOf(M.threads(), None) {}

  void run() {
    for (size_t Index = At.Parts.size(); Index-- > 0;) {
      const Locations::Part &Part = At.Parts[Index];
      if (!isInOneDomain(Part))
        continue; // What is alike by levels is not by distances.
      if (Part.Children.empty())
        arrangeThreads(Part);
      else if (areAlike(Part.Children))
        arrangeParts(Part);
    }
    for (uint32_t Location = 0; Location < At.count(); ++Location)
      if (ThreadAt[Location] != None)
        Of[ThreadAt[Location]] = Location;
  }

private:
  bool isInOneDomain(const Locations::Part &Part) const {
    return !At.Domains ||
           std::all_of(At.Domain.begin() + Part.Begin, At.Domain.begin() + Part.End,
                       [&](uint32_t Domain) { return Domain == At.Domain[Part.Begin]; });
  }

  /// Sorted first, so that the order does not depend on the one that the search left.
  void arrangeThreads(const Locations::Part &Part) {
    std::vector<uint32_t> Threads, Where;
    for (uint32_t Location = Part.Begin; Location < Part.End; ++Location)
      if (ThreadAt[Location] != None) {
        Threads.push_back(ThreadAt[Location]);
        Where.push_back(Location);
      }
    if (Threads.size() < 2)
      return;
    std::sort(Threads.begin(), Threads.end());
    SquareTable Shared(Threads.size());
    for (size_t A = 0; A < Threads.size(); ++A)
      for (size_t B = 0; B < Threads.size(); ++B)
        Shared(A, B) = Volumes(Threads[A], Threads[B]);
    const std::vector<size_t> Order = Path(Shared).run();
    for (size_t I = 0; I < Order.size(); ++I)
      ThreadAt[Where[I]] = Threads[Order[I]];
  }

  /// Whether parts have the same locations, with the same needs.
  bool areAlike(const std::vector<uint32_t> &Parts) const {
    return std::all_of(Parts.begin() + 1, Parts.end(),
                       [&](uint32_t Part) { return isLike(Parts[0], Part); });
  }

  bool isLike(uint32_t A, uint32_t B) const {
    const Locations::Part &First = At.Parts[A], &Second = At.Parts[B];
    if (First.End - First.Begin != Second.End - Second.Begin || First.Weight != Second.Weight ||
        First.Children.size() != Second.Children.size())
      return false;
    for (uint32_t I = 0; First.Children.empty() && I < First.End - First.Begin; ++I)
      if (At.AtLeast[At.Unit[First.Begin + I]] != At.AtLeast[At.Unit[Second.Begin + I]])
        return false;
    for (size_t I = 0; I < First.Children.size(); ++I)
      if (!isLike(First.Children[I], Second.Children[I]))
        return false;
    return true;
  }

  std::vector<uint32_t> contents(uint32_t Part) const {
    return {ThreadAt.begin() + At.Parts[Part].Begin, ThreadAt.begin() + At.Parts[Part].End};
  }

  static uint32_t leastThread(const std::vector<uint32_t> &Threads) {
    return *std::min_element(Threads.begin(), Threads.end()); // None is the greatest number.
  }

  /// What the first so many groups share with one another.
  SquareTable sharedByGroups(const std::vector<std::vector<uint32_t>> &Groups, size_t Count) {
    const auto Number = [&](bool IsMember) {
      for (size_t Group = 0; Group < Count; ++Group)
        for (const uint32_t Thread : Groups[Group])
          if (Thread != None)
            GroupOf[Thread] = IsMember ? static_cast<uint32_t>(Group) : None;
    };
    Number(true);
    SquareTable Shared(Count);
    for (size_t Group = 0; Group < Count; ++Group)
      for (const uint32_t Thread : Groups[Group])
        if (Thread != None)
          Volumes.forEach(Thread, [&](uint32_t Other, double Volume) {
            if (GroupOf[Other] != None)
              Shared(Group, GroupOf[Other]) += Volume;
          });
    Number(false);
    return Shared;
  }

  void arrangeParts(const Locations::Part &Part) {
    std::vector<std::vector<uint32_t>> Groups;
    for (const uint32_t Child : Part.Children)
      Groups.push_back(contents(Child));
    std::stable_sort(Groups.begin(), Groups.end(),
                     [](const auto &A, const auto &B) { return leastThread(A) < leastThread(B); });
    // Empty parts come last.
    const auto Filled =
        static_cast<size_t>(std::count_if(Groups.begin(), Groups.end(), [](const auto &Group) {
          return leastThread(Group) != None;
        }));
    std::vector<size_t> Order(Groups.size());
    std::iota(Order.begin(), Order.end(), 0);
    if (Filled > 2)
      std::ranges::copy(Path(sharedByGroups(Groups, Filled)).run(), Order.begin());
    uint32_t Location = Part.Begin;
    for (const size_t Group : Order)
      for (const uint32_t Thread : Groups[Group])
        ThreadAt[Location++] = Thread;
  }

  const Matrix &Volumes;
  const Locations &At;
  Map &Of;
  std::vector<uint32_t> ThreadAt; ///< by location
  std::vector<uint32_t> GroupOf;  ///< by thread, while groups are compared
};

} // namespace

void threadmap::arrange(const Matrix &Volumes, const Locations &At, Map &Of) {
  Arranger(Volumes, At, Of).run();
}
