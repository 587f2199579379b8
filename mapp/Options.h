//===-- Options.h - the command line ----------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MAPP_OPTIONS_H
#define MAPP_OPTIONS_H

#include "mapp/frontend/Frontend.h"

namespace mapp {

struct Options : FrontendOptions {
  bool HasCompilerArguments = false;  ///< there was a `--`
  std::string Output;                 ///< -o
  std::string OutputDirectory;        ///< --out-dir
  std::string FixFile;                ///< --fix-yaml
  std::string CompilerDirectory;      ///< --for-compiler
  std::string SarifFile;              ///< --sarif
  std::string MachineName;            ///< --machine; empty: not given
  std::string ProfileFile;            ///< --profile; empty: not given
  std::vector<std::string> Explained; ///< --explain
  unsigned Jobs = 0;                  ///< -j; 0: one a CPU
  bool InPlace = false;               ///< -i
  bool Revert = false;
  bool Check = false;
  bool SuggestInit = false; ///< --suggest-init
  bool Strict = false;
  bool Json = false; ///< --report=json
  bool Quiet = false;
  uint64_t MinBytes = 4096;
  bool HeapBlocks = true; ///< not --no-heap-blocks
};

/// The options, or the exit status when there is nothing more to do: --help, --version, or a
/// mistake, which has been reported.
struct ParsedCommandLine {
  Options Opts;
  std::optional<int> Exit;
};

ParsedCommandLine parseCommandLine(int Argc, char **Argv);

/// Exit statuses.
enum { ExitSuccess = 0, ExitFound = 1, ExitError = 3 };

} // namespace mapp

#endif // MAPP_OPTIONS_H
