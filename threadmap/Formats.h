//===-- Formats.h - a map in the words of those who bind threads -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_FORMATS_H
#define THREADMAP_FORMATS_H

#include "Report.h"

#include <optional>
#include <string>
#include <vector>

namespace threadmap {

enum class Format {
  MapFile,   ///< for MAI_MAP_FILE
  OmpPlaces, ///< OMP_PLACES, for any run-time
  Gomp,      ///< GOMP_CPU_AFFINITY, for libgomp and libomp
  Kmp,       ///< KMP_AFFINITY, for libomp
  Taskset,   ///< the CPUs only, not which thread has which
  Numactl,   ///< likewise
  Json,
  Script, ///< these of all ranks, for launchers (ranks/Launchers.h)
  RankFile,
  Slurm,
  Mpich,
  HostFile
};

/// All that is known of a map.
struct Mapped {
  std::vector<std::string> Comments;
  const Matrix &Volumes;
  const Locations &At;
  Map Of;
  std::string Input;           ///< where the volumes came from
  std::string Machine;         ///< the name of the machine
  std::vector<Row> Costs = {}; ///< none where all maps cost alike
  std::optional<Proof> Quality = std::nullopt;
};

/// The text of a file: a map file, lines for a shell, what stands in front of a command, or JSON.
std::string textOf(Format Form, const Mapped &What);

} // namespace threadmap

#endif // THREADMAP_FORMATS_H
