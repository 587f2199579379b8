//===-- main.cpp - mai-map --------------------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Computes a thread map: the threads that share most are to share a cache, then a node.
//
//   Input      a sharing matrix (Matrix.h), from text (Csv.h) or a profile
//   Machine    the memory hierarchy as a tree
//   Locations     what of it a number of threads may take
//   Fewer      of these, what can matter for few threads on a large machine
//   Algorithm  a map: by matching, greedily, by Scotch, or the cheapest that is found (Refine.h)
//   Arrange    the order of what costs the same in any order
//   Report     the costs beside those of other maps, and the map file
//
// Refine constructs maps in several ways and improves them at all sizes of groups: Bisect, Cycle,
// and below both Search, the swaps, over a Graph and a Tree.
//
//===----------------------------------------------------------------------===//

#include "Input.h"
#include "Options.h"
#include "Report.h"
#include "support/Files.h"
#include "threadmap/machine/Distances.h"
#include "threadmap/machine/Near.h"

#include "llvm/Support/FileSystem.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>

using namespace threadmap;

namespace {

int fail(const std::string &Message) {
  std::fprintf(stderr, "mai-map: %s\n", Message.c_str());
  return ExitError;
}

void note(const Options &Opts, const std::string &Message) {
  if (!Opts.Quiet)
    std::fprintf(stderr, "mai-map: note: %s\n", Message.c_str());
}

std::optional<Machine> machineFor(const Options &Opts, std::string &Error) {
  return Opts.Topology ? describedMachine(*Opts.Topology, Error) : thisMachine(Opts.Whole, Error);
}

std::optional<Locations> locationsFor(const Options &Opts, const Machine &On, uint32_t Threads,
                                      std::string &Error) {
  Locations At = slotsFor(On, Threads);
  if (Opts.Distances == "levels")
    return At;
  const std::optional<Distances> Told = distancesOf(On, Opts.Distances, Error);
  if (!Told)
    return std::nullopt;
  useDistances(On, *Told, At);
  return At;
}

std::string firstComment() {
  return "Thread map of mai-map " MINAS_VERSION ": the CPU of thread 0, 1, 2, ...";
}

/// Where the map came from.
std::string source(const Input &From, const Machine &On) {
  return "from " + From.Description + ", " + std::to_string(From.Volumes.threads()) +
         " threads, for " + On.Name;
}

std::string method(const Options &Opts) {
  return std::string("by ") + nameOf(Opts.How) + (Opts.Worst ? " (worst)" : "") + ", seed " +
         std::to_string(Opts.Seed) +
         (Opts.Distances == "levels" ? "" : ", distances: " + Opts.Distances);
}

/// Whether there is a file that may not be written. It could be replaced by a new one all the same,
/// which nobody wants who has made it read-only.
bool isReadOnly(const std::string &File) {
  namespace fs = llvm::sys::fs;
  fs::file_status Status;
  return !fs::status(File, Status) && fs::is_regular_file(Status) &&
         (Status.permissions() & fs::all_write) == 0;
}

/// Writes the map into the file of -o. @return what is wrong, or ""
std::string writeFile(const std::string &File, const std::string &MapFile) {
  if (isReadOnly(File))
    return "the file is read-only; nothing was written";
  const std::error_code Error = support::writeWhole(File, MapFile);
  if (Error == std::errc::permission_denied || Error == std::errc::read_only_file_system)
    return Error.message() + " (the map is written into a new file of that folder first)";
  return Error ? Error.message() : "";
}

/// Writes the map where it is wanted. @return whether it could; it has been said if not
bool write(const Options &Opts, const std::string &MapFile) {
  if (!Opts.Output.empty()) {
    const std::string Problem = writeFile(Opts.Output, MapFile);
    return Problem.empty() || (fail(Opts.Output + ": " + Problem), false);
  }
  const std::error_code Error = support::print(MapFile);
  if (Error)
    fail("standard output: " + Error.message());
  return !Error;
}

/// Writes the costs, to standard output where the map does not go there.
bool print(const Options &Opts, const std::string &Costs) {
  if (Opts.Quiet)
    return true;
  if (Opts.Output.empty())
    return std::fputs(Costs.c_str(), stderr) >= 0;
  const std::error_code Error = support::print(Costs);
  if (Error)
    fail("cannot write the costs to standard output: " + Error.message());
  return !Error;
}

int writeHomogeneous(const Options &Opts, const Input &From, const Machine &On,
                     const Locations &At) {
  note(Opts, "all pairs of threads share alike: which thread runs where does not matter, and these "
             "are side by side");
  const std::vector<std::string> Comments = {firstComment(), source(From, On),
                                             "side by side: all pairs of threads share alike"};
  // By distances which locations are near one another takes a search.
  Map Of = At.Domains ? mapOf(From.Volumes, At, Opts.How, /*Worst=*/false, Opts.Seed)
                      : nearLocations(At, From.Volumes.threads());
  std::sort(Of.begin(), Of.end());
  return write(Opts, mapFile(Comments, At, Of)) ? ExitSuccess : ExitError;
}

int writeMap(const Options &Opts, const Input &From, const Machine &On, const Locations &At) {
  const Map Of = mapOf(From.Volumes, At, Opts.How, Opts.Worst, Opts.Seed);
  const std::vector<Row> Rows = costsBeside(From.Volumes, At, Of, Opts.How, Opts.Seed);
  std::vector<std::string> Comments = {firstComment(), source(From, On), method(Opts)};
  std::string Costs = "cost";
  for (const Row &R : Rows) {
    char Number[32];
    std::snprintf(Number, sizeof Number, "%.8g", R.Cost);
    Costs += " " + std::string(Number) + (&R == &Rows.front() ? ";" : " " + R.Name + ",");
  }
  Costs.pop_back();
  const double Cost = Rows.front().Cost;
  const std::string Quality = sentence(proofOf(From.Volumes, At, Cost, Opts.How, Opts.Worst), Cost);
  Comments.push_back(Quality);
  Comments.push_back(Costs);
  if (!write(Opts, mapFile(Comments, At, Of)))
    return ExitError;
  const std::string Title = std::to_string(From.Volumes.threads()) + " threads of " +
                            From.Description + " on " + On.Name + ", " + method(Opts) + "\n";
  return print(Opts, Title + table(Rows) + Quality + "\n") ? ExitSuccess : ExitError;
}

int run(const Options &Opts) {
  std::string Message;
  const std::optional<Input> From = readInput(Opts.Input, Opts.OfProfile, Message);
  if (!From)
    return fail(Message);
  if (!Message.empty())
    note(Opts, Message);
  const std::optional<Machine> On = machineFor(Opts, Message);
  if (!On)
    return fail(Message);
  const Matrix &Volumes = From->Volumes;
  if (Volumes.threads() > On->Cpus)
    note(Opts, std::to_string(Volumes.threads()) + " threads share " + std::to_string(On->Cpus) +
                   " CPUs of " + On->Name);
  const std::optional<Locations> At = locationsFor(Opts, *On, Volumes.threads(), Message);
  if (!At)
    return fail(Message);
  return isHomogeneous(Volumes) ? writeHomogeneous(Opts, *From, *On, *At)
                                : writeMap(Opts, *From, *On, *At);
}

} // namespace

int main(int Argc, char **Argv) {
  try {
    const ParsedCommandLine CommandLine = parseCommandLine(Argc, Argv);
    return CommandLine.Exit ? *CommandLine.Exit : run(CommandLine.Opts);
  } catch (const std::bad_alloc &) {
    return fail("out of memory");
  } catch (const std::exception &Error) {
    return fail(Error.what());
  }
}
