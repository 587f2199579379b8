//===-- Machine.h - the machine that placements are chosen for --*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MAPP_MACHINE_H
#define MAPP_MACHINE_H

#include <string>
#include <vector>

namespace mapp {

/// What a choice needs to know of a machine: nodes on which threads run, and memories. A node is
/// either or both.
struct Machine {
  /// Where nothing is known: four nodes, each with its memory, and Linux's own guess of how much
  /// farther the others' are (a distance of 20 where the own one is 10).
  Machine() : Machine(4, 2) {}
  Machine(unsigned EqualNodes, double Factor);

  unsigned Nodes;             ///< with CPUs
  std::vector<unsigned> Cpus; ///< of each of these; empty: not known
  std::vector<unsigned> Home; ///< which memory is nearest to each of these

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
};

/// Reads the machine of that name: "any", "host", or a file that `numarch --json` has written.
/// False after a message when that fails.
bool readMachine(const std::string &Name, Machine &Out);

} // namespace mapp

#endif // MAPP_MACHINE_H
