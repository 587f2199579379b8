//===-- Options.h - command lines of the tools ------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the tools' use of llvm::cl has in common. A tool calls forgetOptions(), makes its options
// and calls parseOptions().
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_SUPPORT_OPTIONS_H
#define MINAS_SUPPORT_OPTIONS_H

#include "llvm/Support/CommandLine.h"

#include <optional>
#include <string>

namespace support {

enum { ExitSuccess = 0, ExitUsage = 2 };

/// Forgets the options that LLVM's libraries bring along.
void forgetOptions();

/// Reads the command line; --help ends the program.
/// @param Version what --version prints
/// @return the exit status when there is nothing more to do: --version, or a mistake, which has
///   been reported
std::optional<int> parseOptions(int Argc, const char *const *Argv, const char *Overview,
                                const std::string &Version);

/// Says what is wrong with the usage of a tool. @return ExitUsage
int usageError(const char *Tool, const std::string &Message);

} // namespace support

#endif // MINAS_SUPPORT_OPTIONS_H
