//===-- main.cpp - mai-trace ------------------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Runs a program that maicc --trace built and has its profile written, shows what is in profiles,
// and judges it. What each step needs:
//
//   run     Run.h: the program and its build (Build.h), source positions (Places.h)
//   info    Profile.h, Analysis.h: who used what
//   export  Analysis.h: the sharing matrix; Figures.h: as a picture
//   report  Problems.h: what is wrong; Report.h
//
//===----------------------------------------------------------------------===//

#include "Figures.h"
#include "Report.h"
#include "Run.h"
#include "Tool.h"

#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>
#include <getopt.h>
#include <new>
#include <string_view>

using namespace maiprof;

namespace {

constexpr const char *HelpText =
    R"(usage: mai-trace [run] [options] PROGRAM [ARGUMENT...]
       mai-trace info [--json|--csv] [--nodes N] [--stack] FILE
       mai-trace export [--csv|--json|--svg|--png|--blocks] [options] FILE
       mai-trace report [--html|--json] [options] FILE

run: run a program built by maicc --trace and write its profile.
  -o, --output FILE  the profile (default: PROGRAM.maiprof in this directory)
  --phases           count each parallel region by itself
  --sample N         count one of N accesses
  --cache SIZE       count only misses of a cache of this size, for each thread
  --line SIZE        bytes of a cache line (default: the machine's)
  --memory SIZE      bytes for counters (default: a quarter of the machine's); when
                     they are used up, counting goes on by pages
  --block SIZE       know allocations by their place from this size on (default: 4K)
  --force            run what was not built as it should be, too
  -q, --quiet        do not say what was written

info: print what a profile has of threads and arrays.
export: print the sharing matrix. --metric memory (default for none: accesses), accesses
  or min; --writers: only lines that one of the pair writes; --phase N.
report: sharing, the three problems of NUMA programs, arrays and their pages.

  --nodes N          imagine N nodes: threads dealt in blocks, each page on the node of
                     the thread that touched it first
  --all-threads      not only OpenMP's threads
  --stack            also what each thread does to its own stack
  -o, --output FILE  write there (default: standard output)
  -h, --help         this text
  -V, --version      the version

Exit status: run: the program's; otherwise 0 success, 1 error, 2 wrong usage.
)";

enum OptionCode {
  OptAllThreads = 256,
  OptBlock,
  OptBlocks,
  OptCache,
  OptCsv,
  OptForce,
  OptHtml,
  OptJson,
  OptLine,
  OptMemory,
  OptMetric,
  OptNodes,
  OptPhase,
  OptPhases,
  OptPng,
  OptSample,
  OptStack,
  OptSvg,
  OptWriters
};

const option LongOptions[] = {
    {"all-threads", no_argument, nullptr, OptAllThreads},
    {"block", required_argument, nullptr, OptBlock},
    {"blocks", no_argument, nullptr, OptBlocks},
    {"cache", required_argument, nullptr, OptCache},
    {"csv", no_argument, nullptr, OptCsv},
    {"force", no_argument, nullptr, OptForce},
    {"help", no_argument, nullptr, 'h'},
    {"html", no_argument, nullptr, OptHtml},
    {"json", no_argument, nullptr, OptJson},
    {"line", required_argument, nullptr, OptLine},
    {"memory", required_argument, nullptr, OptMemory},
    {"metric", required_argument, nullptr, OptMetric},
    {"nodes", required_argument, nullptr, OptNodes},
    {"output", required_argument, nullptr, 'o'},
    {"phase", required_argument, nullptr, OptPhase},
    {"phases", no_argument, nullptr, OptPhases},
    {"png", no_argument, nullptr, OptPng},
    {"quiet", no_argument, nullptr, 'q'},
    {"sample", required_argument, nullptr, OptSample},
    {"stack", no_argument, nullptr, OptStack},
    {"svg", no_argument, nullptr, OptSvg},
    {"version", no_argument, nullptr, 'V'},
    {"writers", no_argument, nullptr, OptWriters},
    {nullptr, 0, nullptr, 0},
};

enum class Verb { Run, Info, Export, Report };

struct Options {
  Verb What = Verb::Run;
  int Format = 0; ///< the OptionCode of one; 0: text
  std::string Output;
  std::string Metric = "accesses";
  SharingOptions Shared;
  uint32_t Nodes = 0;
  bool Stack = false;
  RunOptions Run;
  std::string File;
};

constexpr uint64_t NodesMax = 1024;

int misuse(const std::string &Message) {
  std::fprintf(stderr, "mai-trace: %s\nTry 'mai-trace --help'.\n", Message.c_str());
  return ExitUsage;
}

/// A number such as 4096, 32K or 8M.
std::optional<uint64_t> parseSize(const char *Text) {
  uint64_t Value = 0;
  const char *End = Text + std::strlen(Text);
  const auto [Rest, Error] = std::from_chars(Text, End, Value);
  if (Error != std::errc())
    return std::nullopt;
  constexpr std::string_view Suffixes = "KMGT";
  const size_t Found =
      *Rest ? Suffixes.find(static_cast<char>(std::toupper(*Rest))) : std::string_view::npos;
  const bool Suffix = Found != std::string_view::npos;
  const unsigned Bits = Suffix ? 10 * unsigned(Found + 1) : 0;
  if (Rest + (Suffix ? 1 : 0) != End || Value > UINT64_MAX >> Bits)
    return std::nullopt;
  return Value << Bits;
}

std::string sizeError(const char *Name, const char *Text) {
  return std::string("--") + Name + ": expected a number such as 64 or 32K, found '" + Text + "'";
}

/// An option that the library reads from its environment. \returns what is wrong with it
std::string passOn(Options &Opts, const char *Name, const char *Variable, uint64_t Min) {
  const std::optional<uint64_t> Value = parseSize(optarg);
  if (!Value)
    return sizeError(Name, optarg);
  if (*Value < Min)
    return std::string("--") + Name + ": expected at least " + std::to_string(Min) + ", found " +
           optarg;
  if (std::strcmp(Name, "line") == 0 && ((*Value & (*Value - 1)) != 0 || *Value > 4096))
    return std::string("--line: expected a power of 2 from 64 to 4096, found ") + optarg;
  Opts.Run.Environment.emplace_back(Variable, std::to_string(*Value));
  return "";
}

/// Which verbs an option goes with.
bool fits(int Code, Verb What) {
  switch (Code) {
  case 'o':
    return true;
  case 'q':
  case OptPhases:
  case OptSample:
  case OptCache:
  case OptLine:
  case OptMemory:
  case OptBlock:
  case OptForce:
    return What == Verb::Run;
  case OptJson:
  case OptStack:
    return What != Verb::Run;
  case OptCsv:
    return What == Verb::Info || What == Verb::Export;
  case OptNodes:
    return What == Verb::Info || What == Verb::Report;
  case OptHtml:
    return What == Verb::Report;
  case OptSvg:
  case OptPng:
  case OptBlocks:
  case OptMetric:
    return What == Verb::Export;
  default:
    return What == Verb::Export || What == Verb::Report;
  }
}

std::string apply(Options &Opts, int Code) {
  std::optional<uint64_t> Number;
  switch (Code) {
  case 'o':
    Opts.Output = Opts.Run.Output = optarg;
    return "";
  case 'q':
    Opts.Run.Quiet = true;
    return "";
  case OptForce:
    Opts.Run.Force = true;
    return "";
  case OptPhases:
    Opts.Run.Environment.emplace_back("MAI_TRACE_PHASES", "1");
    return "";
  case OptSample:
    return passOn(Opts, "sample", "MAI_TRACE_SAMPLE", 1);
  case OptCache:
    return passOn(Opts, "cache", "MAI_TRACE_CACHE", 512);
  case OptLine:
    return passOn(Opts, "line", "MAI_TRACE_LINE", 64);
  case OptMemory:
    return passOn(Opts, "memory", "MAI_TRACE_MEMORY", 0);
  case OptBlock:
    return passOn(Opts, "block", "MAI_TRACE_BLOCK", 1);
  case OptMetric:
    Opts.Metric = optarg;
    return Opts.Metric == "memory" || Opts.Metric == "accesses" || Opts.Metric == "min"
               ? ""
               : "--metric: expected memory, accesses or min, found '" + Opts.Metric + "'";
  case OptWriters:
    Opts.Shared.Writers = true;
    return "";
  case OptAllThreads:
    Opts.Shared.AllThreads = true;
    return "";
  case OptStack:
    Opts.Stack = true;
    return "";
  case OptPhase:
    Number = parseSize(optarg);
    if (!Number || *Number >= None)
      return sizeError("phase", optarg);
    Opts.Shared.Phase = static_cast<uint32_t>(*Number);
    return "";
  case OptNodes:
    Number = parseSize(optarg);
    if (!Number || *Number == 0 || *Number > NodesMax)
      return std::string("--nodes: expected a number from 1 to 1024, found '") + optarg + "'";
    Opts.Nodes = static_cast<uint32_t>(*Number);
    return "";
  default:
    if (Opts.Format)
      return "expected one of --json, --csv, --html, --svg, --png and --blocks, found two";
    Opts.Format = Code;
    return "";
  }
}

std::optional<Verb> verbOf(const char *Word) {
  static constexpr std::pair<const char *, Verb> Verbs[] = {
      {"run", Verb::Run}, {"info", Verb::Info}, {"export", Verb::Export}, {"report", Verb::Report}};
  for (const auto &[Name, What] : Verbs)
    if (std::strcmp(Word, Name) == 0)
      return What;
  return std::nullopt;
}

int write(const Options &Opts, const std::string &Text) {
  if (Text.empty()) {
    std::fputs("mai-trace: out of memory\n", stderr);
    return ExitError;
  }
  if (!Opts.Output.empty()) {
    if (writeWhole(Opts.Output, Text))
      return 0;
    std::fprintf(stderr, "mai-trace: %s: %s\n", Opts.Output.c_str(), std::strerror(errno));
    return ExitError;
  }
  const bool Written = std::fwrite(Text.data(), 1, Text.size(), stdout) == Text.size();
  if (std::fflush(stdout) == 0 && Written)
    return 0;
  std::fputs("mai-trace: cannot write to standard output\n", stderr);
  return ExitError;
}

int exportMatrix(const Options &Opts, const Profile &P) {
  const Sharing S = sharing(P, Opts.Shared);
  const Matrix &M = Opts.Metric == "memory" ? S.Memory
                    : Opts.Metric == "min"  ? S.Smaller
                                            : S.Accesses;
  switch (Opts.Format) {
  case OptJson:
    return write(Opts, sharingJson(P, S, Opts.Shared));
  case OptSvg:
    return write(Opts, svg(M, Opts.Metric == "memory" ? "bytes" : "accesses"));
  case OptPng:
    return write(Opts, png(M));
  case OptBlocks:
    return write(Opts, blocks(M));
  default:
    return write(Opts, matrixCsv(M));
  }
}

int show(const Options &Opts) {
  std::string Error;
  std::optional<Profile> P = load(Opts.File, Error);
  if (!P) {
    std::fprintf(stderr, "mai-trace: %s\n", Error.c_str());
    return ExitError;
  }
  if (Opts.Shared.Phase != None && Opts.Shared.Phase > P->Phases.size()) {
    std::fprintf(stderr, "mai-trace: %s: has phases 0 to %zu, not %u%s\n", Opts.File.c_str(),
                 P->Phases.size(), Opts.Shared.Phase,
                 P->HasPhases ? "" : " (mai-trace --phases counts them)");
    return ExitError;
  }
  if (P->Threads.empty()) {
    std::fprintf(stderr, "mai-trace: %s: nothing was counted\n", Opts.File.c_str());
    return ExitError;
  }
  if (!Opts.Stack)
    leaveOutOwnStacks(*P);
  if (Opts.What == Verb::Export)
    return exportMatrix(Opts, *P);
  const Usage U = usage(*P, Opts.Nodes ? imagine(*P, Opts.Nodes) : layoutOf(*P));
  if (Opts.What == Verb::Info)
    return write(Opts, Opts.Format == OptJson  ? infoJson(*P, U)
                       : Opts.Format == OptCsv ? infoCsv(U)
                                               : infoText(*P, U));
  return write(Opts, Opts.Format == OptJson   ? reportJson(*P, U, Opts.Shared)
                     : Opts.Format == OptHtml ? reportHtml(*P, U, Opts.Shared)
                                              : reportText(*P, U, Opts.Shared));
}

int parseAndRun(int Argc, char **Argv) {
  Options Opts;
  const std::optional<Verb> Named = Argc > 1 ? verbOf(Argv[1]) : std::nullopt;
  if (Named) {
    Opts.What = *Named;
    Argv[1] = Argv[0];
    ++Argv;
    --Argc;
  }
  int Code = 0;
  /* What follows the program is the program's. */
  const char *Short = Opts.What == Verb::Run ? "+o:qhV" : "o:qhV";
  while ((Code = getopt_long(Argc, Argv, Short, LongOptions, nullptr)) != -1) {
    if (Code == '?')
      return misuse("wrong option");
    if (Code == 'h')
      return write(Opts, HelpText);
    if (Code == 'V')
      return write(Opts, "mai-trace (Minas) " MINAS_VERSION "\n");
    if (!fits(Code, Opts.What))
      return misuse(std::string("an option does not go with ") +
                    (Named ? "this command" : "running a program"));
    const std::string Error = apply(Opts, Code);
    if (!Error.empty())
      return misuse(Error);
  }
  if (optind == Argc)
    return misuse(Opts.What == Verb::Run ? "expected a program" : "expected a profile");
  if (Opts.What == Verb::Run) {
    Opts.Run.Command.assign(Argv + optind, Argv + Argc);
    return runTraced(Opts.Run);
  }
  if (optind + 1 < Argc)
    return misuse(std::string("unexpected argument '") + Argv[optind + 1] + "'");
  Opts.File = Argv[optind];
  return show(Opts);
}

} // namespace

int main(int Argc, char **Argv) {
  try {
    return parseAndRun(Argc, Argv);
  } catch (const std::bad_alloc &) {
    std::fputs("mai-trace: out of memory\n", stderr);
  } catch (const std::exception &Error) {
    std::fprintf(stderr, "mai-trace: %s\n", Error.what());
  }
  return ExitError;
}
