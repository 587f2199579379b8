//===-- Machine.h - the memory hierarchy as a tree --------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_MACHINE_H
#define THREADMAP_MACHINE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace threadmap {

/// A machine as a tree of what its CPUs share: the machine, packages, NUMA nodes, caches, cores.
/// Only what has several parts is a part of the tree, so a core with one CPU is that CPU.
struct Machine {
  struct Part {
    uint32_t Parent; ///< the root is its own
    /// How far up: 0 for a CPU, then 1, 2, ... for each level of the machine at which any part of
    /// it branches.  Parts of one level are equally high, also where some of them do not branch.
    uint32_t Height;
    std::vector<uint32_t> Children; ///< in the order of the topology
    uint32_t Cpu;                   ///< OS index; of a CPU
    uint32_t Core;                  ///< of a CPU: 0, 1, 2, ... in the order of the topology
    uint32_t Kind = 0;              ///< of a CPU: 0 for the fastest kind of core, then 1, 2, ...
    uint32_t Node = 0;              ///< of a CPU: an index into `Nodes`
    uint32_t Fixed = 0;             ///< of a CPU: how many threads the user has fixed to it
  };
  std::vector<Part> Parts; ///< a parent before its children; the root is first
  uint32_t Cpus = 0;
  uint32_t Cores = 0;
  std::string Name; ///< what it was read from, for comments

  std::vector<uint32_t> Nodes; ///< OS indices of the nodes that CPUs belong to, ascending
  /// What the firmware tells of each pair of nodes, from one's CPUs to the other's memory, row by
  /// row in the order of `Nodes`; empty where it does not.
  std::vector<double> Slit, Latency, Bandwidth;
};

/// The machine that `Description` means: a file of hwloc's XML; a list of arities such as 4x8x2
/// (packages x cores x CPUs of a core; with more numbers there are caches between packages and
/// cores); or a synthetic description of hwloc's.
/// @return nothing where it means none of these, and `Error` says why
std::optional<Machine> describedMachine(const std::string &Description, std::string &Error);

/// The machine that this runs on (or that HWLOC_SYNTHETIC or HWLOC_XMLFILE describe): what this
/// process may use of it, or all.
std::optional<Machine> thisMachine(bool Whole, std::string &Error);

} // namespace threadmap

#endif // THREADMAP_MACHINE_H
