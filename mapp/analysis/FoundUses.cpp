//===-- FoundUses.cpp - accesses of one manner are one use ------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FoundUses.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <utility>

using namespace mapp;

static llvm::hash_code hashOf(const Polynomial &Of) {
  llvm::hash_code Hash = 0;
  for (const Term &T : Of.terms()) {
    Hash = llvm::hash_combine(Hash, T.Coefficient);
    for (const FactorId Id : T.Factors)
      Hash = llvm::hash_combine(Hash, Id.Unit, Id.Index);
  }
  return Hash;
}

static llvm::hash_code hashOf(const Sweep &Of) {
  const Polynomial Nothing;
  return llvm::hash_combine(hashOf(Of.Unit), hashOf(Of.Element), hashOf(Of.First.value_or(Nothing)),
                            hashOf(Of.Count.value_or(Nothing)), hashOf(Of.Begin.value_or(Nothing)));
}

/// Of what tells manners apart. The highest numbers are the table's own.
static size_t hashOf(const Manner &M) {
  const size_t Hash = llvm::hash_combine(M.How, M.Mode, M.In, M.Line, M.Loop, M.Sample, M.Through,
                                         M.First, M.Start, std::hash<double>()(M.Pass),
                                         M.Moves ? hashOf(*M.Moves) : llvm::hash_code(0));
  return Hash >> 1;
}

uint32_t FoundUses::mannerOf(Manner Of) {
  uint32_t &Last = Latest.try_emplace(hashOf(Of), None).first->second;
  for (uint32_t Number = Last; Number != None; Number = Earlier[Number])
    if (Manners[Number] == Of)
      return Number;
  const auto New = static_cast<uint32_t>(Manners.size());
  Earlier.push_back(std::exchange(Last, New));
  Manners.push_back(std::move(Of));
  return New;
}

FoundUses::Entry FoundUses::entry(Use Found, size_t Context) {
  Entry New{0,          static_cast<uint32_t>(Context), Found.Estimated, Found.Bytes, Found.Steps,
            Found.Order};
  New.Manner = mannerOf(std::move(Found));
  return New;
}

uint32_t FoundUses::add(llvm::ArrayRef<const CallPath *> Paths) {
  std::vector<CallPath> Own;
  for (const CallPath *Path : Paths)
    Own.push_back(*Path);
  const auto [Known, New] =
      PathsNumber.try_emplace(std::move(Own), static_cast<uint32_t>(AllPaths.size()));
  if (New)
    AllPaths.push_back(Known->first);
  return Known->second;
}

void FoundUses::add(llvm::ArrayRef<Entry> Entries, const std::vector<Target> &Targets) {
  const auto [Known, New] =
      ListNumber.try_emplace(Targets, static_cast<uint32_t>(EntriesIn.size()));
  const uint32_t List = Known->second;
  if (New) {
    EntriesIn.emplace_back();
    for (const auto &[Array, Paths] : Targets)
      ListsOf[Array].emplace_back(List, Paths);
  }
  for (const Entry &E : Entries) {
    EntriesIn[List].push_back(static_cast<uint32_t>(All.size()));
    All.push_back(E);
  }
}

void FoundUses::weigh(llvm::function_ref<double(size_t)> TimesOf) {
  for (Entry &E : All) {
    const double Times = TimesOf(E.Context);
    E.Bytes *= Times;
    E.Steps *= Times;
  }
}

void FoundUses::forEachManner(llvm::function_ref<void(Manner &)> Do) {
  for (Manner &M : Manners)
    Do(M);
}

/// The entries that are its uses, in their order, each with the number of the paths.
std::vector<FoundUses::Target> FoundUses::entriesOf(uint32_t Array) const {
  std::vector<Target> Result;
  if (const auto Lists = ListsOf.find(Array); Lists != ListsOf.end())
    for (const auto &[List, Paths] : Lists->second)
      for (const uint32_t Number : EntriesIn[List])
        Result.emplace_back(Number, Paths);
  llvm::sort(Result);
  return Result;
}

ArrayUses FoundUses::of(uint32_t Array) const {
  ArrayUses Result;
  llvm::DenseMap<Target, size_t> Numbers; // By manner and paths.
  for (const auto &[Number, Paths] : entriesOf(Array)) {
    const Entry &E = All[Number];
    const auto [Known, New] = Numbers.try_emplace({E.Manner, Paths}, Result.All.size());
    if (New) {
      Result.All.push_back({Manners[E.Manner], 0, 0, E.Estimated, E.Order, E.Order});
      Result.Paths.push_back(Paths);
    }
    Use &U = Result.All[Known->second];
    U.Bytes += E.Bytes;
    U.Steps += E.Steps;
    U.Order = std::min(U.Order, E.Order);
    U.Last = std::max(U.Last, E.Order);
    U.Estimated |= E.Estimated;
  }
  return Result;
}
