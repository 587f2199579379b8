//===-- Options.cpp - the command line --------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "support/Options.h"

#include "clang/Basic/Version.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace mapp;
namespace cl = llvm::cl;

namespace {

constexpr const char *Brief = R"(usage: mapp-rewrite [options] file.c... [-- compiler arguments]
Decides for each static array of an OpenMP C program on which NUMA nodes its pages belong, and
for blocks of malloc(), and writes the program that has MAi put them there.

  (neither -o nor -i)  a diff and a report: what would change, and why
  -o FILE              write the rewritten program there (one input)
  -i                   rewrite the files themselves, keeping each as FILE.orig; --revert: undo
  --check              write nothing; exit status 1 when something would change
  --explain=ARRAY      all that is known about an array
  --profile=FILE       what mai-trace has counted corrects what is estimated
  --json               for programs; --sarif=FILE: for editors and services
  -p DIR               compiler arguments from compile_commands.json there
  -q, --quiet          no report; -v, --verbose: tell what is read, done and written
  --help, --version    all options; the version

Examples:
  mapp-rewrite foo.c
  mapp-rewrite -o foo.mai.c foo.c && gcc -O3 -fopenmp foo.mai.c -o foo -lmai
  mapp-rewrite --explain=u foo.c -- -DN=1000

Exit status: 0 success, 1 --check: would change, --strict: an array was refused, 2 usage,
3 input. See also mapp-rewrite(1), minas(7).
)";

ParsedCommandLine usageError(const std::string &Message) {
  return {{}, support::usageError("mapp-rewrite", Message)};
}

enum class ReportForm { Text, Json };

/// The options and where they are kept.
struct CommandLine {
  Options Opts;

  cl::OptionCategory Writing{"Output", "A diff without any of these."};
  cl::opt<std::string, true> Output{
      "o",
      cl::location(Opts.Output),
      cl::Prefix,
      cl::cat(Writing),
      cl::value_desc("file"),
      cl::desc("write the rewritten program to the file (one input)")};
  cl::opt<bool, true> InPlace{"i", cl::location(Opts.InPlace), cl::Grouping, cl::cat(Writing),
                              cl::desc("rewrite the files themselves, keeping each as FILE.orig")};
  cl::opt<std::string, true> OutputDirectory{
      "out-dir", cl::location(Opts.OutputDirectory), cl::cat(Writing), cl::value_desc("dir"),
      cl::desc(
          "write all files, with the headers that they include, to a directory, where they lie "
          "as they lie to each other")};
  cl::opt<std::string, true> FixFile{"fix-yaml", cl::location(Opts.FixFile), cl::cat(Writing),
                                     cl::value_desc("file"),
                                     cl::desc("write the changes for clang-apply-replacements")};
  cl::opt<std::string, true> CompilerDirectory{
      "for-compiler", cl::location(Opts.CompilerDirectory), cl::cat(Writing), cl::value_desc("dir"),
      cl::desc("write what changes to a directory under the files' numbers, lines counted as "
               "before; files that do not parse are left out (for maicc)")};
  cl::opt<bool, true> Check{"check", cl::location(Opts.Check), cl::cat(Writing),
                            cl::desc("write nothing; exit status 1 when something would change")};
  cl::opt<bool, true> Revert{"revert", cl::location(Opts.Revert), cl::cat(Writing),
                             cl::desc("undo -i, keeping what was changed since")};

  cl::OptionCategory Reporting{"Report"};
  cl::opt<ReportForm> Report{
      "report", cl::cat(Reporting), cl::desc("form of the report"),
      cl::values(clEnumValN(ReportForm::Text, "text", "for people (default)"),
                 clEnumValN(ReportForm::Json, "json", "on standard output, and no diff there"))};
  cl::opt<bool> AsJson{"json", cl::cat(Reporting), cl::desc("the same as --report=json")};
  cl::opt<std::string, true> SarifFile{"sarif", cl::location(Opts.SarifFile), cl::cat(Reporting),
                                       cl::value_desc("file"),
                                       cl::desc("the report as SARIF, too")};
  cl::list<std::string> Explained{
      "explain", cl::cat(Reporting), cl::value_desc("array"),
      cl::desc("all that is known about an array, instead of the diff; may be repeated")};
  cl::opt<std::string> Described{
      "describe", cl::cat(Reporting), cl::value_desc("MAPPnnn"),
      cl::desc("what a numbered message means; all: a page of all messages")};
  cl::opt<bool, true> Quiet{"q", cl::location(Opts.Quiet), cl::Grouping, cl::cat(Reporting),
                            cl::desc("no report")};
  cl::alias LongQuiet{"quiet", cl::aliasopt(Quiet), cl::desc("Alias for -q")};

  cl::OptionCategory Analysing{"Analysis"};
  cl::opt<std::string, true> BuildDirectory{
      "p",
      cl::location(Opts.BuildDirectory),
      cl::Prefix,
      cl::cat(Analysing),
      cl::value_desc("dir"),
      cl::desc("take compiler arguments from compile_commands.json there; without files: all its C "
               "sources")};
  cl::list<std::string> ExtraArguments{"extra-arg", cl::cat(Analysing), cl::value_desc("argument"),
                                       cl::desc("one more compiler argument; may be repeated")};
  cl::opt<Mode, true> RewriteMode{
      "mode", cl::location(Opts.RewriteMode), cl::cat(Analysing), cl::desc("what arrays become"),
      cl::values(clEnumValN(Mode::InPlace, "in-place",
                            "they keep their type and MAi takes their storage over (default)"),
                 clEnumValN(Mode::Heap, "heap", "pointers to memory from MAi"))};
  cl::opt<std::string, true> MachineName{
      "machine", cl::location(Opts.MachineName), cl::cat(Analysing), cl::value_desc("machine"),
      cl::desc("any (default), host, or a file that `numarch --json` has written")};
  cl::opt<bool, true> SuggestInit{
      "suggest-init", cl::location(Opts.SuggestInit), cl::cat(Analysing),
      cl::desc(
          "instead of placing arrays, insert parallel loops in which each thread touches first "
          "what it uses, where a simple loop can do that")};
  cl::opt<std::string, true> ProfileFile{
      "profile", cl::location(Opts.ProfileFile), cl::cat(Analysing), cl::value_desc("file"),
      cl::desc("what mai-trace has counted in a run of the program decides where it shows that "
               "estimates are wrong")};
  support::Size MinBytes{"min-bytes", cl::cat(Analysing), cl::value_desc("n"),
                         cl::desc("leave arrays smaller than n bytes alone (default 4096)")};
  cl::opt<bool> NoHeapBlocks{"no-heap-blocks", cl::cat(Analysing),
                             cl::desc("place no blocks of malloc() and its like")};
  cl::opt<bool, true> Strict{
      "strict", cl::location(Opts.Strict), cl::cat(Analysing),
      cl::desc("exit status 1 when an array should be placed and cannot be")};
  cl::opt<unsigned, true> Jobs{"j",
                               cl::location(Opts.Jobs),
                               cl::Prefix,
                               cl::cat(Analysing),
                               cl::value_desc("n"),
                               cl::desc("parse n files at a time (default: the number of CPUs)")};

  cl::list<std::string> Files{cl::Positional, cl::desc("file.c... [-- compiler arguments]")};

  /// What is kept in another form.
  Options options() {
    Opts.Files.assign(Files.begin(), Files.end());
    Opts.Explained.assign(Explained.begin(), Explained.end());
    Opts.ExtraArguments.assign(ExtraArguments.begin(), ExtraArguments.end());
    Opts.Json = AsJson || Report == ReportForm::Json;
    Opts.HeapBlocks = !NoHeapBlocks;
    if (MinBytes.getNumOccurrences() > 0)
      Opts.MinBytes = MinBytes;
    return Opts;
  }
};

/// Takes `-- arguments...` off the end of the command line.
int cutCompilerArguments(int Argc, char **Argv, Options &Opts) {
  for (int I = 1; I < Argc; ++I)
    if (std::strcmp(Argv[I], "--") == 0) {
      Opts.HasCompilerArguments = true;
      Opts.CompilerArguments.assign(Argv + I + 1, Argv + Argc);
      return I;
    }
  return Argc;
}

/// Prints what a numbered message means, or all of them.
ParsedCommandLine describeMessage(const std::string &Label) {
  if (Label == "all") {
    llvm::outs() << descriptionPage();
    return {{}, ExitSuccess};
  }
  const std::optional<Topic> Number = diagnosticOf(Label);
  if (!Number)
    return usageError("there is no message " + Label + "; --describe all prints all");
  llvm::outs() << description(infoOf(*Number));
  return {{}, ExitSuccess};
}

ParsedCommandLine check(CommandLine &Line) {
  constexpr unsigned MostJobs = 1024;
  Options Opts = Line.options();
  if (Line.ProfileFile.getNumOccurrences() > 1)
    return usageError("--profile is given twice; one profile guides the choice");
  if (Line.ProfileFile.getNumOccurrences() > 0 && Opts.ProfileFile.empty())
    return usageError("--profile takes the name of a file");
  if (Opts.Jobs > MostJobs)
    return usageError("-j takes a number up to 1024, not " + std::to_string(Opts.Jobs));
  if (Opts.Files.empty() && Opts.BuildDirectory.empty())
    return usageError("no input files");
  const int Outputs = !Opts.Output.empty() + Opts.InPlace + !Opts.OutputDirectory.empty() +
                      !Opts.FixFile.empty() + !Opts.CompilerDirectory.empty() + Opts.Check +
                      Opts.Revert;
  if (Outputs > 1)
    return usageError("-o, -i, --out-dir, --fix-yaml, --for-compiler, --check and --revert exclude "
                      "each other");
  if (!Opts.Output.empty() && Opts.Files.size() != 1)
    return usageError("-o takes one input file; use -i for several");
  if (Opts.SuggestInit && Opts.RewriteMode == Mode::Heap)
    return usageError(
        "--suggest-init and --mode=heap exclude each other: first touch is for arrays "
        "that stay where they are");
  if (Opts.HasCompilerArguments && !Opts.BuildDirectory.empty())
    return usageError("-p and -- exclude each other; use --extra-arg");
  return {std::move(Opts), std::nullopt};
}

} // namespace

ParsedCommandLine mapp::parseCommandLine(int Argc, char **Argv) {
  support::forgetOptions();
  CommandLine Line;
  const int Own = cutCompilerArguments(Argc, Argv, Line.Opts);
  const std::optional<int> Exit = support::parseOptions(
      Own, Argv,
      {"Decides for each static array of an OpenMP C program on which NUMA nodes its pages "
       "belong,\n"
       "and writes the program that has MAi put them there.\n\n"
       "Exit status: 0 success, also when there is nothing to do; 1 --check: there is,\n"
       "or --strict: an array was refused; 2 wrong usage; 3 error, nothing was written.\n",
       Brief, "mapp-rewrite (Minas) " MINAS_VERSION ", Clang " CLANG_VERSION_STRING});
  if (Exit)
    return {{}, Exit};
  return Line.Described.empty() ? check(Line) : describeMessage(Line.Described);
}
