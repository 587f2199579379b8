//===-- Options.h - command lines of the tools ------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the tools' use of llvm::cl has in common. A tool calls forgetOptions(), makes its options
// and calls parseOptions(), which adds those that all have: -v, and -q to those that say nothing
// that could be left out.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_SUPPORT_OPTIONS_H
#define MINAS_SUPPORT_OPTIONS_H

#include "llvm/Support/CommandLine.h"

#include <optional>
#include <string>

namespace support {

/// What the commands' exit statuses mean, as in commandline/exit_status.h. ExitInput: a file cannot
/// be read or written, or makes no sense.
enum { ExitSuccess = 0, ExitFound = 1, ExitUsage = 2, ExitInput = 3, ExitMachine = 4 };

/// What a command tells of itself.
struct About {
  const char *Overview; ///< what --help begins with
  const char *Brief;    ///< what -h prints: at most 25 lines, with examples
  std::string Version;
};

/// Forgets the options that LLVM's libraries bring along.
void forgetOptions();

/// Reads the command line; --help ends the program.
/// @return the exit status when there is nothing more to do: --version, or a mistake, which has
///   been reported
std::optional<int> parseOptions(int Argc, const char *const *Argv, const About &Command);

/// Says on standard error what is being done, and since when the tool runs, where -v is given.
void tell(const std::string &What);

/// Whether who looks on may be shown what is going on: neither -q nor -v is given.
bool wantsProgress();

/// What an option takes that is a number such as 4096, 32K or 8M.
struct Number {
  uint64_t Value = 0;
  operator uint64_t() const { return Value; }
};
using Size = llvm::cl::opt<Number>;

/// Says what is wrong with the usage of a tool. @return ExitUsage
int usageError(const char *Tool, const std::string &Message);

} // namespace support

template <>
class llvm::cl::parser<::support::Number> : public llvm::cl::basic_parser<::support::Number> {
public:
  using basic_parser::basic_parser;
  /// @return whether it is wrong
  static bool parse(Option &O, StringRef Name, StringRef Text, ::support::Number &To);
  /// For --print-options, which nobody asks for.
  static void printOptionDiff(const Option & /*O*/, const ::support::Number & /*Value*/,
                              const OptVal & /*Default*/, size_t /*Width*/) {}
};

#endif // MINAS_SUPPORT_OPTIONS_H
