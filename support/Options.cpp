//===-- Options.cpp - command lines of the tools ----------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace support;
namespace cl = llvm::cl;

namespace {

/// Long options begin with two dashes, so that single letters can be told from them.
bool parse(int Argc, const char *const *Argv, const char *Overview) {
#if LLVM_VERSION_MAJOR >= 22
  return cl::ParseCommandLineOptions(Argc, Argv, Overview, &llvm::errs(), nullptr, nullptr,
                                     /*LongOptionsUseDoubleDash=*/true);
#else
  return cl::ParseCommandLineOptions(Argc, Argv, Overview, &llvm::errs(), nullptr,
                                     /*LongOptionsUseDoubleDash=*/true);
#endif
}

/// Has --help show the tool's options, other names for them included, and not LLVM's. What
/// forgetOptions() forgets has the category of those that name none, which is not shown then.
void showOwnOptions(cl::OptionCategory &Own) {
  for (cl::SubCommand *Command : cl::getRegisteredSubcommands())
    for (auto &Each : cl::getRegisteredOptions(*Command)) {
      cl::Option &Option = *Each.second;
      if (Option.Categories[0] == &cl::getGeneralCategory())
        Option.addCategory(Own);
      if (Option.HelpStr.starts_with("Alias for"))
        Option.setHiddenFlag(cl::NotHidden);
      if (Option.ArgStr == "color")
        Option.setHiddenFlag(cl::Hidden);
    }
}

} // namespace

void support::forgetOptions() { cl::ResetCommandLineParser(); }

std::optional<int> support::parseOptions(int Argc, const char *const *Argv, const About &Command) {
  const auto PrintVersion = [&](llvm::raw_ostream &Stream) { Stream << Command.Version << '\n'; };
  cl::SetVersionPrinter(PrintVersion);
  cl::OptionCategory Own("Options");
  cl::opt<bool> Short("V", cl::desc("Alias for --version"), cl::sub(cl::SubCommand::getAll()));
  showOwnOptions(Own);
  if (Argc == 2 && std::strcmp(Argv[1], "-h") == 0) {
    llvm::outs() << Command.Brief;
    return ExitSuccess;
  }
  if (!parse(Argc, Argv, Command.Overview))
    return ExitUsage;
  if (!Short)
    return std::nullopt;
  PrintVersion(llvm::outs());
  return ExitSuccess;
}

bool cl::parser<Number>::parse(Option &O, StringRef Name, StringRef Text, Number &To) {
  StringRef Digits = Text;
  unsigned Bits = 0;
  for (const char *Units = "TGMK"; *Units && Bits == 0; ++Units)
    if (Digits.consume_back_insensitive({Units, 1}))
      Bits = 10 * static_cast<unsigned>(std::strlen(Units));
  if (Digits.getAsInteger(10, To.Value) || To.Value > UINT64_MAX >> Bits)
    return O.error("expected a number such as 64 or 32K, found '" + Text + "'", Name);
  To.Value <<= Bits;
  return false;
}

int support::usageError(const char *Tool, const std::string &Message) {
  llvm::errs() << Tool << ": " << Message << "\nTry '" << Tool << " --help'.\n";
  return ExitUsage;
}
