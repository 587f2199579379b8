//===-- Choose.cpp - phase 3: a policy for each array -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Choose.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <array>
#include <tuple>

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

} // namespace

static std::string inFunction(const Use &U) { return " in " + U.In->Name + "()"; }

static std::string parallelLoop(const Use &U) {
  if (!U.Loop)
    return "the parallel loop" + inFunction(U);
  const std::string Index = U.Loop->Variable.empty() ? "" : "index " + U.Loop->Variable + " of ";
  return Index + "the parallel loop in " + U.Loop->Function + "()";
}

std::string mapp::describe(const Use &U, bool Rows) {
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

namespace {

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

/// A column or a chunk pays only where it is larger than what pages round it to.
class CostModel {
public:
  CostModel(const ArrayDeclaration &Declared, const std::vector<Use> &All, const Machine &Wanted)
      : Array(Declared), Uses(All), On(Wanted) {}

  /// Bytes that the uses fetch from other nodes under a policy. Where all threads meet on one node
  /// at a time they count twice: they wait for its memory, too.
  double remote(const Alternative &A) const {
    double Sum = 0;
    for (const Use &U : Uses)
      Sum += U.Bytes * remotePart(U, A);
    return Sum;
  }

private:
  double remotePart(const Use &U, const Alternative &A) const {
    if (U.How == Pattern::OneThread || U.How == Pattern::PerThread)
      return 0;
    switch (A.What) {
    case Policy::Block:
      return A.Dimension == 0 ? underRows(U) : underColumns(U, A.Dimension);
    case Policy::BlockCyclic:
      return underChunks(U, A.Chunk);
    case Policy::Cyclic:
      return On.remotePart();
    case Policy::LeaveAlone:
      return underFirstTouch(U);
    case Policy::Given:
      break;
    }
    return 0;
  }

  double underRows(const Use &U) const {
    switch (U.How) {
    case Pattern::Block:
      return 0;
    case Pattern::Indirect:
    case Pattern::SomeThread:
      return On.remotePart();
    default:
      return 2 * On.remotePart();
    }
  }

  /// Each boundary between two nodes' shares costs half a page of each piece.
  double rounded(double Boundaries, double PieceBytes) const {
    return std::min(1.0, Boundaries * On.PageBytes / (2 * PieceBytes)) * On.remotePart();
  }

  double underColumns(const Use &U, unsigned Dimension) const {
    if (U.How != Pattern::Across || U.Dimension != Dimension + 1 || !U.InOrder)
      return On.remotePart();
    double RowBytes = static_cast<double>(Array.Bytes);
    for (unsigned I = 0; I < Dimension; ++I)
      RowBytes /= static_cast<double>(Array.Extents[I]);
    return rounded(On.Nodes, RowBytes);
  }

  double underChunks(const Use &U, uint64_t Chunk) const {
    if (U.How != Pattern::Scattered || U.Chunk != static_cast<int64_t>(Chunk))
      return On.remotePart();
    return rounded(1, static_cast<double>(Chunk) * static_cast<double>(Array.UnitBytes));
  }

  /// As whoever writes first leaves it.
  double underFirstTouch(const Use &U) const {
    const Use *First = nullptr;
    for (const Use &Other : Uses)
      if (Other.Mode != AccessMode::Read && (!First || Other.Order < First->Order))
        First = &Other;
    if (First && First->How == Pattern::Block)
      return underRows(U);
    if (First && First->How != Pattern::OneThread)
      return On.remotePart();
    return 2 * On.remotePart();
  }

  const ArrayDeclaration &Array;
  const std::vector<Use> &Uses;
  const Machine &On;
};

/// Whatever reads it afterwards, such as a sum over the threads.
bool isWrittenByOwners(const std::vector<Use> &Uses) {
  return llvm::all_of(
      Uses, [](const Use &U) { return U.Mode == AccessMode::Read || U.How == Pattern::PerThread; });
}

/// The policies that some use asks for, cheapest first; of equal ones that which is simpler.
std::vector<Alternative> alternatives(const ArrayDeclaration &Array, const std::vector<Use> &Uses,
                                      const Machine &On) {
  std::vector<Alternative> All;
  const auto Add = [&](Policy What, uint64_t Chunk, unsigned Dimension) {
    const bool Known = llvm::any_of(All, [&](const Alternative &A) {
      return A.What == What && A.Chunk == Chunk && A.Dimension == Dimension;
    });
    if (!Known)
      All.push_back({What, Chunk, Dimension, 0});
  };
  Add(Policy::Block, 0, 0);
  Add(Policy::Cyclic, 0, 0);
  for (const Use &U : Uses) {
    if (U.How == Pattern::Across && U.InOrder && U.Dimension > 1 &&
        U.Dimension <= Array.Extents.size() && U.Dimension <= 3)
      Add(Policy::Block, 0, U.Dimension - 1);
    if (U.How == Pattern::Scattered && U.Chunk > 0)
      Add(Policy::BlockCyclic, static_cast<uint64_t>(U.Chunk), 0);
  }
  Add(Policy::LeaveAlone, 0, 0);
  const CostModel Cost(Array, Uses, On);
  for (Alternative &A : All)
    A.Remote = Cost.remote(A);
  llvm::stable_sort(All,
                    [](const Alternative &L, const Alternative &R) { return L.Remote < R.Remote; });
  return All;
}

/// The choices for one array, one rule a function.
class Chooser {
public:
  Chooser(const ArrayDeclaration &Declared, const std::vector<Use> &All, const Machine &On)
      : Array(Declared), Uses(All), S(All), Considered(alternatives(Declared, All, On)) {}

  Choice choose() const {
    Choice C = chosen();
    C.Considered = Considered;
    return C;
  }

private:
  Choice chosen() const {
    const std::optional<Pattern> Spread = spread();
    if (S.heaviest(Pattern::Block))
      return isCheapest(Policy::Block) ? block() : evenly(Spread);
    if (const Use *Owner = S.heaviest(Pattern::PerThread);
        Owner && (!Spread || isWrittenByOwners(Uses)))
      return leaveAlone(Topic::OwnParts,
                        words(Pattern::PerThread) + ": the first to touch it is its user",
                        evidence(*Owner));
    return Spread ? evenly(Spread) : leaveAlone(Topic::OneThread, words(Pattern::OneThread));
  }

  /// The pattern with most traffic among those of which none has a contiguous share for a thread.
  std::optional<Pattern> spread() const {
    return S.dominant({Pattern::Mirrored, Pattern::Scattered, Pattern::Across, Pattern::Everyone,
                       Pattern::Indirect, Pattern::SomeThread});
  }

  bool isCheapest(Policy Rows) const {
    for (const Alternative &A : Considered)
      if (A.What != Policy::LeaveAlone)
        return A.What == Rows && A.Dimension == 0;
    return false;
  }

  const Alternative &find(Policy What) const {
    return *llvm::find_if(Considered, [&](const Alternative &A) {
      return A.What == What && (What != Policy::Block || A.Dimension == 0);
    });
  }

  std::string words(Pattern P) const { return describe(*S.heaviest(P), Array.Extents.size() > 1); }

  /// What speaks for the other side, too.
  std::string also(std::optional<Pattern> Spread) const {
    if (Spread == Pattern::Indirect)
      return "; also " + words(Pattern::Indirect);
    if (Spread && S.bytes(*Spread) > S.bytes(Pattern::Block) / 10)
      return "; less often, " + words(*Spread);
    return "";
  }

  Choice block() const {
    const Use &Heaviest = *S.heaviest(Pattern::Block);
    Choice C = leaveAlone(Topic::Block, words(Pattern::Block) + also(spread()), evidence(Heaviest));
    C.What = Policy::Block;
    C.Team = Heaviest.Team;
    if (const auto Part = range(Array, Uses, Heaviest))
      std::tie(C.Before, C.Count) = *Part;
    if (C.Count > 0)
      C.Number = Topic::BlockPart;
    return C;
  }

  /// No block of rows: columns or chunks where they save a quarter of the traffic, else cyclic.
  Choice evenly(std::optional<Pattern> Spread) const {
    const Alternative &Cyclic = find(Policy::Cyclic);
    for (const Alternative &A : Considered) {
      if (A.What == Policy::LeaveAlone || A.Remote > Cyclic.Remote * 3 / 4)
        continue;
      if (A.What == Policy::Block && A.Dimension > 0)
        return alongColumns(A);
      if (A.What == Policy::BlockCyclic)
        return byChunks(A);
    }
    const Pattern Why = sweep().value_or(*Spread);
    const bool Outweighs = S.heaviest(Pattern::Block) != nullptr;
    const Pattern Named = Outweighs ? Why : *Spread;
    Choice C = leaveAlone(Topic::Cyclic, words(Named), evidence(*S.heaviest(Named)));
    C.What = Policy::Cyclic;
    if (Outweighs)
      C.Reason += "; that outweighs " + words(Pattern::Block);
    return C;
  }

  std::optional<Pattern> sweep() const {
    return S.dominant({Pattern::Mirrored, Pattern::Scattered, Pattern::Across, Pattern::Everyone});
  }

  template <typename Predicate> const Use &heaviest(Predicate Wanted) const {
    const Use *Best = nullptr;
    for (const Use &U : Uses)
      if (Wanted(U) && (!Best || U.Bytes > Best->Bytes))
        Best = &U;
    return *Best;
  }

  Choice along(const Alternative &A, const Use &Why) const {
    const bool Chunks = A.What == Policy::BlockCyclic;
    Choice C = leaveAlone(Chunks ? Topic::BlockCyclic : Topic::Columns,
                          describe(Why, Array.Extents.size() > 1), evidence(Why));
    C.What = A.What;
    C.Chunk = A.Chunk;
    C.Dimension = A.Dimension;
    C.Team = Why.Team;
    return C;
  }

  Choice alongColumns(const Alternative &A) const {
    return along(A, heaviest([&](const Use &U) {
                   return U.How == Pattern::Across && U.Dimension == A.Dimension + 1 && U.InOrder;
                 }));
  }

  Choice byChunks(const Alternative &A) const {
    const Use &Why = heaviest([&](const Use &U) {
      return U.How == Pattern::Scattered && U.Chunk == static_cast<int64_t>(A.Chunk);
    });
    Choice C = along(A, Why);
    if (Why.HasRange && Why.First > 0 && !Array.Extents.empty() &&
        static_cast<uint64_t>(Why.First) < Array.Extents[0])
      C.Before = static_cast<uint64_t>(Why.First);
    return C;
  }

  const ArrayDeclaration &Array;
  const std::vector<Use> &Uses;
  const Summary S;
  const std::vector<Alternative> Considered;
};

} // namespace

Choice mapp::choose(const ArrayDeclaration &Array, const std::vector<Use> &Uses,
                    const Machine &On) {
  if (Uses.empty())
    return leaveAlone(Topic::NotUsed, "not used in the files given");
  return Chooser(Array, Uses, On).choose();
}

std::string mapp::policyText(const Alternative &A) {
  switch (A.What) {
  case Policy::Block:
    return A.Dimension == 0   ? "block"
           : A.Dimension == 1 ? "block by columns"
                              : llvm::formatv("block by dimension {0}", A.Dimension).str();
  case Policy::BlockCyclic:
    return llvm::formatv("block-cyclic {0}", A.Chunk);
  case Policy::Cyclic:
    return "cyclic";
  case Policy::Given:
  case Policy::LeaveAlone:
    break;
  }
  return "left alone";
}

std::string mapp::policyText(const Choice &C) {
  if (C.What == Policy::Given)
    return C.Text;
  std::string Text = policyText(Alternative{C.What, C.Chunk, C.Dimension, 0});
  if (C.What == Policy::Block && C.Count > 0)
    Text += llvm::formatv(" {0}..{1}", C.Before, C.Before + C.Count - 1);
  if (C.What != Policy::LeaveAlone && C.Team > 0)
    Text += llvm::formatv(" for {0} threads", C.Team);
  return Text;
}
