//===-- Try.h - running a program with a cure -------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_TRY_H
#define MINAS_TRACE_TRY_H

#include "Run.h"
#include "Verdicts.h"

#include <optional>

namespace maiprof {

/// What mai-run does for the verdict that commands can cure best.
struct Trial {
  size_t Verdict = 0;                 ///< which of Judgement::Verdicts
  std::vector<std::string> Arguments; ///< of mai-run
  std::vector<uint32_t> Cpus;         ///< a map file has these; empty: it needs none
};

/// The first verdict that a policy by name or a map of threads cures. \returns nothing where there
/// is none
std::optional<Trial> trialOf(const Judgement &J);

/// Runs the program with the cure and has its profile written.
/// \returns the exit status: the program's, or that of a failure of ours, which has been said
int runTrial(const Trial &Its, RunOptions Options);

} // namespace maiprof
#endif
