//===-- Access.cpp - who uses which part of an array how often --*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Access.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace advice;

double advice::total(const Sums &Of) {
  double Sum = 0;
  for (const std::vector<double> &Row : Of)
    for (const double One : Row)
      Sum += One;
  return Sum;
}

/// By the threads that touched it first.
static Shares firstTouched(const Access &Of, const Machine &On, uint32_t Cell) {
  Shares Result(On.memories(), 0);
  double Touched = 0;
  for (uint32_t Thread = 0; Thread < Of.Counts.rows(); ++Thread) {
    Result[On.Nearest[Of.nodeOf(Thread)]] += Of.Counts.touched(Thread, Cell);
    Touched += Of.Counts.touched(Thread, Cell);
  }
  if (Touched <= 0) // Nobody has used it, or it shares its page with something else.
    Result[On.Nearest[0]] = Touched = 1;
  for (double &Share : Result)
    Share /= Touched;
  return Result;
}

/// The node of a position in the team.
static unsigned nodeAt(const Segments &Nodes, double Position) {
  for (const Segment &S : Nodes)
    if (Position < S.End)
      return S.Node;
  return Nodes.back().Node;
}

Access::Access(const maiprof::ArrayCounts &Counted, const Machine &On, Segments Of,
               uint32_t Positions)
    : Counts(Counted), Nodes(std::move(Of)), Threads(std::max(1U, Positions)),
      Parallel(On.Nodes, std::vector<double>(Counted.cells(), 0)), Serial(Parallel),
      LeftAlone(On.memories(), 0) {
  for (uint32_t Thread = 0; Thread < Threads; ++Thread)
    OfThread.push_back(nodeAt(Nodes, (Thread + 0.5) / Threads));
  for (uint32_t Thread = 0; Thread < Counts.rows(); ++Thread) {
    const unsigned Node = nodeOf(Thread);
    for (uint32_t Cell = 0; Cell < cells(); ++Cell) {
      Parallel[Node][Cell] += Counts.parallel(Thread, Cell);
      Serial[Node][Cell] += Counts.serial(Thread, Cell);
    }
  }
  for (uint32_t Cell = 0; Cell < cells(); ++Cell) {
    FirstTouched.push_back(firstTouched(*this, On, Cell));
    for (size_t Memory = 0; Memory < LeftAlone.size(); ++Memory)
      LeftAlone[Memory] += FirstTouched.back()[Memory] / cells();
  }
}

bool Access::isTouchedApart() const {
  constexpr double Noticeable = 0.05;
  return llvm::count_if(LeftAlone, [](double Part) { return Part > Noticeable; }) > 1;
}

double Access::commonPart() const {
  const auto Users = static_cast<double>(llvm::count_if(
      Parallel, [](const auto &Of) { return llvm::any_of(Of, [](double A) { return A > 0; }); }));
  double Common = 0, All = 0;
  for (uint32_t Cell = 0; Cell < cells(); ++Cell) {
    double Sum = 0, Most = 0;
    for (const std::vector<double> &Of : Parallel) {
      Sum += Of[Cell];
      Most = std::max(Most, Of[Cell]);
    }
    if (Sum > 0 && Users > 1)
      Common += Sum * (1 - (Most / Sum - 1 / Users) / (1 - 1 / Users));
    All += Sum;
  }
  return All > 0 ? Common / All : 0;
}
