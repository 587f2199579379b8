//===-- UseCollector.cpp - accesses of one manner are one use ---*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "UseCollector.h"

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

uint32_t FoundUses::numberOf(Manner Of) {
  uint32_t &Last = Latest.try_emplace(hashOf(Of), None).first->second;
  for (uint32_t Number = Last; Number != None; Number = Earlier[Number])
    if (Manners[Number] == Of)
      return Number;
  const auto New = static_cast<uint32_t>(Manners.size());
  Earlier.push_back(std::exchange(Last, New));
  Manners.push_back(std::move(Of));
  return New;
}

uint32_t FoundUses::add(Use Found, size_t Context) {
  Entry New{0,          static_cast<uint32_t>(Context), Found.Estimated, Found.Bytes, Found.Steps,
            Found.Order};
  New.Manner = numberOf(std::move(Found));
  All.push_back(New);
  return static_cast<uint32_t>(All.size() - 1);
}

uint32_t UseCollector::numberOf(llvm::ArrayRef<const CallPath *> By) {
  const auto Known =
      llvm::find_if(AllPaths, [&](const PathList &P) { return By == llvm::ArrayRef(P); });
  const auto Number = static_cast<uint32_t>(Known - AllPaths.begin());
  if (Known == AllPaths.end())
    AllPaths.emplace_back(By);
  return Number;
}

void UseCollector::add(uint32_t Entry, llvm::ArrayRef<const CallPath *> Paths) {
  Shares.push_back({Entry, numberOf(Paths)});
}

std::vector<Use> UseCollector::weighed(const FoundUses &In,
                                       const std::function<double(size_t)> &TimesOf) {
  std::vector<Use> Uses;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, size_t> Numbers; // By manner and paths.
  for (const Share &S : Shares) {
    const FoundUses::Entry &E = In[S.Entry];
    const auto [Known, New] = Numbers.try_emplace({E.Manner, S.By}, Uses.size());
    if (New) {
      Uses.push_back({In.manner(E.Manner), 0, 0, E.Estimated, E.Order, E.Order});
      PathsOf.push_back(S.By);
    }
    Use &U = Uses[Known->second];
    const double Times = TimesOf(E.Context);
    U.Bytes += E.Bytes * Times;
    U.Steps += E.Steps * Times;
    U.Order = std::min(U.Order, E.Order);
    U.Last = std::max(U.Last, E.Order);
    U.Estimated |= E.Estimated;
  }
  Uses.shrink_to_fit();
  return Uses;
}

std::map<CallPath, std::vector<uint32_t>> UseCollector::byPath() const {
  std::map<CallPath, std::vector<uint32_t>> Result;
  for (uint32_t Number = 0; Number < PathsOf.size(); ++Number)
    for (const CallPath *Path : AllPaths[PathsOf[Number]])
      Result[*Path].push_back(Number);
  return Result;
}
