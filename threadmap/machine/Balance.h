//===-- Balance.h - no node above its share ---------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Threads weigh different much: by their accesses to memory, their time, or what the user says.  A
// node should have no greater share of the weight than of the machine: of the bandwidth of its
// memory, where the firmware tells that, otherwise of the cores.  Of cores of several kinds the
// fast ones should have the threads that weigh most.
//
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_BALANCE_H
#define THREADMAP_BALANCE_H

#include "Crowding.h"

#include <optional>

namespace threadmap {

/// Groups are nodes, by their indices in Machine::Nodes.
struct Balance : Crowding {
  std::vector<double> Share; ///< by node: what of the whole weight it should have at most
  std::vector<uint32_t> Os;  ///< by node: OS index

  /// By how much a load exceeds a node's share and the tolerance.
  double excess(size_t Node, double Load) const override;

  /// As much as all that is shared for each hundredth of the weight.
  double unitPrice(double Cost) const override;

  /// The heaviest load of a node as a multiple of its share.
  std::string sentence(const Map &Of) const override;

  /// The nodes, what their threads weigh, and their shares.
  std::string table(const Map &Of) const override;
};

/// @param On the machine that has the locations
Balance balanceFor(const Machine &On, const Locations &At, std::vector<double> Weights);

/// Reads so many weights from a file: numbers, in the order of the threads.
std::optional<std::vector<double>> readWeights(const std::string &File, uint32_t Threads,
                                               std::string &Error);

} // namespace threadmap

#endif // THREADMAP_BALANCE_H
