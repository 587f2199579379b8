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

#include "Explain.h"
#include "Input.h"
#include "Options.h"
#include "Phases.h"
#include "Ranks.h"
#include "Report.h"
#include "Start.h"
#include "Used.h"
#include "support/Files.h"
#include "support/Progress.h"
#include "threadmap/machine/Balance.h"
#include "threadmap/machine/Distances.h"
#include "threadmap/machine/Near.h"
#include "threadmap/machine/Siblings.h"
#include "threadmap/machine/Spread.h"
#include "threadmap/search/Branch.h"
#include "threadmap/search/Cost.h"
#include "threadmap/search/Exact.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <future>
#include <memory>
#include <new>

using namespace threadmap;

namespace {

/// Of the search's work, where the user wants no more than a map, and soon.
constexpr double EffortWhenQuiet = 0.6;

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

/// What --exclude leaves.
std::optional<Machine> withoutExcluded(const Machine &Whole, const Options &Opts,
                                       std::string &Error) {
  std::vector<uint32_t> Cpus = Opts.Excluded;
  if (Opts.ExcludeUsed) {
    const std::vector<uint32_t> Used = usedByOthers(Whole);
    Cpus.insert(Cpus.end(), Used.begin(), Used.end());
  }
  return without(Whole, Cpus, Error);
}

/// What is asked for: from what, and for which machine.
struct Task {
  const Options &Opts;
  const Input &From;
  const Machine &Whole;          ///< with the CPUs of --exclude
  std::optional<Distances> Told; ///< nothing: levels count
  std::vector<double> Weights;   ///< --balance, by thread
  std::vector<Fixed> Start = {}; ///< --from

  uint32_t threads() const { return From.Volumes.threads(); }
  bool byHand() const {
    return !Opts.Wanted.empty() || !Start.empty() || !Weights.empty() || Opts.Siblings;
  }
};

/// The locations of a machine that is the whole one or without some CPUs.
Locations locationsOn(const Machine &Whole, const Machine &On, const std::optional<Distances> &Told,
                      uint32_t Threads, Cores Use = Cores::OneEach) {
  Locations At = slotsFor(On, Threads, Use);
  if (Told)
    useDistances(Whole, *Told, At);
  return At;
}

Locations locationsOn(const Task &Of, const Machine &On, Cores Use = Cores::OneEach) {
  return locationsOn(Of.Whole, On, Of.Told, Of.threads(), Use);
}

/// What a map file lists: a CPU for each thread. Nothing where it cannot be read, and `Error` says
/// why.
std::optional<std::vector<Fixed>> readMap(const std::string &File, uint32_t Threads,
                                          std::string &Error) {
  const auto Buffer = llvm::MemoryBuffer::getFile(File);
  if (!Buffer) {
    Error = File + ": " + Buffer.getError().message();
    return std::nullopt;
  }
  const std::optional<std::vector<uint32_t>> Cpus =
      readCpus((*Buffer)->getBuffer().str(), File, Error);
  if (!Cpus)
    return std::nullopt;
  if (Cpus->empty()) {
    Error = File + ": expected the CPU of thread 0, 1, 2, ..., found none";
    return std::nullopt;
  }
  std::vector<Fixed> Result; // Where there are too few entries they begin anew, as in MAi.
  for (uint32_t Thread = 0; Thread < Threads; ++Thread)
    Result.emplace_back(Thread, (*Cpus)[Thread % Cpus->size()]);
  return Result;
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
         (Opts.Distances == "levels" ? "" : ", distances: " + Opts.Distances) +
         (Opts.Spread ? ", spread" : "");
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
std::string writeFile(const std::string &File, const std::string &Text) {
  if (isReadOnly(File))
    return "the file is read-only; nothing was written";
  const std::error_code Error = support::writeWhole(File, Text);
  if (Error == std::errc::permission_denied || Error == std::errc::read_only_file_system)
    return Error.message() + " (the map is written into a new file of that folder first)";
  return Error ? Error.message() : "";
}

/// Writes the map where it is wanted. @return whether it could; it has been said if not
bool write(const Options &Opts, const std::string &Text) {
  if (!Opts.Output.empty()) {
    const std::string Problem = writeFile(Opts.Output, Text);
    return Problem.empty() || (fail(Opts.Output + ": " + Problem), false);
  }
  const std::error_code Error = support::print(Text);
  if (Error)
    fail("standard output: " + Error.message());
  return !Error;
}

bool write(const Options &Opts, const Mapped &What) { return write(Opts, textOf(Opts.Form, What)); }

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

int writeHomogeneous(const Task &Of, const Machine &On, const Locations &At) {
  note(Of.Opts, std::string("all pairs of threads share alike: which thread runs where does not "
                            "matter, and these are side by side") +
                    (Of.Opts.Spread ? " on cores of all nodes" : ""));
  const std::vector<std::string> Comments = {firstComment(), source(Of.From, On),
                                             "side by side: all pairs of threads share alike"};
  // By distances which locations are near one another takes a search.
  Map Result = At.Domains ? mapOf(Of.From.Volumes, At, Of.Opts.How, /*Worst=*/false, Of.Opts.Seed)
                          : nearLocations(At, Of.threads());
  std::sort(Result.begin(), Result.end());
  return write(Of.Opts, {Comments, Of.From.Volumes, At, Result, Of.From.Description, On.Name})
             ? ExitSuccess
             : ExitError;
}

/// "cost 77; 212 compact, ..."
std::string costComment(const std::vector<Row> &Rows) {
  std::string Costs = "cost";
  for (const Row &R : Rows) {
    char Number[32];
    std::snprintf(Number, sizeof Number, "%.8g", R.Cost);
    Costs += " " + std::string(Number) + (&R == &Rows.front() ? ";" : " " + R.Name + ",");
  }
  Costs.pop_back();
  return Costs;
}

std::string title(const Task &Of, const Machine &On, const std::string &How) {
  return std::to_string(Of.threads()) + " threads of " + Of.From.Description + " on " + On.Name +
         ", " + How + "\n";
}

/// What the worst map costs, which takes time: it is looked for while other things are done.
/// Invalid where nobody wants to know.
std::future<Row> worstOf(const Task &Of, const Locations &At) {
  if (Of.Opts.Quiet)
    return {};
  return std::async(std::launch::async | std::launch::deferred, [&Of, &At] {
    return costOfWorst(Of.From.Volumes, At, Of.Opts.How, Of.Opts.Seed);
  });
}

/// Beside which others a map is shown.
std::vector<Row> rowsFor(const Task &Of, const Locations &At, double Cost, std::future<Row> Worst) {
  std::vector<Row> Rows = costsBeside(Of.From.Volumes, At, Cost);
  if (Worst.valid())
    Rows.push_back(Worst.get());
  return Rows;
}

/// What --balance or --siblings asks for, or null.
std::unique_ptr<Crowding> crowdingOf(const Task &Of, const Machine &On, const Locations &At) {
  if (!Of.Weights.empty())
    return std::make_unique<Balance>(balanceFor(On, At, Of.Weights));
  if (!Of.Opts.Siblings)
    return nullptr;
  const double Price = Of.Opts.OfSibling.value_or(priceOfSibling(At, Of.From.Accesses));
  return std::make_unique<Siblings>(siblingsFor(On, At, Of.threads(), Price));
}

/// The map, of the locations of --siblings too.
/// @param Apart those with one thread a core
Map mapFor(const Task &Of, const Locations &At, const Locations &Apart, const Crowding *By) {
  const Options &Opts = Of.Opts;
  const Matrix &Volumes = Of.From.Volumes;
  if (Opts.Siblings)
    return mapWithSiblings(Volumes, At, Apart, Opts.Wanted, Of.Start, *By, Opts.Seed);
  if (Of.byHand())
    return mapByHand(Volumes, At, Opts.Wanted, Of.Start, By, Opts.Seed);
  return mapOf(Volumes, At, Opts.How, Opts.Worst, Opts.Seed, Opts.Quiet ? EffortWhenQuiet : 1);
}

/// Writes the maps of regions for which they pay, beside the file of the map for all. @return
/// whether it could; it has been said if not
bool writePhases(const Task &Of, const Machine &On, const Locations &At,
                 const std::vector<PhaseMap> &Maps) {
  for (const PhaseMap &M : Maps) {
    if (!M.pays() || Of.Opts.Output.empty())
      continue;
    Options Opts = Of.Opts;
    Opts.Output += "." + std::to_string(M.Of.Number);
    if (!write(Opts, {{firstComment(), source(Of.From, On), "for the region " + M.Of.Name},
                      M.Of.Volumes,
                      At,
                      M.Own,
                      Of.From.Description,
                      On.Name}))
      return false;
  }
  return true;
}

/// What --phases asks for: maps are written, the table is returned. Nothing where that failed.
std::optional<std::string> phases(const Task &Of, const Machine &On, const Locations &At,
                                  const Map &ForAll, const Crowding *By) {
  if (!Of.Opts.OfProfile.Phases)
    return "";
  const double Move = Of.Opts.Move.value_or(costOfMove(At));
  const std::vector<PhaseMap> Maps =
      mapsOfPhases(Of.From.Phases, At, ForAll, Of.From.Entries, Move, By, Of.Opts.Seed);
  if (!writePhases(Of, On, At, Maps))
    return std::nullopt;
  return phaseTable(Maps, Move);
}

/// Finds out whether no map is cheaper, which by distances and with fixed threads takes time, and
/// may find one that is.
bool prove(const Task &Of, const Locations &At, Map &Result) {
  if (!Of.byHand() && hasExactMap(Of.From.Volumes, At))
    return true;
  std::vector<bool> Held(Of.threads(), false);
  for (const auto &[Thread, Cpu] : Of.Opts.Wanted)
    Held[Thread] = true;
  std::optional<Map> Least;
  if (!Of.Opts.Quiet)
    Least = provenMap(Of.From.Volumes, At, Result, Held);
  if (Least)
    Result = *Least;
  return Least.has_value();
}

/// @param Apart the locations with one thread a core, as long as there are cores
int writeMap(const Task &Of, const Machine &On, const Locations &Apart) {
  const Options &Opts = Of.Opts;
  const Matrix &Volumes = Of.From.Volumes;
  const Locations At = Opts.Siblings ? locationsOn(Of, On, Cores::Shared) : Apart;
  const std::unique_ptr<Crowding> By = crowdingOf(Of, On, At);
  std::optional<support::Progress> Shown("searches for a map of " + std::to_string(Of.threads()) +
                                         " threads");
  std::future<Row> Worst = worstOf(Of, Apart);
  const bool MayProve = Opts.How == Algorithm::Refine && !Opts.Worst && !By && Of.Start.empty();
  Map Result = mapFor(Of, At, Apart, By.get());
  const bool IsCheapest = MayProve && prove(Of, At, Result);
  const double Cost = costOf(Volumes, At, Result);
  const std::vector<Row> Rows = rowsFor(Of, Apart, Cost, std::move(Worst));
  const Proof Proven = proofOf(Volumes, At, Cost, IsCheapest);
  Shown.reset();
  const std::string Quality = sentence(Proven, Cost);
  std::vector<std::string> Comments = {firstComment(), source(Of.From, On), method(Opts), Quality,
                                       costComment(Rows)};
  if (By)
    Comments.push_back(By->sentence(Result));
  if (!write(Opts, {Comments, Volumes, At, Result, Of.From.Description, On.Name, Rows, Proven}))
    return ExitError;
  const std::optional<std::string> Regions = phases(Of, On, At, Result, By.get());
  if (!Regions)
    return ExitError;
  const std::string Loads = By ? By->table(Result) : "";
  const std::string Pairs = Opts.Explain ? explained(Volumes, At, Result) : "";
  return print(Opts, title(Of, On, method(Opts)) + table(Rows) + Quality + "\n" + Loads + *Regions +
                         Pairs)
             ? ExitSuccess
             : ExitError;
}

/// Prints what a given map costs, also where no map of ours would be like it.
int costGiven(const Task &Of, const Machine &On, const std::vector<Fixed> &Given) {
  Machine With = On;
  if (const std::string Wrong = fix(Given, Of.threads(), With); !Wrong.empty())
    return fail(Of.Opts.Costed + ": " + Wrong);
  const Matrix &Volumes = Of.From.Volumes;
  const Locations AtGiven = locationsOn(Of, With);
  const Locations Apart = locationsOn(Of, On);
  const Locations At = Of.Opts.Siblings ? locationsOn(Of, On, Cores::Shared) : Apart;
  const Map Result = mapWith(AtGiven, Of.threads(), Given);
  const double Cost = costOf(Volumes, AtGiven, Result);
  const std::vector<Row> Rows = rowsFor(Of, Apart, Cost, worstOf(Of, Apart));
  const bool IsLegal = Of.Opts.Siblings || fixedBy(At, mapWith(At, Of.threads(), Given)) == Given;
  const std::string Quality =
      IsLegal ? sentence(proofOf(Volumes, At, Cost, /*IsCheapest=*/false), Cost)
              : "other maps leave no core (or CPU) free while another has two threads";
  const std::unique_ptr<Crowding> By = crowdingOf(Of, With, AtGiven);
  const std::string Loads = By ? By->table(Result) : "";
  const std::string Pairs = Of.Opts.Explain ? explained(Volumes, AtGiven, Result) : "";
  const std::error_code Error =
      support::print(title(Of, On, Of.Opts.Costed) + table(Rows) + Quality + "\n" + Loads + Pairs);
  return Error ? fail("standard output: " + Error.message()) : ExitSuccess;
}

/// With what the user decides of the machine.
int runOn(Task &Of, Machine On) {
  const Options &Opts = Of.Opts;
  std::string Message;
  const std::string &Given = Opts.From.empty() ? Opts.Costed : Opts.From;
  std::optional<std::vector<Fixed>> Listed;
  if (!Given.empty() && !(Listed = readMap(Given, Of.threads(), Message)))
    return fail(Message);
  if (!Opts.Costed.empty())
    return costGiven(Of, On, *Listed);
  if (Listed)
    Of.Start = std::move(*Listed);
  if (Message = fix(Opts.Wanted, Of.threads(), On); !Message.empty())
    return fail(Message);
  if (Of.threads() > On.Cpus)
    note(Opts, std::to_string(Of.threads()) + " threads share " + std::to_string(On.Cpus) +
                   " CPUs of " + On.Name);
  const Locations At = locationsOn(Of, On);
  return isHomogeneous(Of.From.Volumes) && !Of.byHand() && Of.From.Phases.empty()
             ? writeHomogeneous(Of, On, At)
             : writeMap(Of, On, At);
}

/// The threads' weights for --balance. Empty where none are asked for, or `Error` says what is
/// wrong.
std::vector<double> weightsFor(const Options &Opts, const Input &From, std::string &Error) {
  if (Opts.Siblings && !Opts.OfSibling &&
      (From.Accesses.empty() || Opts.OfProfile.Shared == Metric::Memory))
    Error = From.Description +
            ": nothing tells what threads access; say what each pays for another "
            "one on its core (--siblings=cost)";
  if (Opts.Weights.empty())
    return {};
  if (Opts.Weights == "accesses" && From.Accesses.empty())
    Error = From.Description + ": a matrix as text has no accesses of threads; name a file of "
                               "weights (--balance)";
  if (Opts.Weights == "accesses")
    return From.Accesses;
  return readWeights(Opts.Weights, From.Volumes.threads(), Error).value_or(std::vector<double>());
}

int run(const Options &Opts) {
  std::string Message;
  const std::optional<Input> From = readInput(Opts.Input, Opts.OfProfile, Message);
  if (!From)
    return fail(Message);
  if (!Message.empty())
    note(Opts, Message);
  const std::optional<Machine> Whole = machineFor(Opts, Message);
  if (!Whole)
    return fail(Message), Opts.Topology ? ExitError : ExitMachine;
  Message.clear();
  Task Of{Opts, *From, *Whole, std::nullopt, weightsFor(Opts, *From, Message)};
  if (!Message.empty())
    return fail(Message);
  if (Opts.Distances != "levels" && !(Of.Told = distancesOf(*Whole, Opts.Distances, Message)))
    return fail(Message);
  std::optional<Machine> On = withoutExcluded(*Whole, Opts, Message);
  if (On && Opts.Spread)
    On = without(*On, leftOutBySpread(*On, Of.threads()), Message);
  return On ? runOn(Of, std::move(*On)) : fail(Message);
}

/// The ranks of a program together.
int runRanks(const Options &Opts) {
  std::string Message;
  const std::optional<Machine> Whole = machineFor(Opts, Message);
  if (!Whole)
    return fail(Message), Opts.Topology ? ExitError : ExitMachine;
  std::optional<Distances> Told;
  if (Opts.Distances != "levels" && !(Told = distancesOf(*Whole, Opts.Distances, Message)))
    return fail(Message);
  const std::optional<Machine> On = withoutExcluded(*Whole, Opts, Message);
  if (!On)
    return fail(Message);
  const auto LocationsFor = [&](uint32_t Threads) {
    return locationsOn(*Whole, *On, Told, Threads);
  };
  std::optional<support::Progress> Shown("maps ranks and their threads");
  const std::optional<MappedRanks> Mapped =
      mapRanks(Opts.Input, Opts.OfProfile, Opts.Ranks, LocationsFor, On->Name, Opts.Seed, Message);
  Shown.reset();
  if (!Mapped)
    return fail(Message);
  if (!Message.empty())
    note(Opts, Message);
  return write(Opts, Mapped->Text) && print(Opts, Mapped->Costs) ? ExitSuccess : ExitError;
}

} // namespace

int main(int Argc, char **Argv) {
  try {
    const ParsedCommandLine CommandLine = parseCommandLine(Argc, Argv);
    if (CommandLine.Exit)
      return *CommandLine.Exit;
    return CommandLine.Opts.Ranks.Asked ? runRanks(CommandLine.Opts) : run(CommandLine.Opts);
  } catch (const std::bad_alloc &) {
    return fail("out of memory");
  } catch (const std::exception &Error) {
    return fail(Error.what());
  }
}
