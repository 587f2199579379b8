//===-- Together.cpp - arrays that are looked up together -------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Together.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace mapp;

namespace {

/// A loop of a function in which an array of indices guides accesses.
using Guided = std::tuple<const Function *, const Scope *, std::string>;

std::optional<Guided> guided(const Use &U) {
  if (U.How != Pattern::Indirect || U.Through.empty())
    return std::nullopt;
  return Guided{U.In, U.Loop, U.Through};
}

bool isPlaced(const Decision &D) {
  return D.What == Decision::Outcome::Place && !D.Chosen.Counts && !D.Chosen.isRuled();
}

/// All of it is divided, or all that it holds, in equal shares or where rows begin.
bool isWhole(const Candidate &C) {
  return C.What == Policy::Block && C.Dimension == 0 && C.Slices == 0 && C.Count == 0 &&
         C.Team == 0 && !C.Reversed && !C.OfRows;
}

/// As far as that is known before the program runs.
bool haveAsManyUnits(const ArrayDeclaration &Left, const ArrayDeclaration &Right) {
  const auto Units = [](const ArrayDeclaration &Of) {
    return Of.Bytes / std::max<uint64_t>(Of.UnitBytes, 1);
  };
  return Left.Bytes == 0 || Right.Bytes == 0 || Units(Left) == Units(Right);
}

bool hasPagesInTurn(const Decision &D) {
  return isPlaced(D) && D.Chosen.policy().What == Policy::Cyclic;
}

/// What threads do most with an array; null where they do nothing.
const Use *mainUse(const std::vector<Use> &Uses) {
  const Use *Most = nullptr;
  for (const Use &U : Uses)
    if (U.How != Pattern::OneThread && (!Most || U.Bytes > Most->Bytes))
      Most = &U;
  return Most;
}

/// @return the policy that it has then; null where there is none
Candidate *divide(Choice &C, const Decision &Like, const char *Because) {
  const auto Whole = llvm::find_if(C.Candidates, isWhole);
  if (Whole == C.Candidates.end())
    return nullptr;
  Candidate &InTurn = C.policy();
  const std::string &Name = Like.At->Name;
  Whole->Filled = Like.Chosen.policy().Filled;
  Whole->Number = Topic::Block;
  Whole->Reasons = InTurn.Reasons;
  Whole->Reasons.push_back({"divided as " + Name + ", " + Because});
  Whole->Evidence = InTurn.Evidence;
  InTurn.Excluded = "it belongs to " + Name + ", which is divided";
  for (Candidate &Other : C.Candidates)
    if (Other.Excluded.empty())
      Other.Excluded = InTurn.Excluded;
  Whole->Excluded.clear();
  return &*Whole;
}

using DividedBy = std::multimap<Guided, const Decision *>;

void divideAlike(Decision &D, const Use &Main, const DividedBy &Divided) {
  const std::optional<Guided> Of = guided(Main);
  if (!Of)
    return;
  const auto [Begin, End] = Divided.equal_range(*Of);
  const auto Like = std::find_if(
      Begin, End, [&](const auto &Other) { return haveAsManyUnits(*D.At, *Other.second->At); });
  if (Like != End)
    divide(D.Chosen, *Like->second, "which is looked up together with it");
}

/// Threads look up rows, `start[list[i]]`, and the row pointers are divided.
void divideAlong(Plan &P, Decision &D, const Use &Main) {
  if (Main.How != Pattern::Indirect || !Main.Rows || Main.Loop->Order != Schedule::Static)
    return;
  const auto Pointers = llvm::find_if(P.Decisions, [&](const Decision &Of) {
    const std::string &Key = Of.At->Object.empty() ? Of.At->Key : Of.At->Object;
    return isPlaced(Of) && isWhole(Of.Chosen.policy()) && Main.Rows->Variables.count(Key) > 0;
  });
  if (Pointers == P.Decisions.end())
    return;
  if (Candidate *Along = divide(D.Chosen, *Pointers, "which delimits its rows")) {
    Along->Filled = !D.At->Allocated; // It is declared for the worst case.
    Along->Rows = *Main.Rows;
  }
}

} // namespace

void mapp::divideTogether(Plan &P) {
  std::multimap<Guided, const Decision *> Divided;
  for (const Decision &D : P.Decisions)
    if (isPlaced(D) && isWhole(D.Chosen.policy()))
      for (const Use &U : P.usesOf(D))
        if (const std::optional<Guided> Of = guided(U))
          Divided.emplace(*Of, &D);
  const auto ForEachInTurn = [&](llvm::function_ref<void(Decision &, const Use &)> Do) {
    for (Decision &D : llvm::make_filter_range(P.Decisions, hasPagesInTurn)) {
      const std::vector<Use> Uses = P.usesOf(D);
      if (const Use *Main = mainUse(Uses))
        Do(D, *Main);
    }
  };
  ForEachInTurn([&](Decision &D, const Use &Main) { divideAlike(D, Main, Divided); });
  ForEachInTurn([&](Decision &D, const Use &Main) { divideAlong(P, D, Main); });
}
