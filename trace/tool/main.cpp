//===-- main.cpp - mai-trace ------------------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Runs a program that maicc --trace built and has its profile written, shows what is in profiles,
// and judges it. What each step needs:
//
//   run     Run.h: the program and its build (Build.h), source positions (trace/sources)
//   record  Record.h: samples of a program as it is
//   info    Profile.h, Analysis.h: who used what
//   export  Analysis.h: the sharing matrix; Drawings.h: as a picture; CodeLines.h: for other tools;
//           Accesses.h: all lines
//   annotate  CodeLines.h: the source with what its lines access
//   report  Verdicts.h: what cures save; Report.h
//   merge   Merge.h: the same of all ranks of an MPI program
//   compare  trace/latencies/Compare.h: several runs beside one another
//   policies  Policies.h: what untraced runs are to place
//   try     Try.h: the program with a cure
//
//===----------------------------------------------------------------------===//

#include "Accesses.h"
#include "CodeLines.h"
#include "ComparePage.h"
#include "Drawings.h"
#include "Merge.h"
#include "Policies.h"
#include "Record.h"
#include "Report.h"
#include "Run.h"
#include "Try.h"
#include "support/Files.h"
#include "support/Options.h"
#include "support/Progress.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <exception>
#include <new>

using namespace maiprof;
namespace cl = llvm::cl;

namespace {

constexpr const char *Brief = R"(usage: mai-trace [run] [options] PROGRAM [argument...]
       mai-trace COMMAND [options] PROFILE...
 Shows which threads share which memory, and what is wrong with its placement.

  run       run a program built by maicc --trace and write its profile, PROGRAM.maiprof:
            --phases, --tasks, --sources, --transfers, --model, --slices TIME,
            --checkpoint TIME
  record    sample a program as it is: -p PID, --duration SECONDS, --source, -F RATE
  import    make a profile of a file of perf record
  report    what cures would save: --nodes N, --html, --json, --fail-on PERCENT, -o FILE
  info      what a profile has of threads and arrays
  annotate  the source with what each line accesses
  export    the sharing matrix: --csv, --mtx, --json, --svg, --png, --blocks; or --callgrind,
            --speedscope, --accesses
  merge     what cures would save in the ranks of an MPI program
  compare   latencies and places of accesses of several runs: --csv, --html
  policies  policies for runs of any size, for mai-run -p @FILE
  try       run a program with the first cure, and tell what it has changed

Examples:
  maicc --trace -O2 -fopenmp foo.c -o foo && mai-trace ./foo
  mai-trace report --nodes 4 --html -o foo.html foo.maiprof

mai-trace --help and mai-trace report --help have all options.
Exit status: the program's; else 0, 1 with --fail-on, 2 usage, 3 input. See also mai-trace(1).
)";

enum class Format {
  Text,
  Json,
  Csv,
  MatrixMarket,
  Html,
  Svg,
  Png,
  Blocks,
  Callgrind,
  Speedscope,
  Accesses
};
enum class Metric { Accesses, Memory, Min, Transfers };

/// What each command takes. The options of run hold without a command, too.
struct CommandLine {

  cl::SubCommand Run{"run", "run a program built by maicc --trace and write its profile; the "
                            "command may be left out"};
  cl::SubCommand RecordIt{"record", "sample the accesses of a program as it is"};
  cl::SubCommand ImportIt{"import", "make a profile of a file of perf record"};
  cl::SubCommand Info{"info", "print what a profile has of threads and arrays"};
  cl::SubCommand Export{"export", "print the sharing matrix, or accesses by code for other tools"};
  cl::SubCommand Annotate{"annotate", "print the source with what each line accesses"};
  cl::SubCommand Report{"report", "print what cures would save, sharing, arrays and their pages"};
  cl::SubCommand Merge{"merge", "print what cures would save in the ranks of an MPI program"};
  cl::SubCommand Compare{"compare", "print latencies and places of accesses of several runs"};
  cl::SubCommand Policies{"policies", "print policies for runs of any size, for mai-run -p @FILE"};
  cl::SubCommand Try{"try", "run a program with the first cure that a command can apply, and tell "
                            "what it has changed"};
  cl::sub All{cl::SubCommand::getAll()}, OfRun{Run}, WithoutCommand{cl::SubCommand::getTopLevel()};
  cl::sub OfInfo{Info}, OfExport{Export}, OfReport{Report}, OfPolicies{Policies}, OfTry{Try},
      OfAnnotate{Annotate}, OfMerge{Merge}, OfRecord{RecordIt}, OfImport{ImportIt},
      OfCompare{Compare};

  cl::opt<std::string> Output{"o", cl::value_desc("file"), All, cl::Prefix,
                              cl::desc("write there (default: standard output, as -; a profile: "
                                       "PROGRAM.maiprof in this directory)")};
  cl::alias LongOutput{"output", cl::aliasopt(Output), cl::desc("Alias for -o")};

  cl::opt<bool> Phases{"phases", OfRun, WithoutCommand,
                       cl::desc("count each parallel region by itself")};
  cl::opt<bool> Tasks{"tasks", OfRun, WithoutCommand,
                      cl::desc("count the tasks of each place by themselves")};
  support::Size Sample{"sample", cl::value_desc("n"), OfRun, WithoutCommand,
                       cl::desc("count one of n accesses")};
  support::Size Pace{"pace", cl::value_desc("n"), OfRun, WithoutCommand,
                     cl::desc("let each thread make n accesses in a second, for CPUs that are not "
                              "equally fast, such as emulated ones; one of 16 is counted")};
  support::Size Cache{"cache", cl::value_desc("size"), OfRun, WithoutCommand,
                      cl::desc("count only misses of a cache of this size, for each thread")};
  support::Size Line{"line", cl::value_desc("size"), OfRun, WithoutCommand,
                     cl::desc("bytes of a cache line (default: the machine's)")};
  support::Size Memory{"memory", cl::value_desc("size"), OfRun, WithoutCommand,
                       cl::desc("bytes for counters (default: a quarter of the machine's); when "
                                "they are used up, counting goes on by pages")};
  support::Size Block{
      "block",
      cl::value_desc("size"),
      OfRun,
      OfRecord,
      WithoutCommand,
      cl::desc("know allocations by their place from this size on (default: 512, of record 4K)")};
  cl::opt<bool> Transfers{"transfers", OfRun, WithoutCommand,
                          cl::desc("see which thread gets lines from which, and which bytes of "
                                   "them threads use; takes far more time")};
  cl::opt<bool> Sources{"sources", OfRun, WithoutCommand,
                        cl::desc("count by lines of the source, too, of programs built with -g; "
                                 "takes far more time")};
  cl::opt<bool> Model{"model", OfRun, WithoutCommand,
                      cl::desc("see by a model of caches and prefetchers how regular accesses are "
                               "and where lines come from, too; takes far more time")};
  support::Size ModelNodes{"model-nodes", cl::value_desc("n"), OfRun, WithoutCommand,
                           cl::desc("of the model; threads are distributed in blocks (default: the "
                                    "machine's, by where threads run)")};
  support::Size ModelCache{
      "model-cache", cl::value_desc("size"), OfRun, WithoutCommand,
      cl::desc("last-level cache of each node of the model (default: the machine's)")};
  support::Size ModelWays{"model-ways", cl::value_desc("n"), OfRun, WithoutCommand,
                          cl::desc("of that cache (default: the machine's)")};
  cl::opt<std::string> Slices{"slices", cl::value_desc("time"), OfRun, WithoutCommand,
                              cl::desc("count each slice of so much time by itself")};
  cl::opt<std::string> Checkpoint{
      "checkpoint", cl::value_desc("time"), OfRun, WithoutCommand,
      cl::desc("write the profile that often while the program runs, such as 60, 500ms, 5m or 2h")};
  cl::opt<std::string> After{"after", cl::value_desc("time"), OfRun, WithoutCommand,
                             cl::desc("count from this time after the start on")};
  cl::opt<std::string> For{"for", cl::value_desc("time"), OfRun, WithoutCommand,
                           cl::desc("count for this long")};
  cl::opt<bool> Force{"force", OfRun, OfTry, WithoutCommand,
                      cl::desc("run what was not built as it should be, too")};
  cl::opt<bool> Quiet{"q",      OfRun,          OfRecord,
                      OfImport, WithoutCommand, cl::desc("do not say what was written")};
  cl::alias LongQuiet{"quiet", cl::aliasopt(Quiet), cl::desc("Alias for -q")};
  cl::opt<std::string> Program{cl::Positional, OfRun, WithoutCommand, cl::desc("PROGRAM")};
  cl::list<std::string> Arguments{cl::ConsumeAfter, OfRun, WithoutCommand, cl::desc("ARGUMENT...")};

  support::Size Process{"p", cl::value_desc("process"), OfRecord,
                        cl::desc("sample a process that runs already")};
  cl::opt<std::string> Duration{"duration", cl::value_desc("seconds"), OfRecord,
                                cl::desc("sample for this long (default: to the program's end)")};
  support::Size Frequency{
      "F", cl::value_desc("n"), OfRecord,
      cl::desc("samples of a thread in a second of its time (default: 1000 in the "
               "first quarter of a second, 500 later)")};
  cl::opt<std::string> SourceName{
      "source", cl::value_desc("name"), OfRecord,
      cl::desc("pebs, ibs, spe, cpu-clock, page-faults, or auto: the best "
               "that is there, and page-faults (default)")};
  support::Size Latency{"latency", cl::value_desc("cycles"), OfRecord,
                        cl::desc("of pebs and spe: only what takes so long (default: 30)")};
  support::Size Gathered{"gather", cl::value_desc("size"), OfRecord,
                         cl::desc("of smaller blocks, from this size on, those of a place "
                                  "together are an array")};
  cl::opt<bool> NoPreload{"no-preload", OfRecord,
                          cl::desc("load nothing into the program; its blocks have no names then")};
  cl::opt<bool> EveryProcess{"a", OfRecord, cl::desc("refused: see mai-trace(1)"), cl::Hidden};
  cl::opt<std::string> Sampled{cl::Positional, OfRecord, cl::desc("PROGRAM")};
  cl::list<std::string> SampledArguments{cl::ConsumeAfter, OfRecord, cl::desc("ARGUMENT...")};

  cl::opt<bool> ListsSamples{"list", OfImport,
                             cl::desc("print the samples instead, a line for each")};
  cl::opt<std::string> PerfData{cl::Positional, OfImport, cl::desc("FILE")};

  cl::opt<Format> InfoFormat{
      cl::desc("Form (default: text):"), OfInfo,
      cl::values(clEnumValN(Format::Json, "json", "JSON"), clEnumValN(Format::Csv, "csv", "CSV"))};
  cl::opt<Format> ExportFormat{
      cl::desc("Form:"), OfExport, cl::init(Format::Csv),
      cl::values(
          clEnumValN(Format::Csv, "csv", "CSV (default)"),
          clEnumValN(Format::MatrixMarket, "mtx", "Matrix Market: pairs that share something"),
          clEnumValN(Format::Json, "json", "JSON, of all metrics"),
          clEnumValN(Format::Svg, "svg", "a picture"),
          clEnumValN(Format::Png, "png", "a picture of dots"),
          clEnumValN(Format::Blocks, "blocks", "for a terminal"),
          clEnumValN(Format::Callgrind, "callgrind",
                     "accesses by line of the source, for "
                     "kcachegrind and callgrind_annotate"),
          clEnumValN(Format::Speedscope, "speedscope", "the same for speedscope"),
          clEnumValN(Format::Accesses, "accesses",
                     "JSON: how often each thread accesses each line"))};
  cl::opt<Format> ReportFormat{cl::desc("Form (default: text):"), OfReport,
                               cl::values(clEnumValN(Format::Json, "json", "JSON"),
                                          clEnumValN(Format::Html, "html", "one HTML page"))};
  cl::opt<Metric> Shown{
      "metric", cl::desc("what is shared"), OfExport,
      cl::values(clEnumValN(Metric::Accesses, "accesses",
                            "accesses of both to lines that both use (default)"),
                 clEnumValN(Metric::Memory, "memory", "bytes of these lines"),
                 clEnumValN(Metric::Min, "min", "the smaller count of accesses"),
                 clEnumValN(Metric::Transfers, "transfers",
                            "how often lines went from the row's thread, which wrote them, to the "
                            "column's (of runs with --transfers)"))};
  support::Size Nodes{
      "nodes",
      cl::value_desc("n"),
      OfInfo,
      OfExport,
      OfReport,
      OfPolicies,
      OfAnnotate,
      OfMerge,
      OfCompare,
      cl::desc("imagine n nodes: threads distributed in blocks, each page on the node of "
               "the thread that touched it first")};
  cl::opt<std::string> MeasuredLatencies{
      "latencies", cl::value_desc("file"), OfReport,
      cl::desc("of the machine, as numarch --json has printed them after --measure")};
  cl::opt<std::string> LeastGain{
      "least-gain", cl::value_desc("percent"), OfReport, OfMerge,
      cl::desc("report only cures that help so many of all accesses (default: 2%)")};
  cl::opt<std::string> FailOn{"fail-on", cl::value_desc("percent"), OfReport, OfMerge,
                              cl::desc("exit with 1 if a cure would help more of all accesses")};
  cl::opt<bool> Writers{"writers", OfExport, OfReport,
                        cl::desc("only lines that one of the pair writes")};
  support::Size Phase{"phase", cl::value_desc("n"), OfExport, OfReport,
                      cl::desc("only this parallel region")};
  support::Size Slice{"slice", cl::value_desc("n"), OfExport, OfReport,
                      cl::desc("only this slice of time")};
  cl::opt<bool> AllThreads{"all-threads", OfExport, OfReport,
                           cl::desc("not only OpenMP's threads")};
  cl::opt<bool> Stack{"stack",    OfInfo,
                      OfExport,   OfReport,
                      OfAnnotate, cl::desc("also what each thread does to its own stack")};
  cl::opt<std::string> File{cl::Positional, OfInfo,     OfExport,           OfReport,
                            OfPolicies,     OfAnnotate, cl::desc("PROFILE")};
  cl::opt<bool> MergedJson{"json", OfMerge, cl::desc("JSON (default: text)")};
  cl::list<std::string> Merged{cl::Positional, OfMerge, cl::desc("PROFILE...")};
  cl::opt<bool> ComparedCsv{"csv", OfCompare, cl::desc("CSV (default: text)")};
  cl::opt<bool> ComparedHtml{"html", OfCompare, cl::desc("a page")};
  cl::list<std::string> Compared{cl::Positional, OfCompare, cl::desc("PROFILE...")};
  cl::list<std::string> Annotated{cl::Positional, OfAnnotate, cl::desc("[SOURCE...]")};

  cl::opt<std::string> TriedFile{"tried", cl::value_desc("profile"), OfReport,
                                 cl::desc("that mai-trace try has written")};
  cl::opt<std::string> FileToCure{cl::Positional, OfTry, cl::desc("PROFILE")};
  cl::list<std::string> CommandToCure{cl::ConsumeAfter, OfTry, cl::desc("-- PROGRAM ARGUMENT...")};

  const cl::opt<Format> &form() const {
    return Info ? InfoFormat : Export ? ExportFormat : ReportFormat;
  }
  std::vector<std::string> commandToCure() const {
    std::vector<std::string> Result(CommandToCure.begin(), CommandToCure.end());
    if (!Result.empty() && Result.front() == "--")
      Result.erase(Result.begin());
    return Result;
  }
  bool exportsCode() const {
    return ExportFormat == Format::Callgrind || ExportFormat == Format::Speedscope;
  }
  bool shows() const { return Info || Export || Report || Policies || Annotate; }

  SharingOptions shared() const {
    SharingOptions Result;
    Result.Writers = Writers;
    Result.AllThreads = AllThreads;
    if (Phase.getNumOccurrences() > 0)
      Result.Phase = static_cast<uint32_t>(Phase);
    if (Slice.getNumOccurrences() > 0)
      Result.Slice = static_cast<uint32_t>(Slice);
    return Result;
  }
};

constexpr uint64_t NodesMax = 1024;
constexpr uint64_t ModelWaysMax = 64;
constexpr int ExitGain = support::ExitFound;

std::optional<Profile> readProfile(const std::string &File, std::string &Error) {
  const support::Progress Shown("reads " + File);
  std::optional<Profile> P = load(File, Error);
  if (P)
    divideHolders(*P);
  return P;
}

Judgement judged(const Profile &P, const Usage &U, double LeastGain) {
  const support::Progress Shown("judges " + std::to_string(U.Arrays.size()) + " arrays");
  return judge(P, U, LeastGain);
}

int misuse(const std::string &Message) { return support::usageError("mai-trace", Message); }

/// What is wrong with a number; empty: nothing.
std::string outOfRange(const support::Size &Number, uint64_t Min, uint64_t Max) {
  if (Number.getNumOccurrences() == 0 || (Number >= Min && Number <= Max))
    return "";
  return "--" + Number.ArgStr.str() + ": expected a number from " + std::to_string(Min) + " to " +
         std::to_string(Max) + ", found " + std::to_string(Number);
}

/// A part of all, such as "2%" or "0.5". \returns nothing where it is none
std::optional<double> percentage(llvm::StringRef Text) {
  double Percent = 0;
  Text.consume_back("%");
  if (Text.getAsDouble(Percent) || !(Percent >= 0 && Percent <= 100))
    return std::nullopt;
  return Percent / 100;
}

std::string notAPercentage(const cl::opt<std::string> &Option) {
  if (Option.getNumOccurrences() == 0 || percentage(Option.getValue()))
    return "";
  return "--" + Option.ArgStr.str() + ": expected a percentage from 0 to 100, found " + Option;
}

/// Whether it is a number with a unit of time, or without.
bool isTime(llvm::StringRef Text) {
  unsigned long long Value = 0;
  if (Text.consumeInteger(10, Value))
    return false;
  return Text.empty() || Text == "s" || Text == "ms" || Text == "m" || Text == "h";
}

std::string recordMistake(const CommandLine &Line) {
  double Seconds = 0;
  if (Line.EveryProcess)
    return "-a: all processes of a machine have no arrays in common; sample one with -p";
  if (Line.Process.getNumOccurrences() && !Line.Sampled.empty())
    return "expected a process or a program, found both (--duration says how long a process is "
           "sampled)";
  if (!Line.Process.getNumOccurrences() && Line.Sampled.empty())
    return "expected a program";
  if (Line.Duration.getNumOccurrences() &&
      (llvm::StringRef(Line.Duration).getAsDouble(Seconds) || !(Seconds > 0)))
    return "--duration: expected a number of seconds, found '" + Line.Duration + "'";
  constexpr std::string_view Sources[] = {"",    "auto",      "pebs",       "ibs",
                                          "spe", "cpu-clock", "page-faults"};
  if (std::find(std::begin(Sources), std::end(Sources), Line.SourceName) == std::end(Sources))
    return "--source: expected auto, pebs, ibs, spe, cpu-clock or page-faults, found '" +
           Line.SourceName + "'";
  return "";
}

/// The model sees every access.
std::string modelMistake(const CommandLine &Line) {
  for (const support::Size *Its : {&Line.ModelNodes, &Line.ModelCache, &Line.ModelWays})
    if (Its->getNumOccurrences() > 0 && !Line.Model)
      return "--" + Its->ArgStr.str() + ": expected --model, too";
  for (const support::Size *Other : {&Line.Sample, &Line.Cache})
    if (Other->getNumOccurrences() > 0 && Line.Model)
      return "--model: sees every access; expected no --" + Other->ArgStr.str();
  return "";
}

std::string mistake(const CommandLine &Line) {
  for (const cl::opt<std::string> *Time : {&Line.Checkpoint, &Line.After, &Line.For, &Line.Slices})
    if (Time->getNumOccurrences() > 0 && !isTime(*Time))
      return "--" + Time->ArgStr.str() + ": expected a time such as 90, 500ms, 5m or 2h, found '" +
             Time->getValue() + "'";
  const std::tuple<const support::Size &, uint64_t, uint64_t> Ranges[] = {
      {Line.Sample, 1, UINT64_MAX},
      {Line.Cache, 512, UINT64_MAX},
      {Line.Line, 64, 4096},
      {Line.Block, 1, UINT64_MAX},
      {Line.Gathered, 1, UINT64_MAX},
      {Line.Nodes, 1, NodesMax},
      {Line.Phase, 0, None - 1},
      {Line.Slice, 0, None - 1},
      {Line.Frequency, 1, 20000},
      {Line.Process, 1, INT32_MAX},
      {Line.Latency, 1, 65535},
      {Line.ModelNodes, 1, ModelNodesMax},
      {Line.ModelCache, 64, UINT64_MAX},
      {Line.ModelWays, 1, ModelWaysMax}};
  for (const auto &[Number, Min, Max] : Ranges)
    if (const std::string Wrong = outOfRange(Number, Min, Max); !Wrong.empty())
      return Wrong;
  for (const cl::opt<std::string> *Each : {&Line.LeastGain, &Line.FailOn})
    if (const std::string Wrong = notAPercentage(*Each); !Wrong.empty())
      return Wrong;
  if ((Line.Line & (Line.Line - 1)) != 0)
    return "--line: expected a power of 2 from 64 to 4096, found " + std::to_string(Line.Line);
  if (const std::string Wrong = modelMistake(Line); !Wrong.empty())
    return Wrong;
  if (Line.shows() && !Line.Policies && !Line.Annotate && Line.form().getNumOccurrences() > 1)
    return "expected one form, found two";
  if (Line.shows() && Line.File.empty())
    return "expected a profile";
  if (Line.Merge)
    return Line.Merged.empty() ? "expected profiles" : "";
  if (Line.Compare)
    return Line.Compared.empty()                   ? "expected profiles"
           : Line.ComparedCsv && Line.ComparedHtml ? "expected one form, found two"
                                                   : "";
  if (Line.RecordIt)
    return recordMistake(Line);
  if (Line.ImportIt)
    return Line.PerfData.empty() ? "expected a file of perf record" : "";
  if (Line.Try)
    return Line.commandToCure().empty() ? "expected a profile and a program" : "";
  return !Line.shows() && Line.Program.empty() ? "expected a program" : "";
}

int run(const CommandLine &Line) {
  RunOptions Options;
  const std::pair<const support::Size &, const char *> Variables[] = {
      {Line.Sample, "MAI_TRACE_SAMPLE"},
      {Line.Pace, "MAI_TRACE_PACE"},
      {Line.Cache, "MAI_TRACE_CACHE"},
      {Line.Line, "MAI_TRACE_LINE"},
      {Line.Memory, "MAI_TRACE_MEMORY"},
      {Line.Block, "MAI_TRACE_BLOCK"},
      {Line.ModelNodes, "MAI_TRACE_MODEL_NODES"},
      {Line.ModelCache, "MAI_TRACE_MODEL_CACHE"},
      {Line.ModelWays, "MAI_TRACE_MODEL_WAYS"}};
  for (const auto &[Number, Variable] : Variables)
    if (Number.getNumOccurrences() > 0)
      Options.Environment.emplace_back(Variable, std::to_string(Number));
  const std::pair<const cl::opt<std::string> &, const char *> Times[] = {
      {Line.Checkpoint, "MAI_TRACE_CHECKPOINT"},
      {Line.Slices, "MAI_TRACE_SLICES"},
      {Line.After, "MAI_TRACE_AFTER"},
      {Line.For, "MAI_TRACE_FOR"}};
  for (const auto &[Time, Variable] : Times)
    if (Time.getNumOccurrences() > 0)
      Options.Environment.emplace_back(Variable, Time);
  if (Line.Transfers)
    Options.Environment.emplace_back("MAI_TRACE_TRANSFERS", "1");
  if (Line.Sources)
    Options.Environment.emplace_back("MAI_TRACE_SOURCES", "1");
  if (Line.Model)
    Options.Environment.emplace_back("MAI_TRACE_MODEL", "1");
  if (Line.Phases)
    Options.Environment.emplace_back("MAI_TRACE_PHASES", "1");
  if (Line.Tasks)
    Options.Environment.emplace_back("MAI_TRACE_TASKS", "1");
  Options.Output = Line.Output;
  Options.Quiet = Line.Quiet;
  Options.Force = Line.Force;
  Options.Command = {Line.Program};
  Options.Command.insert(Options.Command.end(), Line.Arguments.begin(), Line.Arguments.end());
  return runTraced(Options);
}

int record(const CommandLine &Line) {
  const bool IsAuto = Line.SourceName.empty() || Line.SourceName == "auto";
  sample::RecordOptions Options;
  Options.Process = static_cast<pid_t>(Line.Process);
  if (!Line.Sampled.empty()) {
    Options.Command = {Line.Sampled};
    Options.Command.insert(Options.Command.end(), Line.SampledArguments.begin(),
                           Line.SampledArguments.end());
  }
  Options.What.Timer = IsAuto || Line.SourceName == "cpu-clock";
  Options.What.Faults = IsAuto || Line.SourceName == "page-faults";
  Options.What.Processor = IsAuto                      ? sample::Unit::Any
                           : Line.SourceName == "pebs" ? sample::Unit::Pebs
                           : Line.SourceName == "ibs"  ? sample::Unit::Ibs
                           : Line.SourceName == "spe"  ? sample::Unit::Spe
                                                       : sample::Unit::None;
  if (Line.Latency.getNumOccurrences())
    Options.What.Latency = Line.Latency;
  Options.What.IsPaced = !Line.Frequency;
  if (Line.Frequency)
    Options.What.Frequency = Line.Frequency;
  llvm::StringRef(Line.Duration).getAsDouble(Options.Seconds);
  Options.Preload = !Line.NoPreload && !Options.Process;
  if (Line.Block.getNumOccurrences())
    Options.BlockBytes = Line.Block;
  if (Line.Gathered.getNumOccurrences())
    Options.GatheredBytes = Line.Gathered;
  Options.Output = Line.Output;
  return recordProgram(std::move(Options), Line.Quiet);
}

int fail(const std::string &Message) {
  llvm::errs() << "mai-trace: " << Message << '\n';
  return ExitError;
}

int write(const CommandLine &Line, const std::string &Text) {
  const bool Prints = Line.Output.empty() || Line.Output == "-";
  const std::error_code Error =
      Prints ? support::print(Text) : support::writeWhole(Line.Output, Text);
  const std::string Where = Prints ? "standard output" : Line.Output.getValue();
  return Error ? fail(Where + ": " + Error.message()) : 0;
}

int importIt(const CommandLine &Line) {
  if (!Line.ListsSamples)
    return importSamples(Line.PerfData, Line.Output, Line.Quiet);
  std::string Error;
  const std::string Text = sample::listSamples(Line.PerfData, Error);
  return Error.empty() ? write(Line, Text) : fail(Error);
}

int exportMatrix(const CommandLine &Line, const Profile &P) {
  const SharingOptions Options = Line.shared();
  const Sharing S = sharing(P, Options);
  if (Line.Shown == Metric::Transfers && !P.HasTransfers)
    return fail(Line.File + ": transfers were not counted (mai-trace --transfers counts them)");
  if (Line.Shown == Metric::Transfers && Options.Slice != None)
    return fail(Line.File + ": transfers are not known by slices of time");
  const Matrix M = Line.Shown == Metric::Transfers ? transfers(P, Options)
                   : Line.Shown == Metric::Memory  ? S.Memory
                   : Line.Shown == Metric::Min     ? S.Smaller
                                                   : S.Accesses;
  switch (Line.ExportFormat) {
  case Format::Json:
    return write(Line, sharingJson(P, S, Options));
  case Format::Svg:
    return write(Line, svg(M, Line.Shown == Metric::Memory      ? "bytes"
                              : Line.Shown == Metric::Transfers ? "transfers"
                                                                : "accesses"));
  case Format::MatrixMarket:
    return write(Line, matrixMarket(M, Line.Shown != Metric::Transfers));
  case Format::Png:
    return write(Line, png(M));
  case Format::Blocks:
    return write(Line, blocks(M));
  default:
    return write(Line, matrixCsv(M));
  }
}

/// What needs the accesses by code.
int showCode(const CommandLine &Line, const Profile &P, const Usage &U) {
  if (P.Codes.empty())
    return fail(Line.File + ": accesses were not counted by lines of the source (mai-trace "
                            "--sources counts them)");
  if (Line.Export && Line.ExportFormat == Format::Speedscope)
    return write(Line, speedscope(P));
  const std::vector<LineUse> Lines = codeLines(P, U);
  if (Line.Export)
    return write(Line, callgrind(P, Lines));
  std::string Error;
  const std::string Text = annotated(Lines, {Line.Annotated.begin(), Line.Annotated.end()}, Error);
  return Error.empty() ? write(Line, Text) : fail(Line.File + ": " + Error);
}

/// Whether a cure would save more than the command line allows.
bool isTooMuch(const CommandLine &Line, double Gain) {
  const std::optional<double> Allowed = percentage(Line.FailOn.getValue());
  return Allowed && Gain > *Allowed;
}

double greatestGain(const Judgement &J) {
  double Most = 0;
  for (const Verdict &V : J.Verdicts)
    Most = std::max(Most, V.Gain);
  return Most;
}

double leastGain(const CommandLine &Line) {
  return percentage(Line.LeastGain.getValue()).value_or(LeastGainByDefault);
}

//===-- Trying cures ----------------------------------------------------------===//

std::string ofOneNode(const std::string &File) {
  return File + ": comes from a machine with one node, where no placement matters";
}

/// How accesses fare in a profile that is to be compared with another.
std::optional<Effect> effectOfFile(const std::string &File, std::string &Error) {
  std::optional<Profile> P = readProfile(File, Error);
  if (!P)
    return std::nullopt;
  if (P->Nodes.size() < 2) {
    Error = ofOneNode(File);
    return std::nullopt;
  }
  leaveOutOwnStacks(*P);
  return effectOf(*P, usage(*P, layoutOf(*P)));
}

/// Notes what a run with the cure was like. \returns an exit status
int addTried(Judgement &J, const std::string &File) {
  const std::optional<Trial> Its = trialOf(J);
  if (!Its)
    return 0;
  std::string Error;
  J.Verdicts[Its->Verdict].Tried = effectOfFile(File, Error);
  return J.Verdicts[Its->Verdict].Tried ? 0 : fail(Error);
}

int print(const std::string &Text) {
  const std::error_code Error = support::print(Text);
  return Error ? fail("standard output: " + Error.message()) : 0;
}

RunOptions trialOptions(const CommandLine &Line, bool WithPhases) {
  RunOptions Options;
  Options.Command = Line.commandToCure();
  Options.Quiet = true;
  Options.Force = Line.Force;
  if (WithPhases)
    Options.Environment.emplace_back("MAI_TRACE_PHASES", "1");
  const std::string &Program = Options.Command[0];
  Options.Output = Line.Output.empty() ? llvm::sys::path::filename(Program).str() + ".tried.maiprof"
                                       : Line.Output.getValue();
  return Options;
}

int tryCure(const CommandLine &Line) {
  std::string Error;
  std::optional<Profile> P = readProfile(Line.FileToCure, Error);
  if (!P)
    return fail(Error);
  if (P->Nodes.size() < 2)
    return fail(ofOneNode(Line.FileToCure));
  leaveOutOwnStacks(*P);
  const Usage U = usage(*P, layoutOf(*P));
  Judgement J = judge(*P, U);
  const std::optional<Trial> Its = trialOf(J);
  if (!Its) {
    const int Status = print(verdictsText(*P, U, J));
    return Status || J.Verdicts.empty() ? Status : fail("no command applies a cure of these");
  }
  const RunOptions Options = trialOptions(Line, P->HasPhases);
  if (const int Status = runTrial(*Its, Options))
    return Status;
  if (const int Status = addTried(J, Options.Output))
    return Status;
  return print(verdictsText(*P, U, J));
}

/// The machine's nodes, or imagined ones. Policies are for other machines, too: where there is one
/// node, as many as there are threads, but no more than common machines have.
Layout layout(const CommandLine &Line, const Profile &P) {
  constexpr size_t Common = 4;
  if (Line.Nodes)
    return imagine(P, uint32_t(Line.Nodes));
  if (P.SeenBy && P.SeenBy->Nodes)
    return imagine(P, P.SeenBy->Nodes);
  if (Line.Policies && P.Nodes.size() < 2)
    return imagine(P, uint32_t(std::min(P.Threads.size(), Common)));
  return layoutOf(P);
}

std::optional<LatencyModel> latencyModel(const CommandLine &Line, const Layout &L,
                                         std::string &Error) {
  return Line.MeasuredLatencies.empty() ? byDistances(L)
                                        : measuredLatencies(Line.MeasuredLatencies, L, Error);
}

int show(const CommandLine &Line) {
  std::string Error;
  std::optional<Profile> P = readProfile(Line.File, Error);
  if (!P)
    return fail(Error);
  const SharingOptions Shared = Line.shared();
  if (Shared.Phase != None && Shared.Phase > P->Phases.size())
    return fail(Line.File + ": has phases 0 to " + std::to_string(P->Phases.size()) + ", not " +
                std::to_string(Shared.Phase) +
                (P->HasPhases ? "" : " (mai-trace --phases counts them)"));
  if (Shared.Slice != None && Shared.Slice >= P->Slices.size())
    return fail(Line.File + ": has " + std::to_string(P->Slices.size()) +
                " slices of time (mai-trace --slices counts them)");
  if (P->Threads.empty())
    return fail(Line.File + ": nothing was counted");
  if (!Line.Stack)
    leaveOutOwnStacks(*P);
  if (Line.Export && Line.ExportFormat == Format::Accesses)
    return write(Line, accessesJson(*P));
  if (Line.Export && !Line.exportsCode())
    return exportMatrix(Line, *P);
  const Usage U = usage(*P, layout(Line, *P));
  if (Line.Annotate || Line.Export)
    return showCode(Line, *P, U);
  if (Line.Policies)
    return write(Line, policiesText(*P, U, Line.File));
  if (Line.Info && Line.InfoFormat != Format::Json)
    return write(Line, Line.InfoFormat == Format::Csv ? infoCsv(U) : infoText(*P, U));
  Judgement J = judged(*P, U, leastGain(Line));
  if (Line.Info)
    return write(Line, infoJson(*P, U, J));
  if (!Line.TriedFile.empty())
    if (const int Status = addTried(J, Line.TriedFile))
      return Status;
  std::optional<LatencyModel> Model = latencyModel(Line, U.Where, Error);
  if (!Model)
    return fail(Error);
  judgeRegions(J, *P, U.Where);
  const Latencies Times = latencies(*P, U.Where, std::move(*Model));
  const int Status =
      write(Line, Line.ReportFormat == Format::Json   ? reportJson(*P, U, J, Times, Shared)
                  : Line.ReportFormat == Format::Html ? reportHtml(*P, U, J, Times, Shared)
                                                      : reportText(*P, U, J, Times, Shared));
  return Status == 0 && isTooMuch(Line, greatestGain(J)) ? ExitGain : Status;
}

ComparedRun comparedRun(const std::string &File, const Profile &P, const Usage &U) {
  ComparedRun R;
  R.Name = runName(File);
  R.Threads = P.Threads.size();
  const Effect Now = effectOf(P, U);
  R.Remote = Now.Remote;
  R.Busiest = Now.Busiest;
  R.Modelled = latencies(P, U.Where, byDistances(U.Where));
  R.Measured = sampledLatencies(P);
  const uint32_t Critical = R.Measured ? R.Measured->Critical : R.Modelled.Critical;
  R.CriticalThread = Critical == None ? "-" : P.Threads[Critical].name();
  return R;
}

/// One of several profiles; nothing, and why, where nothing can be said of it.
std::optional<Profile> loadRun(const std::string &File, std::string &Error) {
  std::optional<Profile> P = readProfile(File, Error);
  if (P && P->Threads.empty()) {
    Error = File + ": nothing was counted";
    return std::nullopt;
  }
  if (P)
    leaveOutOwnStacks(*P);
  return P;
}

int compareRuns(const CommandLine &Line) {
  std::vector<ComparedRun> Runs;
  for (const std::string &File : Line.Compared) {
    std::string Error;
    const std::optional<Profile> P = loadRun(File, Error);
    if (!P)
      return fail(Error);
    Runs.push_back(comparedRun(File, *P, usage(*P, layout(Line, *P))));
  }
  return write(Line, Line.ComparedHtml  ? comparedHtml(Runs)
                     : Line.ComparedCsv ? comparedCsv(Runs)
                                        : comparedText(Runs));
}

int mergeRanks(const CommandLine &Line) {
  std::vector<Rank> Ranks;
  for (const std::string &File : Line.Merged) {
    std::string Error;
    const std::optional<Profile> P = loadRun(File, Error);
    if (!P)
      return fail(Error);
    const Usage U = usage(*P, layout(Line, *P));
    Ranks.push_back(rankOf(File, *P, U, judged(*P, U, leastGain(Line))));
  }
  const int Status = write(Line, Line.MergedJson ? mergedJson(Ranks, leastGain(Line))
                                                 : mergedText(Ranks, leastGain(Line)));
  return Status == 0 && isTooMuch(Line, greatestGain(Ranks)) ? ExitGain : Status;
}

int parseAndRun(int Argc, char **Argv) {
  support::forgetOptions();
  CommandLine Line;
  const std::optional<int> Exit = support::parseOptions(
      Argc, Argv,
      {"Shows which threads share which memory, and what is wrong with its placement.\n", Brief,
       "mai-trace (Minas) " MINAS_VERSION});
  if (Exit)
    return *Exit;
  if (const std::string Wrong = mistake(Line); !Wrong.empty())
    return misuse(Wrong);
  if (Line.Merge)
    return mergeRanks(Line);
  if (Line.Compare)
    return compareRuns(Line);
  if (Line.RecordIt)
    return record(Line);
  if (Line.ImportIt)
    return importIt(Line);
  if (Line.Try)
    return tryCure(Line);
  return Line.shows() ? show(Line) : run(Line);
}

} // namespace

int main(int Argc, char **Argv) {
  try {
    return parseAndRun(Argc, Argv);
  } catch (const std::bad_alloc &) {
    return fail("out of memory");
  } catch (const std::exception &Error) {
    return fail(Error.what());
  }
}
