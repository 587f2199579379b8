//===-- Frontend.h - runs Clang on a file -----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Finds each file's compiler arguments, makes them acceptable to Clang (programs are written for
// gcc as often), and parses.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_FRONTEND_H
#define MAPP_FRONTEND_H

#include "mapp/facts/Facts.h"

#include "clang/Tooling/CompilationDatabase.h"

#include <memory>
#include <set>

namespace clang {
class DiagnosticConsumer;
}

namespace llvm {
class raw_ostream;
}

namespace mapp {

/// What the command line says of the sources.
struct FrontendOptions {
  std::vector<std::string> Files;
  std::string BuildDirectory;                 ///< -p: holds compile_commands.json
  std::vector<std::string> CompilerArguments; ///< after `--`
  std::vector<std::string> ExtraArguments;    ///< --extra-arg
  Mode RewriteMode = Mode::InPlace;
};

class Frontend {
public:
  explicit Frontend(const FrontendOptions &CommandLine) : Opts(CommandLine) {}

  /// Reads the compilation database, if one is named. False after a message when that fails.
  bool open();

  /// The files to work on, each once: those given, or all of the database.
  std::vector<std::string> files() const;

  /// Parses a file and fills in its facts: all but Unit and GivenBack. May be called by several
  /// threads.
  /// @param Messages receives Clang's messages; null: they go to standard error
  /// @return false when the file does not parse
  bool analyse(const std::string &File, Facts &Out, std::string *Messages) const;

  /// What of a text has to be parsed when the rest is as in one that was parsed before.
  struct Part {
    std::set<std::string> Bodies; ///< functions in which something differs
    size_t End = 0;               ///< offset from which on nothing differs
  };

  /// Parses `Text` in the place of a file that was analysed before.
  /// @param Only what differs; null: parse all
  /// @param Placed receives the arrays that the text places
  /// @return the first error, or empty
  std::string reparse(const Facts &Original, const std::string &Text, const Part *Only,
                      std::vector<PlacedArray> &Placed) const;

  struct Request;

private:
  /// @param Diagnostics who gets Clang's messages; null: standard error
  /// @param Stream the same for ours
  bool parse(const Facts &File, Request &Wanted, clang::DiagnosticConsumer *Diagnostics,
             llvm::raw_ostream &Stream) const;
  clang::tooling::CompileCommand commandFor(const std::string &Path) const;

  const FrontendOptions &Opts;
  std::unique_ptr<clang::tooling::CompilationDatabase> Database;
};

} // namespace mapp

#endif // MAPP_FRONTEND_H
