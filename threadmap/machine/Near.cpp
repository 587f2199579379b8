//===-- Near.cpp - locations near one another -------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Near.h"

#include <algorithm>

using namespace threadmap;

namespace {

class NearChooser {
public:
  explicit NearChooser(const Locations &From) : At(From), Room(From.Parts.size(), 0) {
    std::vector<uint32_t> Missing = At.AtLeast;
    for (uint32_t Location = 0; Location < At.count(); ++Location) {
      uint32_t &Left = Missing[At.Unit[Location]];
      IsNeeded.push_back(Left > 0);
      if (Left > 0)
        Result.push_back(Location);
      Left -= Left > 0;
    }
    for (size_t Part = At.Parts.size(); Part-- > 0;)
      countRoom(static_cast<uint32_t>(Part));
  }

  std::vector<uint32_t> run(uint32_t Threads) {
    take(0, Threads - static_cast<uint32_t>(Result.size()));
    std::sort(Result.begin(), Result.end());
    return std::move(Result);
  }

private:
  void countRoom(uint32_t Index) {
    const Locations::Part &Part = At.Parts[Index];
    if (Part.Children.empty())
      Room[Index] = static_cast<uint32_t>(
          std::count(IsNeeded.begin() + Part.Begin, IsNeeded.begin() + Part.End, false));
    for (const uint32_t Child : Part.Children)
      Room[Index] += Room[Child];
  }

  /// Chooses so many locations of a part that has room for them.
  void take(uint32_t Index, uint32_t Count) {
    const Locations::Part &Part = At.Parts[Index];
    for (uint32_t I = Part.Begin; Part.Children.empty() && I < Part.End && Count; ++I)
      if (!IsNeeded[I]) {
        Result.push_back(I);
        --Count;
      }
    std::vector<uint32_t> Left = Part.Children;
    while (Count && !Left.empty()) {
      const auto Next = nextChild(Left, Count);
      const uint32_t Some = std::min(Count, Room[*Next]);
      take(*Next, Some);
      Count -= Some;
      Left.erase(Next);
    }
  }

  /// The child with the least room that suffices; where none has, that with the most.
  std::vector<uint32_t>::iterator nextChild(std::vector<uint32_t> &Children, uint32_t Count) const {
    return std::min_element(Children.begin(), Children.end(), [&](uint32_t A, uint32_t B) {
      const bool Suffices = Room[A] >= Count;
      if (Suffices != (Room[B] >= Count))
        return Suffices;
      return Suffices ? Room[A] < Room[B] : Room[A] > Room[B];
    });
  }

  const Locations &At;
  std::vector<uint32_t> Room; ///< by part: locations that need not be taken
  std::vector<bool> IsNeeded; ///< by location
  std::vector<uint32_t> Result;
};

} // namespace

std::vector<uint32_t> threadmap::nearLocations(const Locations &At, uint32_t Threads) {
  return NearChooser(At).run(Threads);
}
