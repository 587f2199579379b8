//===-- EstimatedTraffic.cpp - where accesses go, by the sources *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each use of an array becomes streams from nodes to memories, of which advice/Price.h says how
// they fare.
//
//===----------------------------------------------------------------------===//

#include "EstimatedTraffic.h"

extern "C" {
#include "mai/policy/placement.h"
}

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <map>

using namespace mapp;

const Use *mapp::firstWrite(const std::vector<Use> &Uses) {
  const Use *First = nullptr;
  for (const Use &U : Uses)
    if (U.Mode != AccessMode::Read && (!First || U.Order < First->Order))
      First = &U;
  return First;
}

EstimatedTraffic::EstimatedTraffic(const ArrayDeclaration &Declared, const std::vector<Use> &All,
                                   const Machine &Wanted)
    : Array(Declared), Uses(All), On(Wanted),
      Whole{Declared.Bytes, Declared.UnitBytes, Declared.Extents}, First(firstWrite(All)) {}

/// Each thread has a contiguous share of the rows.
static bool followsRows(const Use &U) {
  return U.How == Pattern::Block || U.How == Pattern::Mirrored;
}

/// What threads do in one loop they do at the same time: where one access of a stencil has a memory
/// serve a little more, another has it serve less.
void EstimatedTraffic::estimate(Alternative &A) const {
  const Shares Placed = placed(A);
  const std::optional<Alternative> Rows = asRows(A);
  const Segments OnNodes = Rows ? blocks(*Rows, Whole, On.segments(Rows->Team)) : Segments();
  double Traffic = 0, Busy = 0;
  const auto Add = [&](double Bytes, const Estimate &E) {
    A.Remote += Bytes * E.Remote;
    A.Cost += Bytes * E.Delay;
    Busy += Bytes * E.Busiest;
    Traffic += Bytes;
  };
  llvm::SmallMapVector<std::pair<const Scope *, unsigned>, Streams, 4> Loops;
  for (const Use &U : Uses)
    if (Rows && followsRows(U))
      addRows(Loops[{U.Loop, U.Sample}], U, *Rows, OnNodes);
    else
      Add(U.Bytes, estimate(U, A, Placed));
  for (auto &[Loop, Together] : Loops) {
    const double Bytes = normalise(Together);
    Add(Bytes, judge(Together, On));
  }
  A.Busiest = Traffic > 0 ? Busy / Traffic : 1;
  const double Copies = A.What == Policy::Replicate ? 1 : 0;
  for (size_t M = 0; M < On.memories(); ++M)
    if (On.MemoryBytes[M] > 0 &&
        std::max(Placed[M], Copies) * static_cast<double>(Array.Bytes) > On.MemoryBytes[M])
      A.Fits = false;
}

Estimate EstimatedTraffic::estimate(const Use &U, const Alternative &A,
                                    const Shares &Placed) const {
  if (A.What == Policy::Replicate)
    return local();
  if (U.How == Pattern::OneThread)
    return oneThread(Placed);
  switch (A.What) {
  case Policy::Block:
    return A.Dimension == 0 ? ofBlocks(U, Placed) : ofColumns(U, A, Placed);
  case Policy::BlockCyclic:
    return ofChunks(U, A, Placed);
  case Policy::Cyclic:
  case Policy::Skew:
  case Policy::Prime:
  case Policy::Weighted:
    return ofPages(U, A, Placed);
  case Policy::LeaveAlone:
    return ofFirstTouch(U, Placed);
  case Policy::Replicate:
  case Policy::Bind:
  case Policy::Given:
    break;
  }
  return {};
}

//===-- From streams to an estimate -------------------------------------------===//

/// Serial code has every memory for itself.
Estimate EstimatedTraffic::oneThread(const Shares &Placed) const {
  Streams All;
  for (size_t M = 0; M < Placed.size(); ++M)
    All.push_back({0, M, Placed[M]});
  return judgeAlone(All, On);
}

/// Each thread goes everywhere, at its own time.
Estimate EstimatedTraffic::even(const Use &U, const Shares &Placed, double Unevenness) const {
  Streams All;
  for (const Segment &S : On.segments(U.Team))
    for (size_t M = 0; M < Placed.size(); ++M)
      if (Placed[M] > 0)
        All.push_back({S.Node, M, (S.End - S.Begin) * Placed[M]});
  return judge(All, On, Unevenness);
}

/// The threads make steps of different rows together: a barrier is between them, or what is left of
/// the loop's iterations is distributed in order.
static bool isInStep(const Use &U) {
  const auto Slowest = std::ranges::max_element(U.Walks, {}, &Walk::Bytes);
  const bool Distributed = U.How == Pattern::Scattered && U.Loop &&
                           U.Loop->Order == Schedule::Spread &&
                           U.Loop->OrderText.find("static") == std::string::npos;
  return Distributed || (Slowest != U.Walks.end() && Slowest->Outside);
}

/// The threads go over the memories in the same order. In step, one memory serves all of them while
/// the others are idle. Otherwise they spread out, see longestQueue().
Estimate EstimatedTraffic::meeting(const Use &U, const Shares &Placed) const {
  Estimate Sum;
  Sum.Busiest = 0;
  size_t Queues = 0;
  for (size_t M = 0; M < Placed.size(); ++M) {
    if (Placed[M] <= 0)
      continue;
    ++Queues;
    Shares Here(Placed.size(), 0);
    Here[M] = 1;
    const Estimate E = even(U, Here);
    Sum.Remote += Placed[M] * E.Remote;
    Sum.Delay += Placed[M] * E.Delay;
    Sum.Busiest += Placed[M] * E.Busiest;
  }
  if (Queues > 1 && !isInStep(U)) {
    const double Together = (advice::longestQueue(Queues) - 1) / (static_cast<double>(Queues) - 1);
    const double Saved = (Sum.Busiest - 1) * (1 - Together);
    Sum.Busiest -= Saved;
    Sum.Delay -= Saved;
  }
  return Sum;
}

/// Local but for a part that fares as `Other`.
Estimate EstimatedTraffic::partly(const Estimate &Other, double Part) const {
  return {Part * Other.Remote, Part * Other.Delay, 1 + Part * (Other.Busiest - 1)};
}

//===-- Who runs where --------------------------------------------------------===//

/// The units that the threads of each node go over. Where that is not known, it may be the range
/// that is asked about, if that is nearly everything.
Segments EstimatedTraffic::reach(const Use &U, const Alternative &A) const {
  const bool Alike = !U.HasRange && static_cast<double>(A.Count) >= Whole.units() * 3 / 4;
  const double Begin = U.HasRange ? static_cast<double>(U.First)
                       : Alike    ? static_cast<double>(A.Before)
                                  : 0;
  const double Count = U.HasRange ? static_cast<double>(U.Count)
                       : Alike    ? static_cast<double>(A.Count)
                                  : Whole.units();
  Segments Result = On.segments(U.Team);
  for (Segment &S : Result) {
    if (U.How == Pattern::Mirrored)
      std::tie(S.Begin, S.End) = std::pair(1 - S.End, 1 - S.Begin);
    S.Begin = std::clamp(Begin + S.Begin * Count, 0.0, Whole.units());
    S.End = std::clamp(Begin + S.End * Count, 0.0, Whole.units());
  }
  return Result;
}

//===-- Where the pages are ---------------------------------------------------===//

/// What is like blocks of rows.
std::optional<Alternative> EstimatedTraffic::asRows(const Alternative &A) const {
  const Alternative As = A.What == Policy::LeaveAlone ? asFirstTouched() : A;
  return As.What == Policy::Block && As.Dimension == 0 ? std::optional(As) : std::nullopt;
}

/// As whoever writes first leaves it.
Alternative EstimatedTraffic::asFirstTouched() const {
  Alternative A;
  if (First && First->How == Pattern::Block) {
    A.What = Policy::Block;
    A.Team = First->Team;
    if (First->HasRange && First->First >= 0 && First->Count > 0 &&
        static_cast<double>(First->First + First->Count) <= Whole.units()) {
      A.Before = static_cast<uint64_t>(First->First);
      A.Count = static_cast<uint64_t>(First->Count);
    }
  } else if (First && First->How != Pattern::OneThread) {
    A.What = Policy::Cyclic;
  }
  return A;
}

Shares EstimatedTraffic::placed(const Alternative &A) const {
  if (A.What != Policy::LeaveAlone)
    return advice::placed(A, Whole, On, On.segments(A.Team));
  if (const Alternative As = asFirstTouched(); As.What != Policy::LeaveAlone)
    return placed(As);
  Shares Result(On.memories(), 0);
  Result[On.Home[0]] = 1;
  return Result;
}

//===-- How uses fare ---------------------------------------------------------===//

Estimate EstimatedTraffic::ofBlocks(const Use &U, const Shares &Placed) const {
  switch (U.How) {
  case Pattern::Indirect:
  case Pattern::SomeThread:
  case Pattern::PerThread:
    return even(U, Placed);
  default: // Threads go through the rows together, or through one thread's row at a time.
    return meeting(U, Placed);
  }
}

/// Adds the bytes that a use which follows the rows fetches from each memory.
/// @param OnNodes the blocks of `Rows`
void EstimatedTraffic::addRows(Streams &To, const Use &U, const Alternative &Rows,
                               const Segments &OnNodes) const {
  const size_t Before = To.size();
  for (const Segment &R : reach(U, Rows))
    for (const Segment &H : OnNodes)
      if (const double Common = std::min(R.End, H.End) - std::max(R.Begin, H.Begin); Common > 0)
        To.push_back({R.Node, On.Home[H.Node], Common});
  const llvm::MutableArrayRef<Stream> Added = llvm::MutableArrayRef(To).drop_front(Before);
  normalise(Added);
  for (Stream &S : Added)
    S.Part *= U.Bytes;
}

/// Makes the parts add up to one.
/// @return what they were together
double EstimatedTraffic::normalise(llvm::MutableArrayRef<Stream> All) {
  double Sum = 0;
  for (const Stream &S : All)
    Sum += S.Part;
  if (Sum > 0)
    for (Stream &S : All)
      S.Part /= Sum;
  return Sum;
}

/// Each boundary between two nodes' shares costs half a page of each piece.
static double rounding(const Machine &On, double Boundaries, double PieceBytes) {
  return std::min(1.0, Boundaries * On.PageBytes / (2 * PieceBytes));
}

Estimate EstimatedTraffic::ofColumns(const Use &U, const Alternative &A,
                                     const Shares &Placed) const {
  const Estimate Even = even(U, Placed);
  if (U.How != Pattern::Across || U.Dimension != A.Dimension + 1 || !U.InOrder || U.Team != A.Team)
    return Even;
  auto RowBytes = static_cast<double>(Array.Bytes);
  for (unsigned I = 0; I < A.Dimension; ++I)
    RowBytes /= static_cast<double>(Array.Extents[I]);
  return partly(Even, rounding(On, On.Nodes, RowBytes));
}

Estimate EstimatedTraffic::ofChunks(const Use &U, const Alternative &A,
                                    const Shares &Placed) const {
  const Estimate Even = even(U, Placed);
  if (U.How != Pattern::Scattered || U.Chunk != static_cast<int64_t>(A.Value) || U.Team != A.Team)
    return Even;
  return partly(
      Even, rounding(On, 1, static_cast<double>(U.Chunk) * static_cast<double>(Array.UnitBytes)));
}

Estimate EstimatedTraffic::ofPages(const Use &U, const Alternative &A, const Shares &Placed) const {
  if (const auto Uneven = unevenness(U, A))
    return even(U, Uneven->first, Uneven->second);
  return even(U, Placed);
}

Estimate EstimatedTraffic::ofFirstTouch(const Use &U, const Shares &Placed) const {
  if (U.How == Pattern::PerThread)
    return local();
  if (asFirstTouched().What == Policy::Block)
    return ofBlocks(U, Placed);
  return even(U, Placed);
}

//===-- Strides ---------------------------------------------------------------===//

namespace {

/// The pages that a use touches when its strides leave some out, by enumerating its steps.
class StridedPages {
public:
  StridedPages(const Use &U, uint64_t ArrayBytes, const Machine &On)
      : Bytes(static_cast<double>(ArrayBytes)), Page(On.PageBytes), Start(U.Start) {
    std::vector<Walk> All(U.Walks.begin(), U.Walks.end());
    llvm::sort(All, [](const Walk &L, const Walk &R) { return L.Bytes < R.Bytes; });
    for (const Walk &W : All) {
      const auto Stride = static_cast<double>(W.Bytes);
      if (Stride <= std::max(Run, Page))
        Run = std::max(Run, Stride * W.Steps);
      else
        Hops.push_back(W);
    }
    if (Run > Page)
      Hops.push_back({static_cast<int64_t>(Page), std::ceil(Run / Page), false});
    Gaps = !Hops.empty() && Run < Enough * On.Nodes * Page;
  }

  /// Enough pages in a row would do for any distribution.
  bool hasGaps() const { return Gaps; }

  /// Calls `Receive` with the page, from the array's start, of each step or of a sample of them.
  template <typename Receiver> void forEach(Receiver Receive) const {
    double Product = 1;
    for (const Walk &W : Hops)
      Product *= std::max(1.0, W.Steps);
    const bool All = Product <= Most;
    const auto Points = static_cast<uint64_t>(All ? Product : Most);
    const auto Range = static_cast<uint64_t>(std::min(Product, 1e18));
    for (uint64_t Point = 0; Point < Points; ++Point) {
      // A step by a large prime goes through all of a range of another size, evenly.
      uint64_t Rest = All ? Point : static_cast<uint64_t>(__uint128_t(Point) * Leap % Range);
      auto Address = static_cast<double>(Start);
      for (const Walk &W : Hops) {
        const auto Steps = static_cast<uint64_t>(std::max(1.0, std::min(W.Steps, 1e18)));
        Address += static_cast<double>(W.Bytes) * static_cast<double>(Rest % Steps);
        Rest /= Steps;
      }
      if (Address >= 0 && Address < Bytes)
        Receive(static_cast<size_t>(Address / Page));
    }
  }

private:
  static constexpr double Most = 4096;
  static constexpr double Enough = 4;
  static constexpr uint64_t Leap = 2654435761; ///< prime, near 2^32 / golden ratio
  double Bytes, Page, Run = 8;
  int64_t Start;
  std::vector<Walk> Hops;
  bool Gaps = false;
};

/// Which memory MAi's own rule gives to a page; `Memories` in the order of distribution.
class Distribution {
public:
  Distribution(const Alternative &A, uint64_t ArrayBytes, const Machine &On,
               llvm::ArrayRef<double> Placed) {
    std::vector<uint32_t> Memories;
    std::vector<unsigned long> Weights;
    double Best = 0;
    for (size_t M = 0; M < Placed.size(); ++M)
      Best = std::max(Best, On.bandwidth(M));
    for (size_t M = 0; M < Placed.size(); ++M)
      if (Placed[M] > 0) {
        Memories.push_back(static_cast<uint32_t>(M));
        Weights.push_back(std::max(1UL, std::lround(16 * On.bandwidth(M) / Best) * 1UL));
      }
    const auto Page = static_cast<size_t>(On.PageBytes);
    mai_shape Shape{};
    Shape.start = Page << 20;
    Shape.bytes = ArrayBytes;
    Shape.dimensions = 1;
    Shape.strides[0] = ArrayBytes;
    Shape.whole_pages = true;
    const mai_targets Targets{Page,
                              Page,
                              SIZE_MAX,
                              static_cast<uint32_t>(Memories.size()),
                              Memories.data(),
                              Weights.data(),
                              1,
                              Memories.data()};
    mai_policy_t Policy{};
    Policy.kind = A.What == Policy::Skew       ? MAI_POLICY_SKEW
                  : A.What == Policy::Prime    ? MAI_POLICY_PRIME
                  : A.What == Policy::Weighted ? MAI_POLICY_WEIGHTED
                                               : MAI_POLICY_CYCLIC;
    Policy.value = A.Value;
    Valid = mai_placement_compute(&Policy, &Shape, &Targets, &Placement) == 0;
  }
  Distribution(const Distribution &) = delete;
  Distribution &operator=(const Distribution &) = delete;
  ~Distribution() {
    if (Valid)
      mai_placement_free(&Placement);
  }

  bool isValid() const { return Valid; }
  size_t memoryOf(size_t Page) const { return mai_placement_node(&Placement, Page); }
  size_t pages() const { return Placement.pages; }

private:
  mai_placement Placement{};
  bool Valid = false;
};

} // namespace

bool EstimatedTraffic::isStrided() const {
  return llvm::any_of(Uses, [&](const Use &U) {
    return U.How != Pattern::OneThread && StridedPages(U, Array.Bytes, On).hasGaps();
  });
}

/// The shares that the memories have of a use whose strides leave pages out, and how uneven even
/// the best distribution of so few pages would be. Nothing where any distribution would do.
std::optional<std::pair<Shares, double>> EstimatedTraffic::unevenness(const Use &U,
                                                                      const Alternative &A) const {
  const StridedPages Pages(U, Array.Bytes, On);
  if (!Pages.hasGaps())
    return std::nullopt;
  const Shares Placed = placed(A);
  const Distribution Distributed(A, Array.Bytes, On, Placed);
  if (!Distributed.isValid())
    return std::nullopt;
  std::map<size_t, double> Touched;
  double Sum = 0;
  Pages.forEach([&](size_t Page) {
    if (Page < Distributed.pages()) {
      Touched[Page] += 1;
      Sum += 1;
    }
  });
  if (Sum == 0)
    return std::nullopt;
  Shares Result(Placed.size(), 0);
  for (const auto &[Page, Times] : Touched)
    Result[Distributed.memoryOf(Page)] += Times / Sum;
  const auto Receivers =
      static_cast<double>(llvm::count_if(Placed, [](double S) { return S > 0; }));
  const auto Distinct = static_cast<double>(Touched.size());
  const double Least = std::ceil(Distinct / Receivers) / Distinct * Receivers;
  return std::pair(std::move(Result), std::max(1.0, Least));
}

uint64_t mapp::primeAbove(uint64_t Number) {
  do
    ++Number;
  while (!mai_is_prime(Number));
  return Number;
}
