//===-- Options.h - the command line ----------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MAPP_OPTIONS_H
#define MAPP_OPTIONS_H

#include "Plan.h"

namespace mapp {

struct Options {
  std::vector<std::string> Files;
  std::string BuildDirectory;                 ///< -p: holds compile_commands.json
  bool HasCompilerArguments = false;          ///< there was a `--`
  std::vector<std::string> CompilerArguments; ///< after it
  std::vector<std::string> ExtraArguments;    ///< --extra-arg
  std::string Output;                         ///< -o
  bool InPlace = false;                       ///< -i
  bool Quiet = false;
  Mode RewriteMode = Mode::InPlace;
  uint64_t MinBytes = 4096;
};

/// The options, or the exit status when there is nothing more to do: --help, --version, or a
/// mistake, which has been reported.
struct ParsedCommandLine {
  Options Opts;
  std::optional<int> Exit;
};

ParsedCommandLine parseCommandLine(int Argc, char **Argv);

/// Exit statuses.
enum { ExitSuccess = 0, ExitUsage = 2, ExitError = 3 };

} // namespace mapp

#endif // MAPP_OPTIONS_H
