//===-- UsesOfArray.cpp - what the uses of an array are like together *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "UsesOfArray.h"

#include "Courses.h"

#include "llvm/ADT/STLExtras.h"

#include <utility>

using namespace mapp;

bool mapp::isHeavier(const Use &Left, const Use &Right) {
  if (Left.Bytes != Right.Bytes)
    return Left.Bytes > Right.Bytes;
  return Left.Mode != AccessMode::Read && Right.Mode == AccessMode::Read;
}

/// Sweeps over different parts of a block, or over blocks of different sizes, by a function that is
/// called for each, are not.
static bool isBeside(const Sweep &Left, const Sweep &Right) {
  const std::optional<Polynomial> Apart =
      Left.First && Right.First ? Left.First->minus(*Right.First) : std::nullopt;
  return Apart && Apart->constant() && Left.Count == Right.Count;
}

/// All begin at the same row, but for a stencil's neighbours.
static bool beginAlike(const std::vector<const Use *> &All, const Sweep &Middle) {
  constexpr int64_t WidestStencil = 8;
  return Middle.Rows && Middle.First && Middle.First->constant() &&
         llvm::all_of(All, [&](const Use *U) {
           const std::optional<int64_t> Apart =
               U->Moves->First ? U->Moves->First->distanceFrom(*Middle.First) : std::nullopt;
           return Apart && std::llabs(*Apart) <= WidestStencil;
         });
}

std::optional<Sweep> mapp::sweepBy(const std::vector<Use> &Uses, const Use &OfLoop) {
  std::vector<const Use *> Same;
  for (const Use &U : Uses)
    if (U.How == OfLoop.How && U.Moves && U.Loop == OfLoop.Loop && U.Team == OfLoop.Team)
      Same.push_back(&U);
  const auto IsWrite = [](const Use *U) { return U->Mode != AccessMode::Read; };
  if (llvm::any_of(Same, IsWrite))
    llvm::erase_if(Same, [&](const Use *U) { return !IsWrite(U); });
  const auto Start = [](const Use *U) {
    return U->Moves->First ? U->Moves->First->constantTerm() : 0;
  };
  llvm::stable_sort(Same, [&](const Use *L, const Use *R) { return Start(L) < Start(R); });
  if (Same.empty())
    return std::nullopt;
  const Sweep &Middle = *Same[Same.size() / 2]->Moves;
  if (llvm::all_of(Same, [&](const Use *U) { return isBeside(*U->Moves, Middle); }))
    return Middle;
  const std::optional<Polynomial> First = beginAlike(Same, Middle) ? Middle.First : std::nullopt;
  return Sweep{Middle.Unit, Middle.Element, Middle.Rows, Middle.Level, First, std::nullopt};
}

bool mapp::isWrittenByOwners(const std::vector<Use> &Uses) {
  return llvm::all_of(
      Uses, [](const Use &U) { return U.Mode == AccessMode::Read || U.How == Pattern::PerThread; });
}

static constexpr int64_t Page = 4096;
static constexpr int64_t LeastPart = Page / 2; ///< of a thread: a page has hardly more than two

bool mapp::isNumberedRow(const ArrayDeclaration &Array) {
  return Array.Allocated &&
         llvm::any_of(Array.Allocated->Rows, [](const RowOfTable &R) { return !R.Number.empty(); });
}

/// A block of the heap in which the threads' parts lie one behind the other, each as long.
static bool hasPartsOfOneLength(const ArrayDeclaration &Array, const std::vector<Use> &Uses) {
  const Polynomial *Length = nullptr;
  const auto IsOther = [&](const Use &U) {
    if (U.How != Pattern::PerThread)
      return false;
    if (!U.Moves || U.Moves->Unit.constant().value_or(Page) < LeastPart)
      return true;
    const Polynomial *First = std::exchange(Length, &U.Moves->Unit);
    return First && *First != *Length;
  };
  return Array.Allocated && Array.Allocated->Rows.empty() && llvm::none_of(Uses, IsOther) && Length;
}

/// It has rows that MAi can give to threads one by one.
static bool hasOwnRows(const ArrayDeclaration &Array, const std::vector<Use> &Uses) {
  if (!Array.Allocated)
    return Array.Extents.size() > 1 && Array.UnitBytes >= static_cast<uint64_t>(LeastPart);
  return isNumberedRow(Array) || hasPartsOfOneLength(Array, Uses);
}

/// Each thread has a part of its own, by its number, and no first touch is right: one thread has
/// touched them all before, or a huge page holds several.
static bool isTouchedWrong(const ArrayDeclaration &Array, const std::vector<Use> &Uses) {
  const Use *First = firstWrite(Uses);
  return First && (First->How == Pattern::OneThread || Array.Allocated) &&
         llvm::any_of(Uses, [](const Use &U) { return U.How == Pattern::PerThread; });
}

bool mapp::wantsOwnRows(const ArrayDeclaration &Array, const std::vector<Use> &Uses) {
  return hasOwnRows(Array, Uses) && isTouchedWrong(Array, Uses);
}

bool mapp::isReadOnlyTable(const ArrayDeclaration &Array, const std::vector<Use> &Uses) {
  constexpr uint64_t Small = uint64_t(64) << 20; // A copy on each of some nodes is no burden.
  if (Array.Bytes > Small)
    return false;
  std::vector<const Use *> Writes, Reads;
  for (const Use &U : Uses) {
    if (U.How != Pattern::OneThread)
      Reads.push_back(&U);
    else if (U.Mode != AccessMode::Read)
      Writes.push_back(&U);
  }
  const auto IsRead = [](const Use *U) { return U->Mode == AccessMode::Read; };
  const auto IsOfTable = [](const Use *U) {
    return U->How == Pattern::Everyone || U->How == Pattern::Indirect;
  };
  const auto IsInOrder = [&](const Use *Write) {
    return llvm::all_of(Reads, [&](const Use *Read) {
      return Write->Order < Read->Order || areOfDifferentRuns(*Write, *Read);
    });
  };
  return llvm::all_of(Reads, IsRead) && llvm::any_of(Reads, IsOfTable) &&
         llvm::all_of(Writes, IsInOrder);
}

bool mapp::isClearedBefore(const std::vector<Use> &Uses) {
  const Use *Lasting = firstLastingWrite(Uses);
  return Lasting && Lasting->isDivided() && Lasting != firstWrite(Uses);
}

const Use *mapp::listedUse(const std::vector<Use> &Uses) {
  const Use *Main = nullptr;
  for (const Use &U : Uses)
    if (U.isDivided())
      return nullptr;
    else if (U.How != Pattern::OneThread && (!Main || isHeavier(U, *Main)))
      Main = &U;
  return Main && Main->IsListed ? Main : nullptr;
}
