//===-- Options.cpp - the command line of mai-map ---------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "support/Options.h"

#include "llvm/ADT/StringExtras.h"

using namespace threadmap;
namespace cl = llvm::cl;

namespace {

constexpr const char *Brief = R"HELP(usage: mai-map [options] FILE
Decides which CPU each thread of a program runs on, from how much the threads share: FILE is a
profile of mai-trace or a sharing matrix as text, one line a thread; - is standard input.

  -o FILE            write the map there and the costs to standard output
  --format=FORM      map (default), places, gomp, kmp, taskset, numactl, json
  --topology=MACHINE for another machine: hwloc's XML, or arities such as 4x8x2
  --distances=SOURCE levels (default), slit, latency, bandwidth, measured, or a file
  --spread           few threads: use all nodes and caches, for their bandwidth
  --fix T=CPU,...    threads that run on these CPUs;  --exclude CPUs: that get none
  --cost MAP         write no map, print the cost of this one;  --explain: which pairs cost most
  --ranks            of MPI: FILE is prog.%r.maiprof, all ranks are mapped; --messages, --hosts
  --json             the same as --format=json
  -q, --quiet        no costs;  -v, --verbose: tell what is read, done and written
  --help, --version  all options; the version

Examples:
  maicc --trace -O2 -fopenmp foo.c -o foo && mai-trace ./foo
  mai-map -o map.cfg foo.maiprof && MAI_MAP_FILE=map.cfg ./foo
  eval "$(mai-map --format=places foo.maiprof)"; ./foo
  mai-map --topology 4x8x2 foo.maiprof

Exit status: 0 success, 2 usage, 3 input, 4 this machine. See also mai-map(1), minas-map(5).
)HELP";

/// The options and where they are kept.
struct CommandLine {
  Options Opts;
  cl::opt<std::string, true> Input{cl::Positional, cl::location(Opts.Input), cl::desc("FILE")};
  cl::opt<std::string, true> Output{
      "o", cl::location(Opts.Output), cl::Prefix, cl::value_desc("file"),
      cl::desc("write the map to the file and the costs to standard output; without, the map to "
               "standard output")};
  cl::opt<Format, true> Form{
      "format", cl::location(Opts.Form), cl::desc("what is written"),
      cl::values(
          clEnumValN(Format::MapFile, "map", "a map file, for MAI_MAP_FILE (default)"),
          clEnumValN(Format::OmpPlaces, "places", "OMP_PLACES, for a shell"),
          clEnumValN(Format::Gomp, "gomp", "GOMP_CPU_AFFINITY, for a shell"),
          clEnumValN(Format::Kmp, "kmp", "KMP_AFFINITY, for a shell"),
          clEnumValN(Format::Taskset, "taskset",
                     "the CPUs, as a command to put before the program"),
          clEnumValN(Format::Numactl, "numactl", "the same for numactl"),
          clEnumValN(Format::Json, "json", "JSON, which numarch --svg --report draws, too"),
          clEnumValN(Format::Script, "script",
                     "of --ranks (default): for sh, before the program, under any launcher"),
          clEnumValN(Format::RankFile, "rankfile", "of --ranks: a rankfile for Open MPI"),
          clEnumValN(Format::Slurm, "slurm", "of --ranks: srun with its options"),
          clEnumValN(Format::Mpich, "mpich", "of --ranks: mpiexec of MPICH with its options"),
          clEnumValN(Format::HostFile, "hostfile",
                     "of --ranks: the host of each, for "
                     "SLURM_HOSTFILE"))};
  cl::opt<bool> AsJson{"json", cl::desc("the same as --format=json")};
  cl::opt<Metric> Shared{"metric", cl::desc("what a profile's threads share"),
                         cl::values(clEnumValN(Metric::Accesses, "accesses",
                                               "accesses of both to lines that both use (default)"),
                                    clEnumValN(Metric::Memory, "memory", "bytes of these lines"))};
  cl::opt<bool, true> Writers{
      "writers", cl::location(Opts.OfProfile.Writers),
      cl::desc("of a profile, only lines that one of the two threads writes")};
  cl::opt<std::string> Topology{
      "topology", cl::value_desc("machine"),
      cl::desc("map for this machine: a file of hwloc's XML, arities such as 4x8x2 (packages x "
               "cores x CPUs of a core), or hwloc's synthetic description")};
  cl::opt<bool, true> Whole{"whole", cl::location(Opts.Whole),
                            cl::desc("map for all of the machine that this runs on, not only for "
                                     "what this process may use")};
  cl::opt<std::string, true> Distances{
      "distances", cl::location(Opts.Distances), cl::value_desc("source"),
      cl::desc("what a unit of volume costs between two CPUs: levels (default), slit, latency or "
               "bandwidth (of nodes, as the firmware tells), measured (by numarch --measure, of "
               "this machine), or a file")};
  cl::opt<std::string> Wanted{"fix", cl::value_desc("thread=CPU,..."),
                              cl::desc("threads that run on these CPUs")};
  cl::opt<std::string> Excluded{"exclude", cl::value_desc("CPUs"),
                                cl::desc("CPUs that get no thread, such as 0-1,8; used: those that "
                                         "your other programs have pinned threads to, by MAi")};
  cl::opt<bool, true> Spread{
      "spread", cl::location(Opts.Spread),
      cl::desc("of fewer threads than cores, use all nodes and caches alike, for their bandwidth; "
               "without, those near one another")};
  cl::opt<std::string, true> Weights{
      "balance", cl::location(Opts.Weights), cl::value_desc("weights"),
      cl::desc("give no node more than its share of the threads' weights: accesses (of a profile), "
               "or a file of numbers")};
  cl::opt<std::string> Siblings{
      "siblings", cl::ValueOptional, cl::value_desc("cost"),
      cl::desc("let threads share a core while another is free, where that pays although each "
               "thread pays so much for each other one on its core (by default, of a profile, 0.6 "
               "of its accesses)")};
  cl::opt<std::string> Phases{
      "phases", cl::ValueOptional, cl::value_desc("cost"),
      cl::desc(
          "of a profile: which parallel regions are worth a map of their own, when a move of a "
          "thread costs so much")};
  cl::opt<std::string, true> From{"from", cl::location(Opts.From), cl::value_desc("map"),
                                  cl::desc("improve this map file")};
  cl::opt<std::string, true> Costed{"cost", cl::location(Opts.Costed), cl::value_desc("map"),
                                    cl::desc("write no map, print the cost of this one")};
  cl::opt<bool, true> Explain{
      "explain", cl::location(Opts.Explain),
      cl::desc("print which pairs of threads cost most, and what is shared at each distance")};
  cl::opt<Algorithm, true> How{
      "algorithm", cl::location(Opts.How), cl::desc("how maps are found"),
      cl::values(clEnumValN(Algorithm::Refine, "refine", "the cheapest of many (default)"),
                 clEnumValN(Algorithm::Matching, "matching", "by matching in graphs"),
                 clEnumValN(Algorithm::Greedy, "greedy", "pair by pair"),
                 clEnumValN(Algorithm::Scotch, "scotch", "by Scotch's mapping of graphs"))};
  cl::opt<bool, true> Worst{"worst", cl::location(Opts.Worst),
                            cl::desc("the dearest map instead of the cheapest, as a control")};
  cl::opt<bool, true> Ranks{
      "ranks", cl::location(Opts.Ranks.Asked),
      cl::desc("map the ranks of an MPI program together: FILE is a name with %r, such as "
               "prog.%r.maiprof")};
  cl::opt<std::string, true> Messages{
      "messages", cl::location(Opts.Ranks.Messages), cl::value_desc("file"),
      cl::desc("with --ranks: the bytes that each pair of ranks sends, as text")};
  cl::opt<std::string> Hosts{"hosts", cl::value_desc("name,..."),
                             cl::desc("with --ranks: on these hosts, which are alike")};
  cl::opt<std::string> Seed{"seed", cl::value_desc("n"),
                            cl::desc("another start for what is decided at random (default 1)")};
  cl::opt<bool, true> Quiet{"q", cl::location(Opts.Quiet), cl::desc("no costs")};
  cl::alias LongQuiet{"quiet", cl::aliasopt(Quiet), cl::desc("Alias for -q")};
};

ParsedCommandLine usageError(const std::string &Message) {
  return {{}, support::usageError("mai-map", Message)};
}

/// Takes a word out of a list with commas. @return whether it was there
bool takeWord(std::string &List, llvm::StringRef Word) {
  llvm::SmallVector<llvm::StringRef> Entries;
  const std::string Whole = List;
  llvm::StringRef(Whole).split(Entries, ',');
  const size_t Before = Entries.size();
  llvm::erase_if(Entries, [&](llvm::StringRef Entry) { return Entry == Word; });
  List = llvm::join(Entries, ",");
  return Entries.size() < Before;
}

/// What the user decides. @return what is wrong with it, or ""
std::string readHand(CommandLine &Line) {
  Options &Opts = Line.Opts;
  std::string Error;
  if (Line.Wanted.getNumOccurrences() > 0) {
    std::optional<std::vector<Fixed>> Wanted = readFixed(Line.Wanted, Error);
    if (!Wanted)
      return Error;
    Opts.Wanted = std::move(*Wanted);
  }
  if (Line.Excluded.getNumOccurrences() > 0) {
    std::string List = Line.Excluded;
    Opts.ExcludeUsed = takeWord(List, "used");
    std::optional<std::vector<uint32_t>> Excluded = readCpus(List, "--exclude", Error);
    if (!Excluded)
      return Error;
    Opts.Excluded = std::move(*Excluded);
  }
  if (Opts.ExcludeUsed && Opts.Topology)
    return "--exclude=used is of this machine, and goes without --topology";
  const bool ByHand = !Opts.Wanted.empty() || !Opts.From.empty();
  if ((ByHand || !Opts.Weights.empty()) && (Opts.How != Algorithm::Refine || Opts.Worst))
    return "--fix, --from and --balance go with --algorithm=refine only, and not with --worst";
  if (Opts.Spread && (ByHand || !Opts.Costed.empty()))
    return "--spread chooses the CPUs itself, without --fix, --from and --cost";
  if (ByHand && !Opts.Costed.empty())
    return "--cost takes a map as it is, without --fix and --from";
  return "";
}

/// What stands for a cost behind an option, if anything does. @return what is wrong, or ""
std::string readCost(const std::string &Text, const std::string &Takes,
                     std::optional<double> &Cost) {
  double Value = 0;
  if (Text.empty())
    return "";
  if (llvm::StringRef(Text).getAsDouble(Value) || !(Value >= 0 && Value <= MaxVolume))
    return Takes + ", from 0 to 1e18, found '" + Text + "'";
  Cost = Value;
  return "";
}

/// What --siblings asks for. @return what is wrong with it, or ""
std::string readSiblings(CommandLine &Line) {
  Options &Opts = Line.Opts;
  Opts.Siblings = Line.Siblings.getNumOccurrences() > 0;
  if (!Opts.Siblings)
    return "";
  if (Opts.Spread || !Opts.Weights.empty() || Opts.How != Algorithm::Refine || Opts.Worst)
    return "--siblings goes without --spread, --balance, --algorithm and --worst";
  return readCost(Line.Siblings,
                  "--siblings takes what a thread pays for each other one on its core",
                  Opts.OfSibling);
}

/// What --phases asks for. @return what is wrong with it, or ""
std::string readPhases(CommandLine &Line) {
  Options &Opts = Line.Opts;
  Opts.OfProfile.Phases = Line.Phases.getNumOccurrences() > 0;
  if (Opts.OfProfile.Phases && (!Opts.Costed.empty() || Opts.Worst))
    return "--phases goes without --cost and --worst";
  return readCost(Line.Phases, "--phases takes what a move costs", Opts.Move);
}

/// The launcher that a form is for; nothing for forms of one process.
std::optional<Launcher> launcherOf(Format Form) {
  switch (Form) {
  case Format::Script:
    return Launcher::Script;
  case Format::RankFile:
    return Launcher::OpenMpi;
  case Format::Slurm:
    return Launcher::Slurm;
  case Format::Mpich:
    return Launcher::Mpich;
  case Format::HostFile:
    return Launcher::HostFile;
  case Format::Json:
    return Launcher::Json;
  default:
    return std::nullopt;
  }
}

/// Whether something is asked for that a map of one process is for.
bool isOfOneProcess(const CommandLine &Line) {
  const Options &Opts = Line.Opts;
  return !Opts.Wanted.empty() || !Opts.From.empty() || !Opts.Costed.empty() || Opts.Spread ||
         !Opts.Weights.empty() || Opts.Siblings || Opts.OfProfile.Phases || Opts.Explain ||
         Opts.Worst || Opts.How != Algorithm::Refine;
}

/// What --ranks asks for. @return what is wrong with it, or ""
std::string readRanks(CommandLine &Line) {
  RankOptions &Ranks = Line.Opts.Ranks;
  const bool HasForm = Line.Form.getNumOccurrences() > 0 || Line.AsJson;
  const std::optional<Launcher> For = HasForm ? launcherOf(Line.Opts.Form) : Launcher::Script;
  if (!Ranks.Asked && Line.Messages.getNumOccurrences() + Line.Hosts.getNumOccurrences() > 0)
    return "--messages and --hosts go with --ranks";
  if (!Ranks.Asked)
    return HasForm && For && For != Launcher::Json ? "the forms for launchers go with --ranks" : "";
  if (!For)
    return "--ranks has the forms script, rankfile, slurm, mpich, hostfile and json";
  if (Line.Opts.Input.find("%r") == std::string::npos)
    return "--ranks takes a name with %r, such as prog.%r.maiprof, found '" + Line.Opts.Input + "'";
  if (isOfOneProcess(Line))
    return "--ranks goes without --fix, --from, --cost, --spread, --balance, --siblings, --phases, "
           "--explain, --worst and --algorithm";
  Ranks.For = *For;
  if (Line.Hosts.getNumOccurrences() == 0)
    return "";
  const std::optional<std::vector<std::string>> Hosts = readHosts(Line.Hosts);
  if (!Hosts)
    return "--hosts takes names of hosts, separated by commas, found '" + Line.Hosts + "'";
  Ranks.Hosts = *Hosts;
  return "";
}

ParsedCommandLine check(CommandLine &Line) {
  Options &Opts = Line.Opts;
  if (Line.Shared.getNumOccurrences() > 0)
    Opts.OfProfile.Shared = Line.Shared;
  if (Line.AsJson && Line.Form.getNumOccurrences() > 0 && Opts.Form != Format::Json)
    return usageError("--json and another --format exclude each other");
  if (Line.AsJson)
    Opts.Form = Format::Json;
  if (Line.Topology.getNumOccurrences() > 0)
    Opts.Topology = Line.Topology;
  if (Line.Seed.getNumOccurrences() > 0 && llvm::StringRef(Line.Seed).getAsInteger(10, Opts.Seed))
    return usageError("--seed takes a number from 0 to " + std::to_string(UINT64_MAX) +
                      ", found '" + Line.Seed + "'");
  if (Opts.Input.empty())
    return usageError("no input file");
  if (Line.Output.getNumOccurrences() > 0 && Opts.Output.empty())
    return usageError("-o takes the name of a file, found nothing");
  std::string Wrong = readHand(Line);
  if (Wrong.empty())
    Wrong = readSiblings(Line);
  if (Wrong.empty())
    Wrong = readPhases(Line);
  if (Wrong.empty())
    Wrong = readRanks(Line);
  if (!Wrong.empty())
    return usageError(Wrong);
  if (Opts.Topology && Opts.Whole)
    return usageError("--topology and --whole exclude each other");
  if (Opts.Topology && Opts.Distances == "measured")
    return usageError("--distances=measured is of this machine, and goes without --topology");
  if (Opts.How == Algorithm::Scotch && !hasScotch())
    return usageError("this mai-map was built without Scotch (libscotch-dev)");
  return {Opts, std::nullopt};
}

} // namespace

ParsedCommandLine threadmap::parseCommandLine(int Argc, char **Argv) {
  support::forgetOptions();
  CommandLine Line;
  const std::optional<int> Exit = support::parseOptions(
      Argc, Argv,
      {"Decides which CPU each thread of a program runs on, from how much the threads share, and\n"
       "writes the map file that MAI_MAP_FILE names. FILE is a profile of mai-trace or a sharing\n"
       "matrix as text, one line a thread; - is standard input.\n\n"
       "Exit status: 0 success; 2 wrong usage; 3 a file that cannot be read or\n"
       "written; 4 this machine cannot be read. Nothing was written then.\n",
       Brief,
       std::string("mai-map (Minas) " MINAS_VERSION ", ") + (hasScotch() ? "with" : "without") +
           " Scotch"});
  return Exit ? ParsedCommandLine{{}, Exit} : check(Line);
}
