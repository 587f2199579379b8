//===-- Launchers.h - a layout in the words of launchers --------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_RANKS_LAUNCHERS_H
#define THREADMAP_RANKS_LAUNCHERS_H

#include "Job.h"

#include <string>
#include <vector>

namespace threadmap {

enum class Launcher {
  Script,  ///< sh, between any launcher and the program: binds the rank that it is, and its threads
  OpenMpi, ///< a rankfile
  Slurm,   ///< srun and its options
  Mpich,   ///< mpiexec and its options
  HostFile, ///< the host of each rank, for SLURM_HOSTFILE and others
  Json
};

/// Whether it has one list of CPUs for all hosts.
constexpr bool takesOneList(Launcher Which) {
  return Which == Launcher::Slurm || Which == Launcher::Mpich;
}

/// What a launcher is told.
struct Bound {
  std::vector<std::string> Hosts;           ///< their names
  Division HostOf;                          ///< by rank: an index into these
  std::vector<std::vector<uint32_t>> CpuOf; ///< by rank, by thread: OS index
};

/// Lines of a file, or what stands in front of a program.
/// @param Comments for those that have room for comments: lines that begin with `#`
std::string textOf(Launcher Which, const Bound &What, const std::string &Comments);

} // namespace threadmap

#endif // THREADMAP_RANKS_LAUNCHERS_H
