//===-- EstimatedTraffic.cpp - where accesses go, by the sources *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EstimatedTraffic.h"

#include "Strides.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mapp;

/// One thread writes so few elements that hardly a page is its own. What a library function writes
/// may be all of the array.
static bool isOfFewElements(const Use &U) {
  const bool IsSeldom = U.Mode == AccessMode::Write && !U.Estimated && U.Steps <= MostFewElements;
  const bool IsOfFew = U.Mode != AccessMode::Clear && U.IsOfFewElements;
  return U.How == Pattern::OneThread && (IsSeldom || IsOfFew);
}

bool mapp::isForgettable(const Use &U) {
  return isOfFewElements(U) || (U.How == Pattern::OneThread && U.Mode == AccessMode::Clear);
}

static const Use *firstWriteBut(const std::vector<Use> &Uses, bool (*IsLeftOut)(const Use &)) {
  const Use *First = nullptr;
  for (const Use &U : Uses)
    if (U.Mode != AccessMode::Read && !IsLeftOut(U) && (!First || U.Order < First->Order))
      First = &U;
  return First;
}

const Use *mapp::firstWrite(const std::vector<Use> &Uses) {
  const Use *First = firstWriteBut(Uses, isOfFewElements);
  return First ? First : firstWriteBut(Uses, [](const Use &) { return false; });
}

const Use *mapp::firstLastingWrite(const std::vector<Use> &Uses) {
  return firstWriteBut(Uses, isForgettable);
}

static bool says(const Scope &Loop, const char *Kind) {
  return Loop.OrderText.find(Kind) != std::string::npos;
}

bool mapp::isOfRun(const Scope *Loop) {
  return Loop && Loop->Order == Schedule::Spread && !says(*Loop, "static");
}

EstimatedTraffic::EstimatedTraffic(const ArrayDeclaration &Declared, const std::vector<Use> &All,
                                   const Machine &Wanted)
    : Array(Declared), Uses(All), On(Wanted),
      Whole{Declared.Bytes, Declared.UnitBytes, Declared.Extents}, First(firstWrite(All)),
      Lasting(firstLastingWrite(All)) {}

void EstimatedTraffic::price(Alternative &A) const {
  A.Estimated = advice::price(under(A), On);
  A.Fits = advice::fits(A, placed(A), Whole, On);
}

/// Makes the parts add up to one.
/// @return what they were together
static double normalise(llvm::MutableArrayRef<advice::Stream> All) {
  double Sum = 0;
  for (const advice::Stream &S : All)
    Sum += S.Part;
  if (Sum > 0)
    for (advice::Stream &S : All)
      S.Part /= Sum;
  return Sum;
}

/// What threads do in one loop they do at the same time: where one access of a stencil has a memory
/// serve a little more, another has it serve less.
std::vector<Traffic> EstimatedTraffic::under(const Alternative &A) const {
  const Shares Placed = placed(A);
  const std::optional<Alternative> Rows = asRows(A);
  const Segments OnNodes = Rows ? blocks(*Rows, Whole, On.segments(Rows->Team)) : Segments();
  std::vector<Traffic> Result;
  llvm::SmallMapVector<std::pair<const Scope *, unsigned>, Streams, 4> Loops;
  for (const Use &U : Uses)
    if (Rows && U.isDivided())
      addRows(Loops[{U.Loop, U.Sample}], U, *Rows, OnNodes);
    else
      add(Result, U, A, Placed);
  for (auto &[Loop, Together] : Loops) {
    const double Bytes = normalise(Together);
    Result.push_back({.Amount = Bytes, .Ways = std::move(Together), .InTeam = true});
  }
  return Result;
}

/// What is not spread over the memories is local.
void EstimatedTraffic::add(std::vector<Traffic> &To, const Use &U, const Alternative &A,
                           const Shares &Placed) const {
  const double Part = spreadPart(U, A);
  if (Part > 0) {
    Traffic &Added = To.emplace_back(spread(U, A, Placed));
    Added.Amount = U.Bytes * Part;
  }
  if (Part < 1)
    To.push_back({.Amount = U.Bytes * (1 - Part)});
}

//===-- What is local ---------------------------------------------------------===//

/// Each boundary between two nodes' shares costs half a page of each piece.
static double rounding(const Machine &On, double Boundaries, double PieceBytes) {
  return std::min(1.0, Boundaries * On.PageBytes / (2 * PieceBytes));
}

/// A dimension that the loop drives in order is divided by just that dimension.
static bool followsDimension(const Use &U, const Alternative &A) {
  return A.What == Policy::Block && A.Dimension > 0 && U.How == Pattern::Across &&
         U.Dimension == A.Dimension + 1 && U.InOrder && U.Reversed == A.Reversed &&
         U.Team == A.Team;
}

static bool followsChunks(const Use &U, const Alternative &A) {
  return A.What == Policy::BlockCyclic && U.How == Pattern::Scattered &&
         U.Chunk == static_cast<int64_t>(A.Value) && U.Reversed == A.Reversed && U.Team == A.Team;
}

/// What a chunk loses where pages are shared. Those of a node's threads lie one behind the other;
/// of smaller ones than half a page, which thread's a page is may be the same for all pages.
double EstimatedTraffic::roundingOfChunks(const Use &U) const {
  const double Bytes = static_cast<double>(U.Chunk) * static_cast<double>(Array.UnitBytes);
  const double Threads = U.Team > 0 ? static_cast<double>(U.Team) : SomeThreads;
  return 2 * Bytes < On.PageBytes ? 1 : rounding(On, 1, Bytes * std::max(1.0, Threads / On.Nodes));
}

/// Each thread's own part is on its node: where it has touched it first, or gets it row by row.
bool EstimatedTraffic::followsOwners(const Use &U, const Alternative &A) const {
  if (U.How != Pattern::PerThread)
    return false;
  const Use *Toucher = toucher(A);
  return isByTouch(A) ? !Toucher || Toucher->How != Pattern::OneThread
                      : A.What == Policy::BlockCyclic && A.Value == 1;
}

/// Each field of a block is divided as the loop divides it.
static bool followsFields(const Use &U, const Alternative &A) {
  return A.Slices > 0 && U.isDivided() && U.InField && U.Team == A.Team;
}

/// Of a use that does not follow the rows the part that the policy does not make local.
double EstimatedTraffic::spreadPart(const Use &U, const Alternative &A) const {
  if (A.What == Policy::Replicate || followsOwners(U, A) || followsFields(U, A))
    return 0;
  if (followsChunks(U, A))
    return roundingOfChunks(U);
  if (!followsDimension(U, A))
    return 1;
  auto RowBytes = static_cast<double>(Array.Bytes);
  for (unsigned I = 0; I < A.Dimension; ++I)
    RowBytes /= static_cast<double>(Array.Extents[I]);
  return rounding(On, On.Nodes, RowBytes);
}

//===-- What is spread --------------------------------------------------------===//

Traffic EstimatedTraffic::spread(const Use &U, const Alternative &A, const Shares &Placed) const {
  if (asRows(A))
    return overRows(U, Placed);
  switch (A.What) {
  case Policy::Cyclic:
  case Policy::Skew:
  case Policy::Prime:
  case Policy::Weighted:
    return byPages(U, A, Placed);
  default:
    return even(U, Placed);
  }
}

/// Each thread goes everywhere, at its own time. Serial code is on the first node.
Traffic EstimatedTraffic::even(const Use &U, const Shares &Placed) const {
  Traffic All{.InTeam = U.How != Pattern::OneThread};
  for (const Segment &S : All.InTeam ? On.segments(U.Team) : Segments{{0, 0, 1}})
    for (size_t M = 0; M < Placed.size(); ++M)
      if (Placed[M] > 0)
        All.Ways.push_back({S.Node, M, (S.End - S.Begin) * Placed[M]});
  return All;
}

/// A barrier is between the rows that the threads go over.
static bool waitsBetweenRows(const Use &U) {
  const auto Slowest = std::ranges::max_element(U.Walks, {}, &Walk::Bytes);
  return Slowest != U.Walks.end() && Slowest->Outside;
}

/// Of a row that all threads go over at a time there is not a page for each node: wherever pages
/// are, most nodes have none of it.
static bool sharesShortRows(const Use &U, const Machine &On) {
  double Row = 0;
  for (const Walk &W : U.Walks)
    if (!W.Outside)
      Row += static_cast<double>(W.Bytes) * W.Steps;
  return U.How == Pattern::Everyone && waitsBetweenRows(U) && Row < On.Nodes * On.PageBytes;
}

/// The threads make steps of different rows together: a barrier is between them, or what is left of
/// the loop's iterations is distributed in order, and in pieces that are small from the first on.
static bool isInStep(const Use &U) {
  const bool Distributed =
      U.How == Pattern::Scattered && isOfRun(U.Loop) && !says(*U.Loop, "guided");
  return Distributed || waitsBetweenRows(U);
}

/// Threads go through the rows together, or through one thread's row at a time, unless they jump
/// about.
Traffic EstimatedTraffic::overRows(const Use &U, const Shares &Placed) const {
  Traffic All = even(U, Placed);
  switch (U.How) {
  case Pattern::Indirect:
  case Pattern::SomeThread:
  case Pattern::PerThread:
  case Pattern::OneThread:
    break;
  default:
    All.Meeting = advice::meeting(On.segments(U.Team), Placed, On, isInStep(U));
  }
  return All;
}

Traffic EstimatedTraffic::byPages(const Use &U, const Alternative &A, const Shares &Placed) const {
  if (sharesShortRows(U, On))
    return overRows(U, Placed);
  const std::optional<StridedShares> Strided =
      U.How == Pattern::OneThread ? std::nullopt : stridedShares(U, A, Array.Bytes, On, Placed);
  if (!Strided)
    return even(U, Placed);
  Traffic All = even(U, Strided->Of);
  All.Unevenness = Strided->Unevenness;
  return All;
}

//===-- Where rows are --------------------------------------------------------===//

/// What a loop goes over. Where that is not known, it may be the range that is asked about, if that
/// is nearly everything.
EstimatedTraffic::Range EstimatedTraffic::rangeOf(const Use &U, const Alternative &A) const {
  if (const Field &In = U.InField) {
    const double Unit = Whole.units() / static_cast<double>(In.Whole);
    return {static_cast<double>(In.Begin) * Unit, static_cast<double>(In.End - In.Begin) * Unit};
  }
  if (U.HasRange)
    return {static_cast<double>(U.First), static_cast<double>(U.Count)};
  if (static_cast<double>(A.Count) >= Whole.units() * 3 / 4)
    return {static_cast<double>(A.Before), static_cast<double>(A.Count)};
  return {0, Whole.units()};
}

/// The units that the threads of each node go over.
Segments EstimatedTraffic::reach(const Use &U, const Alternative &A) const {
  const auto [Begin, Count] = rangeOf(U, A);
  Segments Result = On.segments(U.Team);
  for (Segment &S : Result) {
    if (U.Reversed)
      std::tie(S.Begin, S.End) = std::pair(1 - S.End, 1 - S.Begin);
    S.Begin = std::clamp(Begin + S.Begin * Count, 0.0, Whole.units());
    S.End = std::clamp(Begin + S.End * Count, 0.0, Whole.units());
  }
  return Result;
}

/// Adds the bytes that a use which follows the rows fetches from each memory.
/// @param OnNodes the blocks of `Rows`
void EstimatedTraffic::addRows(Streams &To, const Use &U, const Alternative &Rows,
                               const Segments &OnNodes) const {
  const size_t Before = To.size();
  for (const Segment &R : reach(U, Rows))
    for (const Segment &H : OnNodes)
      if (const double Common = std::min(R.End, H.End) - std::max(R.Begin, H.Begin); Common > 0)
        To.push_back({R.Node, On.Nearest[H.Node], Common});
  const llvm::MutableArrayRef<advice::Stream> Added = llvm::MutableArrayRef(To).drop_front(Before);
  normalise(Added);
  for (advice::Stream &S : Added)
    S.Part *= U.Bytes;
}

//===-- Where the pages are ---------------------------------------------------===//

/// What is like blocks of rows.
std::optional<Alternative> EstimatedTraffic::asRows(const Alternative &A) const {
  const Alternative As = isByTouch(A) ? asTouchedBy(toucher(A)) : A;
  return advice::isRows(As) ? std::optional(As) : std::nullopt;
}

/// Where nothing is left alone but `local`, what one thread has cleared is as if it had not.
const Use *EstimatedTraffic::toucher(const Alternative &A) const {
  return A.What == Policy::Local ? Lasting : First;
}

/// As whoever writes first leaves it.
Alternative EstimatedTraffic::asTouchedBy(const Use *Toucher) const {
  Alternative A;
  if (Toucher && Toucher->isDivided()) {
    A.What = Policy::Block;
    A.Team = Toucher->Team;
    A.Reversed = Toucher->Reversed;
    if (Toucher->HasRange && Toucher->First >= 0 && Toucher->Count > 0 &&
        static_cast<double>(Toucher->First + Toucher->Count) <= Whole.units()) {
      A.Before = static_cast<uint64_t>(Toucher->First);
      A.Count = static_cast<uint64_t>(Toucher->Count);
    }
  } else if (Toucher && Toucher->How != Pattern::OneThread) {
    A.What = Policy::Cyclic;
  }
  return A;
}

Shares EstimatedTraffic::placed(const Alternative &A) const {
  if (!isByTouch(A))
    return advice::placed(A, Whole, On, On.segments(A.Team));
  if (const Alternative As = asTouchedBy(toucher(A)); As.What != Policy::LeaveAlone)
    return placed(As);
  Shares Result(On.memories(), 0);
  Result[On.Nearest[0]] = 1;
  return Result;
}

bool EstimatedTraffic::isStrided() const {
  return llvm::any_of(Uses, [&](const Use &U) {
    return U.How != Pattern::OneThread && leavesPagesOut(U, Array.Bytes, On);
  });
}
