//===-- Fewer.cpp - locations that can matter ----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How many of k alike children can a part use that has at most n threads?
//
// In a cheapest map: what is in two children may be put together in one of them if neither uses
// more than half of the grandchildren of any shape there; the groups keep their form, and are
// nearer to each other.  If that holds for all groups of at most m threads, only one child need
// have as few as that, so 1 + (n - 1) / (m + 1) children do.  Half of the grandchildren suffice for
// m threads if this formula says so for them:
//
//   m = [k / 2] (m of a child + 1), the least over the shapes of children; m of a location = 0
//
// In a dearest map: n children do.  No child need have two threads while another has none, since
// moving one there makes nothing cheaper; so of n threads one child has at most n - k + 1.
//
//===----------------------------------------------------------------------===//

#include "Fewer.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <tuple>

using namespace threadmap;

namespace {

class FewerChooser {
public:
  FewerChooser(const Locations &From, bool ForWorst)
      : At(From), Worst(ForWorst), Shape(From.Parts.size()), Mergeable(From.Parts.size()) {
    for (size_t Part = At.Parts.size(); Part-- > 0;)
      describe(static_cast<uint32_t>(Part));
    Result.Few.AtLeast = From.AtLeast;
  }

  FewerLocations run(uint32_t Threads) {
    if (Threads == 1)
      addLocation(0, newPart(0, 0, At.Parts[0].Weight));
    else
      add(0, 0, 0, Threads);
    for (size_t Part = Result.Few.Parts.size(); Part-- > 1;) {
      Locations::Part &Parent = Result.Few.Parts[Result.Few.Parts[Part].Parent];
      Parent.End = std::max(Parent.End, Result.Few.Parts[Part].End);
    }
    return std::move(Result);
  }

private:
  using Form = std::tuple<double, uint32_t, std::vector<uint32_t>>;

  uint32_t roomOf(uint32_t Part) const { return At.Parts[Part].End - At.Parts[Part].Begin; }

  /// Finds out the shape of a part, and how many threads two such parts may have each so that one
  /// of them surely has room for both groups as they are.
  void describe(uint32_t Index) {
    const Locations::Part &Part = At.Parts[Index];
    Form Of{Part.Weight, roomOf(Index), {}};
    std::map<uint32_t, std::pair<uint32_t, uint32_t>> Children; // number and threads, by shape
    for (const uint32_t Child : Part.Children) {
      std::get<2>(Of).push_back(Shape[Child]);
      auto &[Count, Threads] = Children[Shape[Child]];
      ++Count;
      Threads = Mergeable[Child];
    }
    Shape[Index] = Shapes.try_emplace(Of, static_cast<uint32_t>(Shapes.size())).first->second;
    Mergeable[Index] = roomOf(Index) / 2;
    for (const auto &[Child, Alike] : Children)
      Mergeable[Index] = std::min(Mergeable[Index], Alike.first / 2 * (Alike.second + 1));
  }

  /// How many of alike children, or locations, are kept.  More than two are kept in powers of two,
  /// where there are so many, so that pairs of pairs form as without the others.
  uint32_t kept(uint32_t Children, uint32_t Threads, uint32_t ChildMergeable) const {
    const uint32_t Used = Worst ? Threads : 1 + (Threads - 1) / (ChildMergeable + 1);
    return std::min(Children, std::bit_ceil(Used));
  }

  std::vector<uint32_t> keptChildren(const Locations::Part &Part, uint32_t Threads) const {
    std::map<uint32_t, uint32_t> Count, Kept; // by shape
    for (const uint32_t Child : Part.Children)
      ++Count[Shape[Child]];
    std::vector<uint32_t> List;
    for (const uint32_t Child : Part.Children)
      if (Kept[Shape[Child]] < kept(Count[Shape[Child]], Threads, Mergeable[Child])) {
        ++Kept[Shape[Child]];
        List.push_back(Child);
      }
    return List;
  }

  uint32_t newPart(uint32_t Parent, uint32_t Level, double Weight) {
    const auto Self = static_cast<uint32_t>(Result.Few.Parts.size());
    const uint32_t Begin = Result.Few.count();
    Result.Few.Parts.push_back({Parent, Level, Begin, Begin, Weight, {}});
    if (Self)
      Result.Few.Parts[Parent].Children.push_back(Self);
    return Self;
  }

  void addLocation(uint32_t Location, uint32_t Owner) {
    Result.Few.Owner.push_back(Owner);
    Result.Few.Cpu.push_back(At.Cpu[Location]);
    Result.Few.Unit.push_back(At.Unit[Location]);
    Result.Few.Parts[Owner].End = Result.Few.count();
    Result.Whole.push_back(Location);
  }

  /// Adds what is kept of a part that has at most so many threads, two or more.
  void add(uint32_t Index, uint32_t Parent, uint32_t Level, uint32_t Threads) {
    const Locations::Part &Part = At.Parts[Index];
    const std::vector<uint32_t> Children = keptChildren(Part, Threads);
    if (Children.size() == 1 && roomOf(Children[0]) > 1) { // What is shared is the child's.
      add(Children[0], Parent, Level, Threads);
      return;
    }
    const uint32_t Self = newPart(Parent, Level, Part.Weight);
    if (Part.Children.empty())
      for (uint32_t I = 0; I < kept(roomOf(Index), Threads, 0); ++I)
        addLocation(Part.Begin + I, Self);
    else
      addChildren(Children, Self, Level + 1, threadsOfChild(Part, Threads));
  }

  uint32_t threadsOfChild(const Locations::Part &Part, uint32_t Threads) const {
    const auto Children = static_cast<uint32_t>(Part.Children.size());
    return !Worst ? Threads : Threads > Children ? Threads - Children + 1 : 1;
  }

  /// A child of one thread is one location, whichever; among larger ones it has a part of its own.
  void addChildren(const std::vector<uint32_t> &Children, uint32_t Self, uint32_t Level,
                   uint32_t Threads) {
    const auto IsSingle = [&](uint32_t Child) { return Threads == 1 || roomOf(Child) == 1; };
    const bool Mixed = !std::all_of(Children.begin(), Children.end(), IsSingle);
    for (const uint32_t Child : Children) {
      if (!IsSingle(Child))
        add(Child, Self, Level, Threads);
      else
        addLocation(At.Parts[Child].Begin,
                    Mixed ? newPart(Self, Level, Result.Few.Parts[Self].Weight) : Self);
    }
  }

  const Locations &At;
  bool Worst;
  std::map<Form, uint32_t> Shapes;
  std::vector<uint32_t> Shape;     ///< by part: parts of one shape are alike
  std::vector<uint32_t> Mergeable; ///< by part: see describe()
  FewerLocations Result;
};

/// Whether there are more cores than threads: none has to have one then.
bool hasFreeCores(const Locations &At) {
  return std::all_of(At.AtLeast.begin(), At.AtLeast.end(), [](uint32_t Count) { return !Count; });
}

} // namespace

FewerLocations threadmap::fewerLocations(const Locations &At, uint32_t Threads, bool Worst) {
  if (hasFreeCores(At))
    return FewerChooser(At, Worst).run(Threads);
  FewerLocations All{At, std::vector<uint32_t>(At.count())};
  std::iota(All.Whole.begin(), All.Whole.end(), 0);
  return All;
}
