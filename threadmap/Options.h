//===-- Options.h - the command line of mai-map -----------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_OPTIONS_H
#define THREADMAP_OPTIONS_H

#include "Formats.h"
#include "Input.h"
#include "Ranks.h"
#include "threadmap/machine/Hand.h"
#include "threadmap/search/Algorithm.h"

#include <optional>
#include <string>

namespace threadmap {

struct Options {
  std::string Input;                   ///< "-" is standard input
  std::string Output;                  ///< -o; empty: standard output
  Format Form = Format::MapFile;       ///< --format
  ProfileOptions OfProfile;            ///< --metric, --writers
  std::optional<std::string> Topology; ///< --topology; nothing: this machine
  std::string Distances = "levels";    ///< --distances
  std::vector<Fixed> Wanted;           ///< --fix
  std::vector<uint32_t> Excluded;      ///< --exclude
  bool ExcludeUsed = false;            ///< --exclude=used
  bool Siblings = false;               ///< --siblings
  std::optional<double> OfSibling;     ///< --siblings: what a thread pays for another on its core
  std::optional<double> Move;          ///< --phases: what a move of a thread costs
  std::string From;                    ///< --from; empty: none
  std::string Costed;                  ///< --cost: the map whose cost is asked for; empty: none
  bool Spread = false;                 ///< --spread
  std::string Weights;                 ///< --balance: "accesses" or a file; empty: none
  bool Explain = false;                ///< --explain
  Algorithm How = Algorithm::Refine;   ///< --algorithm
  bool Worst = false;                  ///< --worst
  bool Whole = false;                  ///< --whole
  RankOptions Ranks;                   ///< --ranks and what goes with it
  bool Quiet = false;
  uint64_t Seed = 1;
};

/// The options, or the exit status when there is nothing more to do: --help, --version, or a
/// mistake, which has been reported.
struct ParsedCommandLine {
  Options Opts;
  std::optional<int> Exit;
};

ParsedCommandLine parseCommandLine(int Argc, char **Argv);

/// Exit statuses.
enum { ExitSuccess = 0, ExitError = 3, ExitMachine = 4 };

} // namespace threadmap

#endif // THREADMAP_OPTIONS_H
