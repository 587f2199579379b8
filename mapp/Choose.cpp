//===-- Choose.cpp - phase 3: a policy for each array -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Choose.h"

#include "llvm/ADT/STLExtras.h"

#include <array>
#include <numeric>

using namespace mapp;

namespace {

/// The uses of one array, summed up by pattern.
class Summary {
public:
  explicit Summary(const std::vector<Use> &Uses) {
    for (const Use &U : Uses) {
      double &Sum = Bytes[static_cast<size_t>(U.How)];
      Sum += U.Bytes;
      const Use *&Best = Heaviest[static_cast<size_t>(U.How)];
      if (!Best || isHeavier(U, *Best))
        Best = &U;
    }
  }

  double bytes(Pattern P) const { return Bytes[static_cast<size_t>(P)]; }
  const Use *heaviest(Pattern P) const { return Heaviest[static_cast<size_t>(P)]; }

  /// The pattern of these with most traffic, or nothing where none occurs.
  std::optional<Pattern> dominant(std::initializer_list<Pattern> Among) const {
    std::optional<Pattern> Best;
    for (const Pattern P : Among)
      if (heaviest(P) && (!Best || bytes(P) > bytes(*Best)))
        Best = P;
    return Best;
  }

private:
  /// Equal traffic: writes say more than reads, they are made once an element.
  static bool isHeavier(const Use &Left, const Use &Right) {
    if (Left.Bytes != Right.Bytes)
      return Left.Bytes > Right.Bytes;
    return Left.Mode != AccessMode::Read && Right.Mode == AccessMode::Read;
  }

  static constexpr size_t Patterns = static_cast<size_t>(Pattern::OneThread) + 1;
  std::array<double, Patterns> Bytes{};
  std::array<const Use *, Patterns> Heaviest{};
};

//===-- Words -----------------------------------------------------------------===//

std::string inFunction(const Use &U) { return " in " + U.In->Name + "()"; }

std::string parallelLoop(const Use &U) {
  if (!U.Loop)
    return "the parallel loop" + inFunction(U);
  const std::string Index = U.Loop->Variable.empty() ? "" : "index " + U.Loop->Variable + " of ";
  return Index + "the parallel loop in " + U.Loop->Function + "()";
}

/// The pattern in words that go on after the array's name.
std::string describe(const Use &U, bool Rows) {
  const std::string What = Rows ? "rows" : "elements";
  const std::string Loop = parallelLoop(U);
  switch (U.How) {
  case Pattern::Block:
    return U.Through.empty() ? What + " follow " + Loop
                             : What + " that " + U.Through + " delimits follow " + Loop;
  case Pattern::Mirrored:
    return What + " follow " + Loop + ", backwards";
  case Pattern::Scattered:
    return !U.Loop || U.Loop->OrderText.empty()
               ? "dealt out by thread number" + inFunction(U)
               : U.Loop->OrderText + " deals out its " + What + inFunction(U);
  case Pattern::Across:
    return U.Dimension > 0 ? Loop + " drives dimension " + std::to_string(U.Dimension)
                           : Loop + " does not drive its slowest index";
  case Pattern::Indirect:
    return "indexed indirectly" + (U.Through.empty() ? "" : " by " + U.Through) + inFunction(U);
  case Pattern::Everyone:
    return "every thread goes over it" + inFunction(U);
  case Pattern::PerThread:
    return "each thread has a part of its own, by its number," + inFunction(U);
  case Pattern::SomeThread:
    return "used by tasks or sections" + inFunction(U);
  case Pattern::OneThread:
    return "used by one thread only";
  }
  return "";
}

Place evidence(const Use &U) { return U.Loop ? U.Loop->Where : Place{U.In->File, U.Line}; }

//===-- Block -----------------------------------------------------------------===//

/// The units that the loops run over, as far as the heaviest loop tells; nothing when they are
/// all units, up to what page granularity can tell.
std::optional<std::pair<uint64_t, uint64_t>>
range(const ArrayDeclaration &Array, const std::vector<Use> &Uses, const Use &Heaviest) {
  constexpr uint64_t PageBytes = 4096;
  if (Array.Extents.empty())
    return std::nullopt;
  // A stencil touches the rows i - 1, i, i + 1: of these the middle is the thread's own.
  std::vector<const Use *> Same;
  for (const Use &U : Uses)
    if (U.How == Pattern::Block && U.HasRange && U.Loop == Heaviest.Loop)
      Same.push_back(&U);
  const auto IsWrite = [](const Use *U) { return U->Mode != AccessMode::Read; };
  if (llvm::any_of(Same, IsWrite))
    llvm::erase_if(Same, [&](const Use *U) { return !IsWrite(U); });
  if (Same.empty())
    return std::nullopt;
  llvm::sort(Same, [](const Use *Left, const Use *Right) { return Left->First < Right->First; });
  const Use &Middle = *Same[Same.size() / 2];

  const auto Units = static_cast<int64_t>(Array.Extents[0]);
  const int64_t First = std::max<int64_t>(Middle.First, 0);
  const int64_t Count = std::min(Middle.Count, Units - First);
  if (Count <= 0)
    return std::nullopt;
  const auto Outside = static_cast<uint64_t>(std::max(First, Units - First - Count));
  if (Outside < PageBytes / Array.UnitBytes + 1 && Outside * Array.UnitBytes < PageBytes)
    return std::nullopt;
  return std::pair(static_cast<uint64_t>(First), static_cast<uint64_t>(Count));
}

Choice block(const ArrayDeclaration &Array, const std::vector<Use> &Uses, const Use &Heaviest,
             const std::string &Also) {
  Choice C{Policy::Block, describe(Heaviest, Array.Extents.size() > 1) + Also, evidence(Heaviest),
           0, 0};
  if (const auto Part = range(Array, Uses, Heaviest)) {
    C.What = Policy::BlockRange;
    std::tie(C.Before, C.Count) = *Part;
  }
  return C;
}

/// Whatever reads it afterwards, such as a sum over the threads.
bool isWrittenByOwners(const std::vector<Use> &Uses) {
  return llvm::all_of(
      Uses, [](const Use &U) { return U.Mode == AccessMode::Read || U.How == Pattern::PerThread; });
}

} // namespace

Choice mapp::choose(const ArrayDeclaration &Array, const std::vector<Use> &Uses) {
  if (Uses.empty())
    return {Policy::LeaveAlone, "not used in the files given", {}, 0, 0};
  const Summary S(Uses);
  const bool Rows = Array.Extents.size() > 1;
  const auto Describe = [&](Pattern P) { return describe(*S.heaviest(P), Rows); };
  const auto At = [&](Pattern P) { return evidence(*S.heaviest(P)); };

  // Uses for which any even spread is as good, and those in which all threads walk the same way
  // and would meet on one node of a block placement.
  const std::optional<Pattern> Sweep =
      S.dominant({Pattern::Mirrored, Pattern::Scattered, Pattern::Across, Pattern::Everyone});
  const std::optional<Pattern> Spread =
      S.dominant({Pattern::Mirrored, Pattern::Scattered, Pattern::Across, Pattern::Everyone,
                  Pattern::Indirect, Pattern::SomeThread});

  if (const Use *Regular = S.heaviest(Pattern::Block)) {
    const double Against = S.bytes(Pattern::Mirrored) + S.bytes(Pattern::Scattered) +
                           S.bytes(Pattern::Across) + S.bytes(Pattern::Everyone);
    if (Against > S.bytes(Pattern::Block))
      return {Policy::Cyclic, Describe(*Sweep) + "; that outweighs " + Describe(Pattern::Block),
              At(*Sweep), 0, 0};
    std::string Also;
    if (Spread && (*Spread == Pattern::Indirect))
      Also = "; also " + Describe(Pattern::Indirect);
    else if (Spread && S.bytes(*Spread) > S.bytes(Pattern::Block) / 10)
      Also = "; less often, " + Describe(*Spread);
    return block(Array, Uses, *Regular, Also);
  }
  const bool Owned = S.heaviest(Pattern::PerThread) && isWrittenByOwners(Uses);
  if (Spread && !Owned)
    return {Policy::Cyclic, Describe(*Spread), At(*Spread), 0, 0};
  if (S.heaviest(Pattern::PerThread))
    return {Policy::LeaveAlone,
            Describe(Pattern::PerThread) + ": the first to touch it is its user",
            At(Pattern::PerThread), 0, 0};
  return {Policy::LeaveAlone, Describe(Pattern::OneThread), {}, 0, 0};
}
