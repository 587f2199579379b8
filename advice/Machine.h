//===-- Machine.h - the machine that placements are priced on ---*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_ADVICE_MACHINE_H
#define MINAS_ADVICE_MACHINE_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <string>
#include <vector>

namespace advice {

/// Threads of a team that share a node: their part of a loop, as fractions of it.
struct Segment {
  unsigned Node;
  double Begin;
  double End;
};

// There are many of these for each array, and they are small on most machines.
using Segments = llvm::SmallVector<Segment, 8>;
using Shares = llvm::SmallVector<double, 8>; ///< of each memory

/// What a price needs to know of a machine: nodes on which threads run, and memories. A node is
/// either or both.
struct Machine {
  /// Where nothing is known: four nodes, each with its memory, and Linux's own guess of how much
  /// farther the others' are (a distance of 20 where the own one is 10).
  Machine() : Machine(4, 2) {}
  Machine(unsigned EqualNodes, double Factor);

  unsigned Nodes;                ///< with CPUs
  std::vector<unsigned> Cpus;    ///< of each of these; empty: not known
  std::vector<unsigned> Nearest; ///< the memory nearest to each of these

  std::vector<double> MemoryBytes; ///< of each memory; 0: not known
  /// How much longer a node waits for a memory than for its nearest one, [node][memory].
  std::vector<std::vector<double>> Factors;
  /// Bytes a second, [node][memory]; empty: not known, then all memories are taken to be alike.
  std::vector<std::vector<double>> Bandwidths;

  double PageBytes = 4096;

  size_t memories() const { return MemoryBytes.size(); }
  /// The greatest factor between a node with CPUs and the memory of another.
  double numaFactor() const;
  /// What a memory gives at most; 1 where nothing is known.
  double bandwidth(size_t Memory) const;
  /// What the CPUs of a node can take at most; 1 where nothing is known.
  double demand(size_t Node) const;
  /// The nodes of a team's threads in order, all of them; 0: the default team.
  Segments segments(int64_t Team) const;
};

/// The memory nearest to each node: its own where it has one.
/// @param OwnMemory of each node the memory of the same number; memories(): it has none
void setNearest(Machine &Of, const std::vector<size_t> &OwnMemory);

/// Reads the machine of that name: "any", "host", or a file that `numarch --json` has written.
/// @return empty, or what is wrong
std::string readMachine(const std::string &Name, Machine &Out);

} // namespace advice

#endif // MINAS_ADVICE_MACHINE_H
