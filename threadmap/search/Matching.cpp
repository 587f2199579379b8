//===-- Matching.cpp - pairs, pairs of pairs, ... ---------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How to form groups of k out of g x k members:
//
//   k even  pairs of members by matching, and of these groups of k / 2
//   k odd   g members are left over, each matched with a dummy; the others form groups of k - 1;
//           each group gets one of those left over, by matching
//
// So a cache of 2 x 3 cores gets three pairs, one of 28 cores seven pairs of pairs.  Dummies share
// nothing; they also fill groups where threads are fewer than locations.
//
//===----------------------------------------------------------------------===//

#include "Construct.h"

#include "Cost.h"
#include "Pairing.h"

#include <algorithm>
#include <cmath>

using namespace threadmap;

namespace {

/// Threads in the order of the locations that they will have side by side; None is a dummy.
using Group = std::vector<uint32_t>;

uint32_t dummiesIn(const Group &G) {
  return static_cast<uint32_t>(std::count(G.begin(), G.end(), None));
}

Group joined(const Group &A, const Group &B) {
  Group Result = A;
  Result.insert(Result.end(), B.begin(), B.end());
  return Result;
}

class Matcher {
public:
  Matcher(const Matrix &M, const Locations &P) : Volumes(M), At(P) {
    double Total = 0;
    for (uint32_t A = 0; A < M.threads(); ++A)
      for (uint32_t B = 0; B < A; ++B)
        Total += std::fabs(M(A, B));
    Forbidden = -4 * (Total + 1);
  }

  Map run() {
    std::vector<Group> Groups;
    for (uint32_t Thread = 0; Thread < Volumes.threads(); ++Thread)
      Groups.push_back({Thread});
    for (const Level &L : levels())
      form(Groups, L);
    return assigned(Groups);
  }

private:
  struct Level {
    uint32_t Size;   ///< members of a group
    uint32_t Groups; ///< that the machine has room for
    bool OneDummy;   ///< groups are cores that must not be empty, ...
    bool IsFull;     ///< ... and all of them have a thread
  };

  /// How many children the parts of each level have, from the lowest up.  A machine whose parts
  /// differ has a single level: pairs of pairs up to all threads, side by side.
  std::vector<Level> levels() const {
    std::vector<Level> Result;
    for (const Locations::Part &Part : At.Parts) {
      const bool Lowest = Part.Children.empty();
      const auto Size =
          static_cast<uint32_t>(Lowest ? Part.End - Part.Begin : Part.Children.size());
      if (Part.Level == Result.size())
        Result.push_back({Size, 0, false, false});
      Level &L = Result[Part.Level];
      if (L.Size != Size || (Lowest && Part.Level + 1 != depth()))
        return {{At.count(), 1, false, false}};
      ++L.Groups;
    }
    std::reverse(Result.begin(), Result.end());
    const bool Needed =
        std::any_of(At.AtLeast.begin(), At.AtLeast.end(), [](uint32_t Count) { return Count > 0; });
    Result[0].OneDummy = Result[0].IsFull = Needed;
    return Result;
  }

  uint32_t depth() const {
    uint32_t Depth = 0;
    for (const Locations::Part &Part : At.Parts)
      Depth = std::max(Depth, Part.Level + 1);
    return Depth;
  }

  /// Replaces members by groups of them, as few as hold all of them or as many as there must be.
  void form(std::vector<Group> &Members, const Level &L) const {
    const auto Count = static_cast<uint32_t>(Members.size());
    const uint32_t Groups = L.IsFull ? L.Groups : (Count + L.Size - 1) / L.Size;
    const size_t Width = Members[0].size();
    Members.resize(size_t{Groups} * L.Size, Group(Width, None));
    formGroups(Members, Groups, L.Size, L.OneDummy);
  }

  void formGroups(std::vector<Group> &Members, uint32_t Groups, uint32_t Size, bool One) const {
    if (Size == 1 || Groups == 0)
      return;
    std::vector<Group> Left;
    if (Size % 2)
      Left = takeLeftOver(Members, Groups, One);
    Members = pairs(Members, One);
    formGroups(Members, Groups, Size / 2, One);
    if (Size % 2)
      Members = withLeftOver(Members, Left, One);
  }

  /// H of the paper: what two groups share.
  double shared(const Group &A, const Group &B, bool One) const {
    if (One && dummiesIn(A) + dummiesIn(B) > 1)
      return Forbidden;
    double Sum = 0;
    for (const uint32_t X : A)
      for (const uint32_t Y : B)
        if (X != None && Y != None)
          Sum += Volumes(X, Y);
    return Sum;
  }

  /// What any two of the groups share.
  std::vector<double> table(const std::vector<Group> &Groups, bool One) const {
    const size_t Count = Groups.size();
    std::vector<double> Result(Count * Count);
    for (size_t A = 0; A < Count; ++A)
      for (size_t B = 0; B < A; ++B)
        Result[A * Count + B] = Result[B * Count + A] = shared(Groups[A], Groups[B], One);
    return Result;
  }

  std::vector<Group> pairs(const std::vector<Group> &Members, bool One) const {
    const auto Count = static_cast<uint32_t>(Members.size());
    const std::vector<double> Weight = table(Members, One);
    const std::vector<uint32_t> Partner =
        bestPairs(Count, [&](uint32_t A, uint32_t B) { return Weight[size_t{A} * Count + B]; });
    std::vector<Group> Result;
    for (uint32_t A = 0; A < Count; ++A)
      if (A < Partner[A])
        Result.push_back(joined(Members[A], Members[Partner[A]]));
    return Result;
  }

  /// Takes so many members out that the others can form the pairs that share most.
  std::vector<Group> takeLeftOver(std::vector<Group> &Members, uint32_t Groups, bool One) const {
    const auto Count = static_cast<uint32_t>(Members.size());
    const std::vector<double> Weight = table(Members, One);
    const std::vector<uint32_t> Partner = bestPairs(Count + Groups, [&](uint32_t A, uint32_t B) {
      if (A < Count && B < Count)
        return Weight[size_t{A} * Count + B];
      return A >= Count && B >= Count ? Forbidden : 0.0;
    });
    std::vector<Group> Left, Rest;
    for (uint32_t A = 0; A < Count; ++A)
      (Partner[A] < Count ? Rest : Left).push_back(std::move(Members[A]));
    Members = std::move(Rest);
    return Left;
  }

  std::vector<Group> withLeftOver(const std::vector<Group> &Groups, const std::vector<Group> &Left,
                                  bool One) const {
    const auto Count = static_cast<uint32_t>(Groups.size());
    const std::vector<uint32_t> Partner = bestPairs(2 * Count, [&](uint32_t A, uint32_t B) {
      if ((A < Count) == (B < Count))
        return Forbidden;
      return shared(Groups[std::min(A, B)], Left[std::max(A, B) - Count], One);
    });
    std::vector<Group> Result;
    for (uint32_t A = 0; A < Count; ++A)
      Result.push_back(joined(Groups[A], Left[Partner[A] - Count]));
    return Result;
  }

  /// The one group lies over the locations from the first on.
  Map assigned(const std::vector<Group> &Groups) const {
    Map Result(Volumes.threads(), None);
    uint32_t Location = 0;
    for (const Group &G : Groups)
      for (const uint32_t Thread : G) {
        if (Thread != None)
          Result[Thread] = Location;
        ++Location;
      }
    return isValid(At, Result) ? Result : sideBySide(Groups);
  }

  /// The threads in the order of the group, on the locations of a compact map.
  Map sideBySide(const std::vector<Group> &Groups) const {
    const Map Compact = compactMap(At, Volumes.threads());
    Map Result(Volumes.threads(), None);
    size_t Next = 0;
    for (const Group &G : Groups)
      for (const uint32_t Thread : G)
        if (Thread != None)
          Result[Thread] = Compact[Next++];
    return Result;
  }

  const Matrix &Volumes;
  const Locations &At;
  double Forbidden;
};

} // namespace

Map threadmap::matchingMap(const Matrix &Volumes, const Locations &At) {
  return Matcher(Volumes, At).run();
}
