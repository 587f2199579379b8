//===-- Plan.cpp - the decisions about a whole program ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Plan.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mapp;

namespace {

/// One declaration of an array and the unit that it stands in.
struct Declared {
  const ArrayDeclaration *Array;
  const Facts *Unit;
};

/// The declaration where the array is placed: its definition, and of tentative ones that say the
/// same the last, where all that it depends on is declared. Null if there is none among the files.
const Declared *definition(const std::vector<Declared> &All) {
  const Declared *Best = nullptr;
  for (const Declared &D : All) {
    if (!D.Array->Definition || D.Array->Bytes == 0)
      continue;
    const bool Better = !Best || (!Best->Array->Refusal.empty() && D.Array->Refusal.empty()) ||
                        (Best->Unit == D.Unit && D.Array->Refusal.empty());
    if (Better)
      Best = &D;
  }
  return Best;
}

Decision leaveAlone(const Declared &At, std::string Reason) {
  return {Decision::Outcome::LeftAlone,
          At.Array,
          At.Unit,
          {Policy::LeaveAlone, std::move(Reason), {}, 0, 0}};
}

/// Why `Array` may not become a pointer that MAi sets, or empty.
std::string heapRefusal(const ArrayDeclaration &Array, const std::vector<Facts> &Units) {
  const auto Early =
      llvm::find_if(Units, [](const Facts &Unit) { return !Unit.EarlyConstructor.empty(); });
  return Early == Units.end() ? Array.Heap.Refusal
                              : "the constructor " + Early->EarlyConstructor +
                                    "() may run before MAi has its memory";
}

Decision decide(const std::vector<Declared> &All, const std::vector<Use> &Uses,
                const std::vector<Facts> &Units, Mode M) {
  const auto Placed = llvm::find_if(All, [](const Declared &D) { return D.Array->AlreadyPlaced; });
  if (Placed != All.end())
    return {Decision::Outcome::AlreadyPlaced, Placed->Array, Placed->Unit, {}};
  const Declared *At = definition(All);
  if (!At)
    return leaveAlone(All[0], "only declared here; no definition among the files given");
  if (!At->Array->Refusal.empty())
    return leaveAlone(*At, At->Array->Refusal);
  Choice C = choose(*At->Array, Uses);
  if (C.What == Policy::LeaveAlone)
    return {Decision::Outcome::LeftAlone, At->Array, At->Unit, std::move(C)};
  if (M == Mode::Heap)
    if (std::string Refusal = heapRefusal(*At->Array, Units); !Refusal.empty())
      return leaveAlone(*At, std::move(Refusal));
  return {Decision::Outcome::Place, At->Array, At->Unit, std::move(C)};
}

} // namespace

Plan mapp::makePlan(const std::vector<Facts> &Units, Mode M, uint64_t MinBytes) {
  const Classification Classified = classify(Units);
  llvm::MapVector<std::string, std::vector<Declared>, std::map<std::string, unsigned>> ByKey;
  for (const Facts &Unit : Units)
    for (const ArrayDeclaration &Array : Unit.Arrays)
      ByKey[Array.Key].push_back({&Array, &Unit});

  Plan P;
  P.Complete = Classified.Complete;
  static const std::vector<Use> Unused;
  for (const auto &[Key, Declarations] : ByKey) {
    uint64_t Bytes = 0; // Of a declaration with an incomplete type it is 0.
    for (const Declared &D : Declarations)
      Bytes = std::max(Bytes, D.Array->Bytes);
    const bool Placed =
        llvm::any_of(Declarations, [](const Declared &D) { return D.Array->AlreadyPlaced; });
    if (Bytes < MinBytes && !Placed) {
      P.Small += Bytes > 0;
      continue;
    }
    const auto Uses = Classified.Uses.find(Key);
    P.Decisions.push_back(
        decide(Declarations, Uses == Classified.Uses.end() ? Unused : Uses->second, Units, M));
  }
  llvm::stable_sort(P.Decisions, [](const Decision &Left, const Decision &Right) {
    return std::pair(Left.Unit->Unit, Left.At->Where.Line) <
           std::pair(Right.Unit->Unit, Right.At->Where.Line);
  });
  return P;
}
