//===-- Options.cpp - the command line --------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "clang/Basic/Version.h"

#include <charconv>
#include <cstdio>
#include <cstring>
#include <getopt.h>

using namespace mapp;

static constexpr const char *HelpText =
    R"(usage: mapp-rewrite [options] file.c... [-- compiler arguments]

Decides for each static array of an OpenMP C program on which NUMA nodes its pages
belong, and writes the program that has MAi put them there.

Output, a diff without any of these:
  -o FILE             write the rewritten program to FILE (one input)
  -i                  rewrite the files themselves, keeping each as FILE.orig
  --out-dir DIR       write all files, with the headers that they include, to DIR, where they
                      lie as they lie to each other
  --fix-yaml FILE     write the changes for clang-apply-replacements
  --for-compiler DIR  write what changes to DIR under the files' numbers, lines counted as before;
                      files that do not parse are left out (for maicc)
  --check             write nothing; exit status 1 when something would change
  --revert            undo -i: put FILE.orig back
Report:
  --report text|json  json: on standard output, and no diff there
  --sarif FILE        the report as SARIF, too
  --explain ARRAY     all that is known about an array, instead of the diff; may be repeated
  --describe MAPPnnn  what a numbered message means; `all` prints a page of all
  -q, --quiet         no report
Analysis:
  -p DIR              take compiler arguments from DIR/compile_commands.json;
                      without files: all its C sources
  --extra-arg ARG     one more compiler argument; may be repeated
  --mode MODE         in-place (default): arrays keep their type and MAi takes their
                      storage over; heap: pointers to memory from MAi
  --machine M         any (default), host, or a file that `numarch --json` has written
  --suggest-init      instead of placing arrays, insert parallel loops in which each thread touches
                      first what it uses, where a simple loop can do that
  --profile FILE      what mai-trace has counted in a run of the program decides where it shows that
                      estimates are wrong
  --min-bytes N       leave arrays smaller than N bytes alone (default 4096)
  --no-heap-blocks    place no blocks of malloc() and its like
  --strict            exit status 2 when an array should be placed and cannot be
  -j N                parse N files at a time (default: the number of CPUs)
  -h, --help          this text
  -V, --version       the version

Exit status: 0 success, also when there is nothing to do; 1 --check: there is; 2 wrong usage, or
--strict; 3 error, nothing was written.
)";

namespace {

/// Says what is wrong with the usage.
ParsedCommandLine usageError(const std::string &Message) {
  std::fprintf(stderr, "mapp-rewrite: %s\nTry 'mapp-rewrite --help'.\n", Message.c_str());
  return {{}, ExitUsage};
}

std::optional<uint64_t> parseNumber(const char *Text) {
  uint64_t Value = 0;
  const char *End = Text + std::strlen(Text);
  const auto [Rest, Error] = std::from_chars(Text, End, Value);
  return Error == std::errc() && Rest == End && Rest != Text ? std::optional(Value) : std::nullopt;
}

std::optional<Mode> parseMode(const std::string &Text) {
  if (Text == "in-place")
    return Mode::InPlace;
  if (Text == "heap")
    return Mode::Heap;
  return std::nullopt;
}

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
    std::fputs(descriptionPage().c_str(), stdout);
    return {{}, ExitSuccess};
  }
  const std::optional<Topic> Number = diagnosticOf(Label);
  if (!Number)
    return usageError("there is no message " + Label + "; --describe all prints all");
  std::fputs(description(infoOf(*Number)).c_str(), stdout);
  return {{}, ExitSuccess};
}

ParsedCommandLine check(Options Opts) {
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
  enum {
    ExtraArgument = 256,
    ModeOption,
    MinBytes,
    OutDir,
    FixYaml,
    ForCompiler,
    Check,
    Revert,
    Report,
    Sarif,
    Explain,
    Describe,
    MachineOption,
    ProfileOption,
    SuggestInit,
    NoHeapBlocks,
    Strict
  };
  static const option Long[] = {{"extra-arg", required_argument, nullptr, ExtraArgument},
                                {"mode", required_argument, nullptr, ModeOption},
                                {"min-bytes", required_argument, nullptr, MinBytes},
                                {"out-dir", required_argument, nullptr, OutDir},
                                {"fix-yaml", required_argument, nullptr, FixYaml},
                                {"for-compiler", required_argument, nullptr, ForCompiler},
                                {"check", no_argument, nullptr, Check},
                                {"revert", no_argument, nullptr, Revert},
                                {"report", required_argument, nullptr, Report},
                                {"sarif", required_argument, nullptr, Sarif},
                                {"explain", required_argument, nullptr, Explain},
                                {"describe", required_argument, nullptr, Describe},
                                {"machine", required_argument, nullptr, MachineOption},
                                {"profile", required_argument, nullptr, ProfileOption},
                                {"suggest-init", no_argument, nullptr, SuggestInit},
                                {"no-heap-blocks", no_argument, nullptr, NoHeapBlocks},
                                {"strict", no_argument, nullptr, Strict},
                                {"quiet", no_argument, nullptr, 'q'},
                                {"help", no_argument, nullptr, 'h'},
                                {"version", no_argument, nullptr, 'V'},
                                {nullptr, 0, nullptr, 0}};
  Options Opts;
  const int Own = cutCompilerArguments(Argc, Argv, Opts);
  for (int Letter = 0; (Letter = getopt_long(Own, Argv, "o:ip:j:qhV", Long, nullptr)) != -1;) {
    switch (Letter) {
    case 'o':
      Opts.Output = optarg;
      break;
    case 'i':
      Opts.InPlace = true;
      break;
    case 'p':
      Opts.BuildDirectory = optarg;
      break;
    case 'j':
      if (const std::optional<uint64_t> Jobs = parseNumber(optarg); Jobs && *Jobs <= 1024)
        Opts.Jobs = static_cast<unsigned>(*Jobs);
      else
        return usageError(std::string("-j takes a number up to 1024, not ") + optarg);
      break;
    case OutDir:
      Opts.OutputDirectory = optarg;
      break;
    case FixYaml:
      Opts.FixFile = optarg;
      break;
    case ForCompiler:
      Opts.CompilerDirectory = optarg;
      break;
    case Check:
      Opts.Check = true;
      break;
    case Revert:
      Opts.Revert = true;
      break;
    case Report:
      if (std::strcmp(optarg, "json") != 0 && std::strcmp(optarg, "text") != 0)
        return usageError(std::string("--report is text or json, not ") + optarg);
      Opts.Json = std::strcmp(optarg, "json") == 0;
      break;
    case Sarif:
      Opts.SarifFile = optarg;
      break;
    case Explain:
      Opts.Explained.emplace_back(optarg);
      break;
    case Describe:
      return describeMessage(optarg);
    case MachineOption:
      Opts.MachineName = optarg;
      break;
    case ProfileOption:
      if (!Opts.ProfileFile.empty())
        return usageError("--profile is given twice; one profile guides the choice");
      Opts.ProfileFile = optarg;
      if (Opts.ProfileFile.empty())
        return usageError("--profile takes the name of a file");
      break;
    case SuggestInit:
      Opts.SuggestInit = true;
      break;
    case NoHeapBlocks:
      Opts.HeapBlocks = false;
      break;
    case Strict:
      Opts.Strict = true;
      break;
    case 'q':
      Opts.Quiet = true;
      break;
    case 'h':
      std::fputs(HelpText, stdout);
      return {{}, ExitSuccess};
    case 'V':
      std::printf("mapp-rewrite %s (Clang %s)\n", MINAS_VERSION, CLANG_VERSION_STRING);
      return {{}, ExitSuccess};
    case ExtraArgument:
      Opts.ExtraArguments.emplace_back(optarg);
      break;
    case ModeOption:
      if (const std::optional<Mode> M = parseMode(optarg))
        Opts.RewriteMode = *M;
      else
        return usageError(std::string("--mode is in-place or heap, not ") + optarg);
      break;
    case MinBytes:
      if (const std::optional<uint64_t> Bytes = parseNumber(optarg))
        Opts.MinBytes = *Bytes;
      else
        return usageError(std::string("--min-bytes takes a number, not ") + optarg);
      break;
    default: // getopt_long() has said what is wrong.
      std::fputs("Try 'mapp-rewrite --help'.\n", stderr);
      return {{}, ExitUsage};
    }
  }
  Opts.Files.assign(Argv + optind, Argv + Own);
  return check(std::move(Opts));
}
