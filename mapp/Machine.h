//===-- Machine.h - the machine that placements are chosen for --*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MAPP_MACHINE_H
#define MAPP_MACHINE_H

#include <string>

namespace mapp {

/// What a choice needs to know of a machine.
struct Machine {
  unsigned Nodes = 4; ///< with CPUs: any machine is taken for one with four
  double PageBytes = 4096;

  /// The part of evenly spread accesses that goes to other nodes.
  double remotePart() const { return Nodes > 1 ? (Nodes - 1.0) / Nodes : 0; }
};

/// Reads the machine of that name: "any", "host", or a file that `numarch --json` has written.
/// False after a message when that fails.
bool readMachine(const std::string &Name, Machine &Out);

} // namespace mapp

#endif // MAPP_MACHINE_H
