//===-- Options.cpp - the command line of mai-map ---------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Options.h"

#include <charconv>
#include <cstdio>
#include <cstring>
#include <getopt.h>

using namespace threadmap;

static constexpr const char *HelpText =
    R"(usage: mai-map [options] FILE

Decides which CPU each thread of a program runs on, from how much the threads share,
and writes the map file that MAI_MAP_FILE names. FILE is a profile of mai-trace or a
sharing matrix as text, one line a thread; - is standard input.

  -o FILE             write the map to FILE and the costs to standard output;
                      without, the map to standard output
  --metric METRIC     what a profile's threads share: accesses (default) or memory
  --writers           of a profile, only lines that one of the two threads writes
  --topology MACHINE  map for this machine: a file of hwloc's XML, arities such as
                      4x8x2 (packages x cores x CPUs of a core), or hwloc's synthetic
                      description
  --whole             map for all of the machine that this runs on, not only for what
                      this process may use
  --algorithm NAME    refine (default), matching, greedy or scotch
  --worst             the dearest map in place of the cheapest, as a control
  --seed N            another start for what is decided at random (default 1)
  -q, --quiet         no costs
  -h, --help          this text
  -V, --version       the version

Exit status: 0 success; 2 wrong usage; 3 error, nothing was written.
)";

namespace {

ParsedCommandLine usageError(const std::string &Message) {
  std::fprintf(stderr, "mai-map: %s\nTry 'mai-map --help'.\n", Message.c_str());
  return {{}, ExitUsage};
}

std::optional<uint64_t> parseNumber(const char *Text) {
  uint64_t Value = 0;
  const char *End = Text + std::strlen(Text);
  const auto [Rest, Error] = std::from_chars(Text, End, Value);
  return Error == std::errc() && Rest == End ? std::optional(Value) : std::nullopt;
}

ParsedCommandLine check(Options Opts, int Files, const char *Second) {
  if (Files == 0)
    return usageError("no input file");
  if (Files > 1)
    return usageError(std::string("unexpected argument '") + Second + "'; there is one input");
  if (Opts.Topology && Opts.Whole)
    return usageError("--topology and --whole exclude each other");
  if (Opts.How == Algorithm::Scotch && !hasScotch())
    return usageError("this mai-map was built without Scotch (libscotch-dev)");
  return {std::move(Opts), std::nullopt};
}

} // namespace

ParsedCommandLine threadmap::parseCommandLine(int Argc, char **Argv) {
  enum {
    MetricOption = 256,
    WritersOption,
    TopologyOption,
    WholeOption,
    AlgorithmOption,
    WorstOption,
    SeedOption
  };
  static const option Long[] = {{"metric", required_argument, nullptr, MetricOption},
                                {"writers", no_argument, nullptr, WritersOption},
                                {"topology", required_argument, nullptr, TopologyOption},
                                {"whole", no_argument, nullptr, WholeOption},
                                {"algorithm", required_argument, nullptr, AlgorithmOption},
                                {"worst", no_argument, nullptr, WorstOption},
                                {"seed", required_argument, nullptr, SeedOption},
                                {"quiet", no_argument, nullptr, 'q'},
                                {"help", no_argument, nullptr, 'h'},
                                {"version", no_argument, nullptr, 'V'},
                                {nullptr, 0, nullptr, 0}};
  Options Opts;
  for (int Letter = 0; (Letter = getopt_long(Argc, Argv, "o:qhV", Long, nullptr)) != -1;) {
    switch (Letter) {
    case 'o':
      Opts.Output = optarg;
      break;
    case 'q':
      Opts.Quiet = true;
      break;
    case 'h':
      std::fputs(HelpText, stdout);
      return {{}, ExitSuccess};
    case 'V':
      std::printf("mai-map %s (%s Scotch)\n", MINAS_VERSION, hasScotch() ? "with" : "without");
      return {{}, ExitSuccess};
    case MetricOption:
      Opts.OfProfile.Metric = optarg;
      if (Opts.OfProfile.Metric != "accesses" && Opts.OfProfile.Metric != "memory")
        return usageError("--metric is accesses or memory, not " + Opts.OfProfile.Metric);
      break;
    case WritersOption:
      Opts.OfProfile.Writers = true;
      break;
    case TopologyOption:
      Opts.Topology = optarg;
      break;
    case WholeOption:
      Opts.Whole = true;
      break;
    case AlgorithmOption:
      if (const std::optional<Algorithm> How = algorithmOf(optarg))
        Opts.How = *How;
      else
        return usageError(std::string("--algorithm is refine, matching, greedy or scotch, not ") +
                          optarg);
      break;
    case WorstOption:
      Opts.Worst = true;
      break;
    case SeedOption:
      if (const std::optional<uint64_t> Seed = parseNumber(optarg))
        Opts.Seed = *Seed;
      else
        return usageError(std::string("--seed takes a number, not ") + optarg);
      break;
    default: // getopt_long() has said what is wrong.
      std::fputs("Try 'mai-map --help'.\n", stderr);
      return {{}, ExitUsage};
    }
  }
  const int Files = Argc - optind;
  if (Files > 0)
    Opts.Input = Argv[optind];
  return check(std::move(Opts), Files, Files > 1 ? Argv[optind + 1] : "");
}
