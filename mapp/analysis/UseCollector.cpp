//===-- UseCollector.cpp - accesses of one manner are one use ---*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "UseCollector.h"

#include "llvm/ADT/Hashing.h"

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
                            hashOf(Of.Count.value_or(Nothing)));
}

/// Of what tells manners apart. The highest numbers are the table's own.
static size_t hashOf(const Manner &M) {
  const size_t Hash = llvm::hash_combine(M.How, M.Mode, M.In, M.Line, M.Loop, M.Sample, M.Through,
                                         M.First, M.Start, std::hash<double>()(M.Pass),
                                         M.Moves ? hashOf(*M.Moves) : llvm::hash_code(0));
  return Hash >> 1;
}

uint32_t UseCollector::numberOf(Use Found, llvm::ArrayRef<const CallPath *> Paths) {
  uint32_t &Last = Latest.try_emplace(hashOf(Found), None).first->second;
  for (uint32_t Number = Last; Number != None; Number = Earlier[Number]) {
    Use &Same = Uses[Number];
    if (static_cast<const Manner &>(Same) != Found || Paths != llvm::ArrayRef(PathsOf[Number]))
      continue;
    Same.Order = std::min(Same.Order, Found.Order);
    Same.Estimated |= Found.Estimated;
    return Number;
  }
  const auto New = static_cast<uint32_t>(Uses.size());
  Earlier.push_back(std::exchange(Last, New));
  Uses.push_back(std::move(Found));
  PathsOf.emplace_back(Paths.begin(), Paths.end());
  return New;
}

void UseCollector::add(Use Found, size_t Context, llvm::ArrayRef<const CallPath *> Paths) {
  const double Bytes = Found.Bytes, Steps = Found.Steps;
  const uint32_t Number = numberOf(std::move(Found), Paths);
  Shares.push_back({Number, static_cast<uint32_t>(Context), Bytes, Steps});
}

std::vector<Use> UseCollector::weighed(const std::function<double(size_t)> &TimesOf) {
  for (Use &U : Uses)
    U.Bytes = U.Steps = 0;
  for (const Share &S : Shares) {
    const double Times = TimesOf(S.Context);
    Uses[S.Of].Bytes += S.Bytes * Times;
    Uses[S.Of].Steps += S.Steps * Times;
  }
  Uses.shrink_to_fit();
  return std::move(Uses);
}

std::map<CallPath, std::vector<uint32_t>> UseCollector::byPath() const {
  std::map<CallPath, std::vector<uint32_t>> Result;
  for (uint32_t Number = 0; Number < PathsOf.size(); ++Number)
    for (const CallPath *Path : PathsOf[Number])
      Result[*Path].push_back(Number);
  return Result;
}
