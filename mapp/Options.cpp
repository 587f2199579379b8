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
belong, and writes the program that has MAi put them there. Prints a unified diff.

  -o FILE             write the rewritten program to FILE (one input)
  -i                  rewrite the files themselves, keeping each as FILE.orig
  -p DIR              take compiler arguments from DIR/compile_commands.json;
                      without files: all its C sources
  --extra-arg ARG     one more compiler argument; may be repeated
  --mode MODE         in-place (default): arrays keep their type and MAi takes their
                      storage over; heap: pointers to memory from MAi
  --min-bytes N       leave arrays smaller than N bytes alone (default 4096)
  -q, --quiet         no report on standard error
  -h, --help          this text
  -V, --version       the version

Exit status: 0 success, also when there is nothing to do; 2 wrong usage; 3 error,
nothing was written.
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

ParsedCommandLine check(Options Opts) {
  if (Opts.Files.empty() && Opts.BuildDirectory.empty())
    return usageError("no input files");
  if (!Opts.Output.empty() && Opts.InPlace)
    return usageError("-o and -i exclude each other");
  if (!Opts.Output.empty() && Opts.Files.size() != 1)
    return usageError("-o takes one input file; use -i for several");
  if (Opts.HasCompilerArguments && !Opts.BuildDirectory.empty())
    return usageError("-p and -- exclude each other; use --extra-arg");
  return {std::move(Opts), std::nullopt};
}

} // namespace

ParsedCommandLine mapp::parseCommandLine(int Argc, char **Argv) {
  enum { ExtraArgument = 256, ModeOption, MinBytes };
  static const option Long[] = {{"extra-arg", required_argument, nullptr, ExtraArgument},
                                {"mode", required_argument, nullptr, ModeOption},
                                {"min-bytes", required_argument, nullptr, MinBytes},
                                {"quiet", no_argument, nullptr, 'q'},
                                {"help", no_argument, nullptr, 'h'},
                                {"version", no_argument, nullptr, 'V'},
                                {nullptr, 0, nullptr, 0}};
  Options Opts;
  const int Own = cutCompilerArguments(Argc, Argv, Opts);
  for (int Letter = 0; (Letter = getopt_long(Own, Argv, "o:ip:qhV", Long, nullptr)) != -1;) {
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
