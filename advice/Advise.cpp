//===-- Advise.cpp - which policy, and why ----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Advise.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace advice;

Advisor::Advisor(const Access &All, const Shape &Whole, const Machine &Wanted, bool RowsAreOpen,
                 uint32_t TeamOfFewRows)
    : Of(All), Array(Whole), On(Wanted),
      Parts(All.Counts, 1 / All.Rows, RowsAreOpen, TeamOfFewRows) {}

//===-- Candidates ------------------------------------------------------------===//

std::vector<Alternative> Advisor::candidates() const {
  std::vector<Alternative> All = {{.What = Policy::Block, .Team = Of.Team},
                                  {.What = Policy::Cyclic},
                                  {.What = Policy::LeaveAlone}};
  addDivided(All);
  addAlternating(All);
  return All;
}

/// The range that is used, and the threads' parts of it.
void Advisor::addDivided(std::vector<Alternative> &To) const {
  if (!Parts.isClear())
    return;
  Alternative A{.What = Policy::Block, .Reversed = Parts.isBackwards(), .Team = Of.Team};
  if (A.Reversed)
    To.push_back(A);
  const bool IsOfAll = Parts.length() >= Parts.cells();
  if (!IsOfAll && Array.UnitBytes > 0) {
    A.InParts = true;
    A.BeforeParts = Parts.inParts(Parts.first());
    A.CountParts = Parts.inParts(Parts.first() + Parts.length()) - A.BeforeParts;
    A.Before = units(A.BeforeParts);
    A.Count = std::max<uint64_t>(1, units(A.CountParts));
    To.push_back(A);
  }
  if (Parts.isEven() && (IsOfAll || A.InParts))
    return;
  A.Shares = A.InParts ? Parts.shares() : Parts.sharesOfAll();
  To.push_back(A);
}

uint64_t Advisor::units(unsigned OfParts) const {
  return static_cast<uint64_t>(static_cast<__uint128_t>(Array.Bytes / Array.UnitBytes) * OfParts /
                               PartsOfArray);
}

/// Pieces that alternate among the threads, where they are whole rows.
void Advisor::addAlternating(std::vector<Alternative> &To) const {
  constexpr double Regular = 0.75, NearlyWhole = 0.1;
  const maiprof::ArrayCounts::Alternation Found = Of.Counts.alternation();
  if (Found.Bytes == 0 || Found.Regularity < Regular)
    return;
  double Whole = 0; // The same for all that rows may have been.
  for (const uint64_t RowBytes : Of.RowBytes) {
    const double Rows = static_cast<double>(Found.Bytes) / static_cast<double>(RowBytes);
    const bool Differs = Whole > 0 && std::round(Rows) != Whole;
    Whole = std::round(Rows);
    if (Whole < 1 || Differs || std::abs(Rows - Whole) > NearlyWhole)
      return;
  }
  if (Whole > 0)
    To.push_back(
        {.What = Policy::BlockCyclic, .Value = static_cast<uint64_t>(Whole), .Team = Of.Team});
}

//===-- Rules -----------------------------------------------------------------===//

void Advisor::price(Alternative &A) const {
  A.Counted = advice::price(A, Of, Array, On);
  A.Fits = fits(A, placed(A, Of, Array, On), Array, On);
}

bool advice::isBefore(const Alternative &Left, const Alternative &Right) {
  return std::pair(!Left.Fits, Left.price().Cost) < std::pair(!Right.Fits, Right.price().Cost);
}

bool advice::saves(const Alternative &New, const Alternative &Old, double AllTraffic,
                   double Error) {
  if (New.Fits != Old.Fits)
    return New.Fits;
  Metrics AtMost = New.price();
  AtMost.Cost += Error * Old.price().Cost;
  return isWorth(AtMost, Old.price(), AllTraffic);
}

const Alternative &advice::leftAlone(const std::vector<Alternative> &All) {
  return *llvm::find_if(All, [](const Alternative &A) { return A.What == Policy::LeaveAlone; });
}

bool Advisor::isOneThreads() const {
  constexpr double NearlyAll = 0.95;
  return Of.Counts.busiestThread().second >= NearlyAll;
}

bool Advisor::isCoarse() const {
  return Of.Rows < Division::FewRows * Of.Counts.threads() || Parts.isCoarse();
}

static bool isPlain(const Alternative &A) {
  return A.What == Policy::Cyclic ||
         (isRows(A) && A.Shares.empty() && !A.InParts && A.FilledParts == 0);
}

static const Alternative *findBind(const std::vector<Alternative> &All) {
  const auto Found =
      llvm::find_if(All, [](const Alternative &A) { return A.What == Policy::Bind; });
  return Found == All.end() ? nullptr : &*Found;
}

/// Left alone or bound, where it is one thread's. Otherwise the cheapest plain policy, unless
/// another saves a quarter; then leaving it alone, if that saves a quarter again.
const Alternative &Advisor::best(const std::vector<Alternative> &Priced) const {
  const Alternative &Alone = leftAlone(Priced);
  const Alternative *Bound = findBind(Priced);
  if (isOneThreads())
    return Bound && saves(*Bound, Alone) ? *Bound : Alone;
  const auto Plain = llvm::find_if(Priced, isPlain);
  const Alternative *Best = Plain == Priced.end() ? Bound : &*Plain;
  if (!Best)
    return Alone;
  for (const Alternative &A : Priced)
    if (!isPlain(A) && A.What != Policy::Replicate && A.What != Policy::LeaveAlone &&
        saves(A, *Best)) {
      Best = &A;
      break;
    }
  return saves(Alone, *Best) ? Alone : *Best;
}

//===-- Words -----------------------------------------------------------------===//

static std::string percent(double Part) { return llvm::formatv("{0:f0} %", 100 * Part); }

std::string Advisor::reason(const Alternative &A) const {
  const std::string Own = percent(Parts.ownPart()) + " of their accesses are to their own";
  if (isOneThreads())
    return "thread " + std::to_string(Of.Counts.busiestThread().first) + " makes " +
           percent(Of.Counts.busiestThread().second) + " of the accesses";
  switch (A.What) {
  case Policy::Bind:
    return "threads of one node make most of the accesses";
  case Policy::LeaveAlone:
  case Policy::Local:
    return "pages are where they are used when left to first touch";
  case Policy::Block:
    if (A.Slices > 0)
      return "threads use equal parts of each of " +
             std::to_string(A.Slices - (A.EndsEmpty ? 1 : 0)) +
             (A.SliceParts.empty() ? "" : " unequal") + " slices, in order";
    if (A.Dimension > 0)
      return "each thread uses its own columns";
    if (!Parts.isClear())
      break;
    return std::string("threads use ") + (A.Shares.empty() ? "equal" : "unequal") +
           (A.Reversed ? " parts in reverse order, " : " parts in order, ") + Own;
  case Policy::BlockCyclic:
    return llvm::formatv("pieces of {0} {1} alternate among the threads", A.Value,
                         Array.Extents.size() > 1 ? "rows"
                         : Array.UnitBytes == 1   ? "bytes"
                                                  : "elements");
  default:
    break;
  }
  return "no part belongs to one thread; with a part for each, " + Own;
}
