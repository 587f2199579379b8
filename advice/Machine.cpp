//===-- Machine.cpp - the machine that placements are priced on -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include <algorithm>

using namespace advice;

Machine::Machine(unsigned EqualNodes, double Factor)
    : Nodes(EqualNodes), MemoryBytes(EqualNodes, 0),
      Factors(EqualNodes, std::vector<double>(EqualNodes, Factor)) {
  for (unsigned I = 0; I < EqualNodes; ++I) {
    Nearest.push_back(I);
    Factors[I][I] = 1;
  }
}

double Machine::numaFactor() const {
  double Greatest = 1;
  for (const std::vector<double> &From : Factors)
    for (const unsigned To : Nearest)
      Greatest = std::max(Greatest, From[To]);
  return Greatest;
}

double Machine::bandwidth(size_t Memory) const {
  double Best = Bandwidths.empty() ? 1 : 0;
  for (const std::vector<double> &From : Bandwidths)
    Best = std::max(Best, From[Memory]);
  return Best;
}

double Machine::demand(size_t Node) const {
  return Bandwidths.empty() ? 1 : *std::ranges::max_element(Bandwidths[Node]);
}

/// MAi maps threads compactly; where a machine's CPUs are not known every team is taken to use all
/// nodes.
Segments Machine::segments(int64_t Team) const {
  double All = 0;
  for (const unsigned Own : Cpus)
    All += Own;
  // A team larger than the machine begins again with its first CPU: spread evenly, more or less.
  const bool Whole = Team == 0 || static_cast<double>(Team) >= All;
  const double Threads = Whole ? All : static_cast<double>(Team);
  Segments Result;
  double Begin = 0;
  for (unsigned Node = 0; Node < Nodes && Begin < 1; ++Node) {
    const double Part = Cpus.empty() ? 1.0 / Nodes : Cpus[Node] / Threads;
    const double End = Node + 1 == Nodes ? 1 : std::min(1.0, Begin + Part);
    Result.push_back({Node, Begin, End});
    Begin = End;
  }
  return Result;
}

void advice::setNearest(Machine &Of, const std::vector<size_t> &OwnMemory) {
  for (size_t Node = 0; Node < OwnMemory.size(); ++Node) {
    const std::vector<double> &Row = Of.Factors[Node];
    const size_t Nearest = static_cast<size_t>(std::ranges::min_element(Row) - Row.begin());
    Of.Nearest.push_back(
        static_cast<unsigned>(OwnMemory[Node] < Of.memories() ? OwnMemory[Node] : Nearest));
  }
}
