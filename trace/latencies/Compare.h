//===-- Compare.h - several runs beside one another -------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Such as a program's with its threads on one node, distributed, and with memory interleaved: as
// LaProf's tables do it.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_COMPARE_H
#define MINAS_TRACE_COMPARE_H

#include "SampledLatencies.h"

namespace maiprof {

/// What is kept of a run.
struct ComparedRun {
  std::string Name;               ///< of the file, without suffix
  double Remote = 0, Busiest = 0; ///< parts of the accesses
  Latencies Modelled;
  std::optional<SampledLatencies> Measured;
  std::string CriticalThread; ///< by what is measured, or else by the model
  uint64_t Threads = 0;
};

struct ComparedCell {
  ComparedCell(std::string Its) : Text(std::move(Its)) {}
  ComparedCell(std::string Its, double Part) : Text(std::move(Its)), Share(Part) {}
  std::string Text;
  std::optional<double> Share; ///< where it can be drawn as a part of a bar: from 0 to 1
  bool IsRemote = false;       ///< it is remote accesses
};

/// A row for each run, the first cell of which is its name.
struct ComparedTable {
  std::string About;
  std::vector<std::string> Heads; ///< of the other columns
  std::vector<std::vector<ComparedCell>> Rows;
};

/// A name for a file's run.
std::string runName(const std::string &File);

/// By which latencies runs are compared.
std::string comparedBy(const std::vector<ComparedRun> &Runs);
/// Of data, of places and of threads.
std::vector<ComparedTable> comparedTables(const std::vector<ComparedRun> &Runs);

/// By measured latencies where all runs have them, else by the model.
std::string comparedText(const std::vector<ComparedRun> &Runs);
std::string comparedCsv(const std::vector<ComparedRun> &Runs);

} // namespace maiprof
#endif
