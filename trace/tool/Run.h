//===-- Run.h - running a traced program ------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_RUN_H
#define MINAS_TRACE_RUN_H

#include "sample/RunTime.h"

#include <string>
#include <utility>
#include <vector>

namespace maiprof {

enum : int { ExitError = 3 };

struct RunOptions {
  std::string Output; ///< the profile; empty: named after the program
  bool Force = false; ///< also what is not built as it should be
  bool Quiet = false;
  std::vector<std::pair<std::string, std::string>> Environment;
  std::vector<std::string> Wrapper; ///< a command that becomes the program, with its arguments
  std::vector<std::string> Command;
};

/// Whether a profile cannot be written there, which is said.
bool cannotBeProfile(const std::string &File);

/// Run the program, see that its profile is there, and complete it. \returns the exit status: the
/// program's, or that of a failure of ours
int runTraced(const RunOptions &Options);

/// Adds to a profile what sources tell, and samples of where time went if there are any, and says
/// in a line what is in it. \returns an exit status
int complete(const std::string &Path, bool Quiet, const sample::RunTime *Times = nullptr);

} // namespace maiprof
#endif
