//===-- Options.cpp - command lines of the tools ----------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <vector>

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

bool IsVerbose = false, IsQuiet = false;
std::string ToolName;
const auto Begin = std::chrono::steady_clock::now();

/// -q for subcommands that have none of their own.
class QuietEverywhere {
public:
  QuietEverywhere() {
    for (cl::SubCommand *Command : cl::getRegisteredSubcommands())
      if (cl::getRegisteredOptions(*Command).count("q") == 0)
        add(*Command);
  }

private:
  void add(cl::SubCommand &To) {
    Flags.push_back(std::make_unique<cl::opt<bool>>(
        "q", cl::sub(To), cl::desc("print nothing but what is asked for, as without")));
    Names.push_back(std::make_unique<cl::alias>("quiet", cl::aliasopt(*Flags.back()),
                                                cl::desc("Alias for -q")));
  }

  std::vector<std::unique_ptr<cl::opt<bool>>> Flags;
  std::vector<std::unique_ptr<cl::alias>> Names;
};

/// Whether -q is given to the command that is called.
bool isQuiet() {
  const auto Commands = cl::getRegisteredSubcommands();
  return std::any_of(Commands.begin(), Commands.end(), [](cl::SubCommand *Command) {
    const cl::Option *Quiet = cl::getRegisteredOptions(*Command).lookup("q");
    return Quiet && Quiet->getNumOccurrences() > 0;
  });
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
  cl::opt<bool> Verbose("v", cl::desc("tell on standard error what is read, done and written"),
                        cl::sub(cl::SubCommand::getAll()));
  cl::alias LongVerbose("verbose", cl::aliasopt(Verbose), cl::desc("Alias for -v"));
  const QuietEverywhere Quiet;
  showOwnOptions(Own);
  if (Argc == 2 && std::strcmp(Argv[1], "-h") == 0) {
    llvm::outs() << Command.Brief;
    return ExitSuccess;
  }
  if (!parse(Argc, Argv, Command.Overview))
    return ExitUsage;
  IsVerbose = Verbose;
  IsQuiet = isQuiet();
  ToolName = llvm::sys::path::filename(Argv[0]).str();
  if (!Short)
    return std::nullopt;
  PrintVersion(llvm::outs());
  return ExitSuccess;
}

void support::tell(const std::string &What) {
  const std::chrono::duration<double> Since = std::chrono::steady_clock::now() - Begin;
  if (IsVerbose)
    llvm::errs() << ToolName << ": " << llvm::format("%.2f s: ", Since.count()) << What << '\n';
}

bool support::wantsProgress() { return !IsVerbose && !IsQuiet; }

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
