//===-- Balance.h - no node above its share ---------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Threads weigh different much: by their accesses to memory, their time, or what the user says.  A
// node should have no greater share of the weight than of the machine: of the bandwidth of its
// memory, where the firmware tells that, otherwise of the cores.
//
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_BALANCE_H
#define THREADMAP_BALANCE_H

#include "Locations.h"

#include <optional>
#include <string>

namespace threadmap {

struct Balance {
  std::vector<double> Weight;   ///< by thread
  std::vector<uint32_t> NodeOf; ///< by location: an index into Machine::Nodes
  std::vector<double> Share;    ///< by node: what of the whole weight it should have at most
  std::vector<uint32_t> Os;     ///< by node: OS index

  /// What the threads on each node weigh.
  std::vector<double> loads(const Map &Of) const;

  /// By how much a load exceeds a node's share and the tolerance.
  double excess(size_t Node, double Load) const;

  /// A cost, and as much again for each hundredth of the weight that is above the nodes' shares.
  double priced(double Cost, const Map &Of) const;
};

/// @param On the machine that has the locations
Balance balanceFor(const Machine &On, const Locations &At, std::vector<double> Weights);

/// Reads so many weights from a file: numbers, in the order of the threads.
std::optional<std::vector<double>> readWeights(const std::string &File, uint32_t Threads,
                                               std::string &Error);

/// A table of the nodes, what their threads weigh, and their shares.
std::string loadTable(const Balance &By, const Map &Of);

/// The heaviest load of a node as a multiple of its share, as a sentence.
std::string sentence(const Balance &By, const Map &Of);

} // namespace threadmap

#endif // THREADMAP_BALANCE_H
