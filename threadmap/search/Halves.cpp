//===-- Halves.cpp - a forest in two, cutting least -------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Halves.h"

#include "Cost.h"

#include <algorithm>
#include <limits>

using namespace threadmap;

static constexpr float Never = std::numeric_limits<float>::infinity();

Halves::Halves(const Forest &Of, std::mt19937_64 &Generator, uint64_t &Counter)
    : Price(Of.Volume), F(Of), Random(Generator), Work(Counter), Below(Of.size() + size_t{1}),
      Left(Of.size() + size_t{1}), Half(Of.size() + size_t{1}), IsMember(Of.size() + size_t{1}) {}

Halves::Table Halves::newTable(uint32_t Size) {
  const Table Result{Costs.size(), Size};
  Costs.resize(Costs.size() + 2 * size_t{Size}, Never);
  return Result;
}

/// Vertices alone.
void Halves::begin(const std::vector<uint32_t> &Members) {
  Costs.clear();
  Steps.clear();
  for (const uint32_t Vertex : Members) {
    IsMember[Vertex] = true;
    Below[Vertex] = newTable(2);
    *costs(Below[Vertex], 0) = costs(Below[Vertex], 1)[1] = 0;
  }
  Below.back() = newTable(1); // above the roots; shares nothing, so its half does not matter
  *costs(Below.back(), 0) = *costs(Below.back(), 1) = 0;
}

void Halves::hang(uint32_t Child, uint32_t Parent, float Cut, uint32_t Most) {
  const Table Own = Below[Child], Before = Below[Parent];
  const Table Sum = newTable(std::min(Before.Size + Own.Size - 1, Most + 1));
  Hung.resize(Own.Size);
  for (const int Side : {0, 1}) {
    const float *Same = costs(Own, Side), *Other = costs(Own, 1 - Side);
    for (uint32_t I = 0; I < Own.Size; ++I)
      Hung[I] = std::min(Same[I], Other[I] + Cut);
    const float *Short = costs(Before, Side), *Long = Hung.data();
    uint32_t ShortSize = Before.Size, LongSize = Own.Size;
    if (ShortSize > LongSize) {
      std::swap(Short, Long);
      std::swap(ShortSize, LongSize);
    }
    float *Into = costs(Sum, Side);
    for (uint32_t I = 0; I < ShortSize; ++I) {
      const uint32_t End = std::min(LongSize, Sum.Size - std::min(I, Sum.Size));
      for (uint32_t J = 0; J < End; ++J)
        Into[I + J] = std::min(Into[I + J], Short[I] + Long[J]);
    }
  }
  Work += size_t{Before.Size} * Own.Size / 8 + 6;
  Steps.push_back({Parent, Child, Cut, Before});
  Below[Parent] = Sum;
}

/// Finds which half a child is in, and how many below it are in the first.
void Halves::takeDown(const Step &S) {
  const int Above = Half[S.Parent];
  const float *Rest = costs(S.Before, Above), *Same = costs(Below[S.Child], Above),
              *Other = costs(Below[S.Child], 1 - Above);
  const uint32_t Sum = Left[S.Parent];
  float Least = Never;
  for (uint32_t J = 0; J < Below[S.Child].Size && J <= Sum; ++J) {
    if (Sum - J >= S.Before.Size)
      continue;
    const float Cost = Rest[Sum - J] + std::min(Same[J], Other[J] + S.Cut);
    if (Cost >= Least)
      continue;
    Least = Cost;
    Left[S.Child] = J;
    Left[S.Parent] = Sum - J;
    Half[S.Child] = static_cast<uint8_t>(Same[J] <= Other[J] + S.Cut ? Above : 1 - Above);
  }
}

void Halves::divide(const std::vector<uint32_t> &Members, uint32_t Count, double Spread) {
  const auto Size = static_cast<uint32_t>(Members.size());
  const bool IsLarger = Count > Size - Count;
  const uint32_t Wanted = IsLarger ? Size - Count : Count;
  begin(Members);
  for (size_t I = Members.size(); I-- > 0;) {
    const uint32_t Vertex = Members[I], Parent = F.Parent[Vertex];
    const bool IsRoot = !IsMember[Parent];
    const double Change = IsRoot || Spread == 0 ? 0 : Spread * below(1024, Random) / 1024;
    hang(Vertex, IsRoot ? F.size() : Parent,
         IsRoot ? 0 : Price[Vertex] * static_cast<float>(1 + Change), Wanted);
  }
  Left.back() = Wanted;
  Half.back() = 0;
  for (size_t I = Steps.size(); I-- > 0;)
    takeDown(Steps[I]);
  First.clear();
  Second.clear();
  for (const uint32_t Vertex : Members) {
    IsMember[Vertex] = false;
    ((Half[Vertex] == 1) != IsLarger ? First : Second).push_back(Vertex);
  }
  Work += 8 * Members.size();
}
