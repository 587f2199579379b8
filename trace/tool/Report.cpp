//===-- Report.cpp - a profile as text --------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "CodeLines.h"
#include "Drawings.h"
#include "support/Text.h"
#include "trace/model/Tables.h"
#include "trace/profile/SampleError.h"
#include "trace/profile/SystemLibraries.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

using namespace maiprof;
using support::bytesText;
using support::countText;
using support::csvField;
using support::percentText;

namespace {

constexpr size_t LinesShown = 20;
constexpr size_t PageLineWidth = 64;
constexpr double MuchNotKnown = 0.1; /* of all accesses */

[[gnu::format(printf, 2, 3)]] void print(std::string &Out, const char *Format, ...) {
  char Text[2048];
  va_list Arguments;
  va_start(Arguments, Format);
  std::vsnprintf(Text, sizeof Text, Format, Arguments);
  va_end(Arguments);
  Out += Text;
}

/// A share of all accesses, in the words of the head.
std::string shareText(const Profile &P, uint64_t Accesses, const char *What) {
  const uint64_t All = totalCounts(P).sum();
  return percentText(All ? double(Accesses) / double(All) : 0) + " of accesses by " + What +
         " only: memory for counters ran out";
}

} // namespace

std::string maiprof::kindName(Array::Kind What) {
  switch (What) {
  case Array::Kind::Static:
    return "static";
  case Array::Kind::Heap:
    return "heap";
  case Array::Kind::Mai:
    return "MAi";
  case Array::Kind::Stack:
    return "stack";
  case Array::Kind::Mapping:
    return "mapping";
  }
  return "";
}

/// Few samples say nothing.
static bool hasTimes(const Profile &P) {
  constexpr uint64_t SamplesLeast = 50;
  return P.CodeTime && P.CodeTime->Samples >= SamplesLeast;
}

/// What an object that is not traced had of the run time.
static double timeOf(const Profile &P, const std::string &Module) {
  for (const RunTime::Part &Each : P.CodeTime->Untraced)
    if (Each.Function.empty() && Each.Module == Module)
      return P.CodeTime->part(Each);
  return 0;
}

static std::string timeText(double Part) { return percentText(Part) + " of the run time"; }

/// As the source calls it, without arguments.
static std::string functionText(const std::string &Symbol) {
  const std::string Name = llvm::demangle(Symbol);
  return Name.substr(0, Name.find('(')) + "()";
}

/// Code that is not traced, with its run time: objects that are loaded, others, and functions.
static void addUntraced(std::vector<std::string> &List, const Profile &P) {
  const bool HasTimes = hasTimes(P);
  for (const Module &M : P.Modules)
    if (!M.Instrumented && !isSystemLibrary(M.Path))
      List.push_back("the code of " + llvm::sys::path::filename(M.Path).str() +
                     ", which was not built for tracing" +
                     (HasTimes ? " and had " + timeText(timeOf(P, M.Path)) : ""));
  constexpr double PartLeast = 0.01;
  for (const RunTime::Part &Each : HasTimes ? P.CodeTime->Untraced : std::vector<RunTime::Part>()) {
    const std::string Time = timeText(P.CodeTime->part(Each));
    const bool IsLoaded = std::any_of(P.Modules.begin(), P.Modules.end(),
                                      [&](const Module &M) { return M.Path == Each.Module; });
    if (P.CodeTime->part(Each) < PartLeast)
      continue;
    if (!Each.Function.empty())
      List.push_back(functionText(Each.Function) + " of " +
                     llvm::sys::path::filename(Each.Module).str() +
                     ", which was compiled without hooks and had " + Time);
    else if (Each.Module.empty())
      List.push_back("code that the program generates, which had " + Time);
    else if (!IsLoaded && !isSystemLibrary(Each.Module))
      List.push_back("the code of " + llvm::sys::path::filename(Each.Module).str() +
                     ", which was not built for tracing, had been unloaded at the end and had " +
                     Time);
  }
}

std::vector<std::string> maiprof::gaps(const Profile &P) {
  std::vector<std::string> List;
  addUntraced(List, P);
  uint64_t ByPage = 0;
  for (const Series &S : P.CoarsePages)
    for (const Touch &T : S.Touches)
      ByPage += T.Accesses.sum() * P.Sample;
  uint64_t Elsewhere = 0;
  for (const Thread &T : P.Threads)
    Elsewhere += T.Elsewhere.sum() * P.Sample;
  if (ByPage)
    List.push_back(shareText(P, ByPage, "pages"));
  if (Elsewhere)
    List.push_back(shareText(P, Elsewhere, "their number"));
  if (P.HasGaps)
    List.emplace_back("a part of the run, when it was not to be counted");
  if (P.WasRunning)
    List.emplace_back("what the program did after its last checkpoint");
  return List;
}

/// What a sample is one of so many of.
static std::string periodText(const Sampling &S) {
  switch (S.Of) {
  case Sampling::Unit::Accesses:
    return S.Period ? "one of " + countText(S.Period) + " accesses"
                    : "of accesses at changing gaps";
  case Sampling::Unit::Time:
    return "one each " + std::to_string(S.Period / 1000) + " microseconds of a thread's time" +
           (S.Effective < S.Samples ? ", or of a multiple" : "");
  case Sampling::Unit::Faults:
    return "one for each first touch of a page";
  }
  return "";
}

std::string maiprof::samplingText(const Profile &P) {
  const Sampling &S = *P.Sampled;
  const uint64_t Missing = S.WithoutAccess + S.WithoutAddress + S.WithoutCode;
  std::string Text = std::to_string(S.Samples) + " samples by " + S.Source + ", " + periodText(S);
  if (Missing)
    Text += "; " + percentText(double(Missing) / double(Missing + S.Samples)) +
            " of all taken are not usable (" + std::to_string(S.WithoutAccess) +
            " made no access or waited, of " + std::to_string(S.WithoutAddress) +
            " the address is gone, of " + std::to_string(S.WithoutCode) + " the code is not known)";
  if (S.Lost)
    Text += "; the kernel lost " + std::to_string(S.Lost);
  if (S.Throttled)
    Text += "; the kernel throttled " + std::to_string(S.Throttled) + " times";
  return Text;
}

std::string maiprof::gainPercentText(const Verdict &V, const Profile &P) {
  return percentText(V.Gain) + (P.Sampled ? " +- " + percentText(V.Error) : "");
}

std::string maiprof::firstTouchers(const Profile &P, const ArrayUse &A) {
  std::string Text;
  for (size_t I = 0; I < A.FirstTouched.size(); ++I)
    if (A.FirstTouched[I])
      Text += (Text.empty() ? "" : ", ") + P.Threads[I].name() + " (" +
              std::to_string(A.FirstTouched[I]) + ")";
  return Text;
}

std::vector<std::string> maiprof::adviceLines(const ArrayUse &A, const advice::Advice &Its) {
  if (Its.IsWell)
    return {"best placement: as it is"};
  const double Saved = (Its.Now.Remote - Its.Then.Remote) * double(A.Where.placed());
  return {"best placement: " + Its.Policy + (Its.OfRows ? " of its rows" : "") + ", which saves " +
              countText(double(uint64_t(std::max(0.0, Saved)))) + " remote accesses (" +
              percentText(Its.Now.Remote) + " -> " + percentText(Its.Then.Remote) + ")",
          "busiest node " + percentText(Its.Now.Busiest) + " -> " + percentText(Its.Then.Busiest) +
              "; " + Its.Reason};
}

std::string maiprof::regionText(const Judgement &J, uint32_t Phase) {
  const auto Found = J.OfRegions.find(Phase);
  std::string Text;
  for (const Verdict &V : Found == J.OfRegions.end() ? std::vector<Verdict>() : Found->second)
    if (V.Gain > 0)
      Text += (Text.empty() ? "" : ", ") + (V.Array.empty() ? "" : V.Array + ": ") +
              std::string(wordOf(V.What)) + " " + percentText(V.Gain);
  return Text;
}

std::vector<std::string> maiprof::changesText(const std::vector<RegionUse> &Regions) {
  std::vector<std::string> List;
  for (const auto &[Before, After] : changes(Regions))
    List.push_back("the pattern changes: " + Regions[After].Name +
                   " divides memory among the threads in another way than " + Regions[Before].Name);
  return List;
}

std::vector<std::string> maiprof::conditions(const Profile &P) {
  std::vector<std::string> List;
  if (P.Sample > 1)
    List.push_back("counted 1 of " + std::to_string(P.Sample) + " accesses; numbers are estimates");
  if (P.CacheBytes)
    List.push_back("counted misses of a cache of " + bytesText(double(P.CacheBytes)) +
                   " a thread only");
  if (P.Signal)
    List.push_back("the program was ended by signal " + std::to_string(P.Signal));
  std::string Invisible;
  for (const Module &M : P.Modules)
    if (!M.Instrumented) {
      const double Time = hasTimes(P) ? timeOf(P, M.Path) : 0;
      Invisible += " " + llvm::sys::path::filename(M.Path).str() +
                   (Time > 0 ? " (" + timeText(Time) + ")" : "");
    }
  if (!Invisible.empty())
    List.push_back("accesses inside of these are not seen:" + Invisible);
  return List;
}

namespace {

void printCompleteness(std::string &Out, const Profile &P) {
  if (P.Sampled) {
    Out += "sampled   " + samplingText(P) + "\n";
    return;
  }
  std::string Text;
  for (const std::string &Gap : gaps(P))
    Text += (Text.empty() ? "" : "; ") + Gap;
  Out += Text.empty() ? "complete  all that the program's own code accesses is counted\n"
                      : "missing   " + Text + "\n";
}

void printConditions(std::string &Out, const Profile &P) {
  for (const std::string &Condition : conditions(P))
    Out += Condition + "\n";
}

void printHead(std::string &Out, const Profile &P) {
  std::string Command;
  for (const std::string &Argument : P.Arguments)
    Command += (Command.empty() ? "" : " ") + Argument;
  print(Out, "program   %s\n", Command.empty() ? P.Program.c_str() : Command.c_str());
  print(Out, "machine   %s, %zu nodes, %zu CPUs\n", P.Host.c_str(), P.Nodes.size(), P.Cpus.size());
  printCompleteness(Out, P);
  const Counts Sum = totalCounts(P);
  print(Out, "%s %llu reads, %llu writes\n", P.Sampled ? "weights  " : "accesses ",
        static_cast<unsigned long long>(Sum.Reads), static_cast<unsigned long long>(Sum.Writes));
  if (P.Sampled && P.Sampled->Of == Sampling::Unit::Time)
    Out += "          by the time that their code takes: what caches serve weighs less than what "
           "memory does\n";
  if (P.OnOwnStacks.sum())
    print(Out, "          without %llu of threads to their own stacks (--stack)\n",
          static_cast<unsigned long long>(P.OnOwnStacks.sum()));
  print(Out, "lines     %llu bytes; pages %llu bytes; counters took %s\n",
        static_cast<unsigned long long>(P.LineBytes), static_cast<unsigned long long>(P.PageBytes),
        bytesText(P.CounterBytes).c_str());
  printConditions(Out, P);
}

void printImaginedNodes(std::string &Out, const Usage &U) {
  if (U.Where.Imagined)
    print(Out,
          "nodes     %u, imagined: threads distributed in blocks, pages where they are first "
          "touched\n",
          U.Where.Nodes);
}

std::string nodeText(const Layout &L, uint32_t Node) {
  return Node == None ? "?" : std::to_string(L.OsIndex[Node]);
}

void printThreads(std::string &Out, const Profile &P, const Usage &U) {
  print(Out, "\n%-10s %5s %5s %14s %14s %14s %14s %14s\n", "thread", "CPU", "node", "reads",
        "writes", "local", "remote", "not known");
  for (size_t I = 0; I < P.Threads.size(); ++I) {
    const ThreadUse &T = U.Threads[I];
    const std::string Cpu = P.Threads[I].Cpu == None ? "?" : std::to_string(P.Threads[I].Cpu);
    print(Out, "%-10s %5s %5s %14llu %14llu %14llu %14llu %14llu%s\n", P.Threads[I].name().c_str(),
          Cpu.c_str(), nodeText(U.Where, U.Where.OfThread[I]).c_str(),
          static_cast<unsigned long long>(T.Accesses.Reads),
          static_cast<unsigned long long>(T.Accesses.Writes),
          static_cast<unsigned long long>(T.Where.Local),
          static_cast<unsigned long long>(T.Where.Remote),
          static_cast<unsigned long long>(T.Where.Unknown),
          P.Threads[I].Moves ? "  wanders between CPUs" : "");
  }
}

/// A latency with its unit.
std::string latencyText(const LatencyModel &M, double Value) {
  char Text[64];
  std::snprintf(Text, sizeof Text, "%.*f%s%s", M.Unit.empty() ? 2 : 0, Value,
                M.Unit.empty() ? "" : " ", M.Unit.c_str());
  return Text;
}

void printLatencies(std::string &Out, const Profile &P, const Latencies &Times) {
  if (const std::optional<SampledLatencies> Measured = sampledLatencies(P)) {
    Out += "\n" + sampledText(*Measured, P);
    return;
  }
  if (Times.AtLeast.empty())
    return;
  Out += "\nlatency   " + modelText(Times.Model) + "\n";
  print(Out, "%-10s %14s %14s %12s\n", "data", "TL", "TN", "AL");
  for (const auto &[Name, Sum] :
       {std::pair("private", Times.Private), std::pair("shared", Times.Shared)})
    print(Out, "%-10s %14s %14llu %12s\n", Name, countText(Sum.Total).c_str(),
          static_cast<unsigned long long>(Sum.Number),
          latencyText(Times.Model, Sum.average()).c_str());
  Out += "accesses that last at least";
  for (const auto &[Latency, Part] : Times.AtLeast)
    Out += (Part == 1 ? " " : ", ") + latencyText(Times.Model, Latency) + ": " + percentText(Part);
  Out += "\n" + threadsText(Times, P) + "\n";
}

void printArrays(std::string &Out, const Usage &U) {
  print(Out, "\n%-34s %-7s %9s %14s %14s %14s %14s\n", "array", "kind", "size", "reads", "writes",
        "local", "remote");
  for (const ArrayUse &A : U.Arrays)
    print(Out, "%-34s %-7s %9s %14llu %14llu %14llu %14llu\n", A.Name.c_str(),
          A.IsArray ? kindName(A.What).c_str() : "-", A.Bytes ? bytesText(A.Bytes).c_str() : "-",
          static_cast<unsigned long long>(A.Accesses.Reads),
          static_cast<unsigned long long>(A.Accesses.Writes),
          static_cast<unsigned long long>(A.Where.Local),
          static_cast<unsigned long long>(A.Where.Remote));
}

void printPhases(std::string &Out, const Profile &P) {
  if (!P.HasPhases)
    return;
  std::vector<Counts> Sums(P.Phases.size() + 1);
  for (const std::vector<Series> *List : {&P.Lines, &P.Parts, &P.CoarsePages})
    for (const Series &S : *List)
      for (const Touch &T : S.Touches) {
        Sums[S.Phase].Reads += T.Accesses.Reads * P.Sample;
        Sums[S.Phase].Writes += T.Accesses.Writes * P.Sample;
      }
  print(Out, "\n%5s %14s %14s  %s\n", "phase", "reads", "writes", "region");
  for (size_t I = 0; I < Sums.size(); ++I)
    print(Out, "%5zu %14llu %14llu  %s\n", I, static_cast<unsigned long long>(Sums[I].Reads),
          static_cast<unsigned long long>(Sums[I].Writes),
          I ? P.Phases[I - 1].name().c_str() : "outside of parallel regions");
}

void printRegions(std::string &Out, const std::vector<RegionUse> &Regions, const Judgement &J) {
  if (Regions.empty())
    return;
  print(Out, "\n%5s %14s %14s %8s %8s  %s\n", "phase", "reads", "writes", "remote", "if moved",
        "region");
  for (const RegionUse &Use : Regions)
    print(Out, "%5u %14llu %14llu %8s %8s  %s\n", Use.Phase,
          static_cast<unsigned long long>(Use.Accesses.Reads),
          static_cast<unsigned long long>(Use.Accesses.Writes),
          percentText(Use.Where.remoteShare()).c_str(), percentText(Use.LeastRemote).c_str(),
          Use.Name.c_str());
  for (const RegionUse &Use : Regions)
    if (const std::string Helps = regionText(J, Use.Phase); !Helps.empty())
      Out += "      " + Use.Name + " by itself: " + Helps + "\n";
  for (const std::string &Change : changesText(Regions))
    Out += "      " + Change + "\n";
}

/// The part of the accesses whose place is known.
std::string partText(const Split &Of, double Part) { return Of.placed() ? percentText(Part) : "-"; }

void printTasks(std::string &Out, const std::vector<TaskUse> &Tasks) {
  if (Tasks.empty())
    return;
  print(Out, "\n%12s %14s %14s %8s %8s  %s\n", "tasks", "reads", "writes", "local", "if moved",
        "made at");
  for (const TaskUse &Each : Tasks)
    print(Out, "%12s %14llu %14llu %8s %8s  %s\n",
          Each.Use.Phase ? std::to_string(Each.number()).c_str() : "-",
          static_cast<unsigned long long>(Each.Use.Accesses.Reads),
          static_cast<unsigned long long>(Each.Use.Accesses.Writes),
          partText(Each.Use.Where, 1 - Each.Use.Where.remoteShare()).c_str(),
          partText(Each.Use.Where, 1 - Each.Use.LeastRemote).c_str(), Each.Use.Name.c_str());
}

/// How alike the slice is to the one before it.
std::string likenessText(const std::vector<RegionUse> &Slices, size_t I) {
  const double Its = I ? Slices[I].Likeness[I - 1] : -1;
  return Its < 0 ? "-" : percentText(Its);
}

void printSlices(std::string &Out, const std::vector<RegionUse> &Slices) {
  if (Slices.empty())
    return;
  print(Out, "\n%5s %14s %14s %8s %8s  %s\n", "slice", "reads", "writes", "remote", "alike",
        "time");
  for (size_t I = 0; I < Slices.size(); ++I)
    print(Out, "%5u %14llu %14llu %8s %8s  %s\n", Slices[I].Phase,
          static_cast<unsigned long long>(Slices[I].Accesses.Reads),
          static_cast<unsigned long long>(Slices[I].Accesses.Writes),
          percentText(Slices[I].Where.remoteShare()).c_str(), likenessText(Slices, I).c_str(),
          Slices[I].Name.c_str());
}

/// What it is about, and what is wrong with that.
std::string title(const Verdict &V) {
  return (V.Array.empty() ? "" : V.Array + ": ") + V.Sentence + " (" + wordOf(V.What) + ")";
}

/// What the cure saves.
std::string gainText(const Verdict &V, const Judgement &J, const Profile &P) {
  if (V.Gain <= 0)
    return "no placement gains anything";
  return "gain " + gainPercentText(V, P) + ": " + effectText(J.Now, V.After, P);
}

void printVerdicts(std::string &Out, const Profile &P, const Usage &U, const Judgement &J) {
  const std::vector<LineUse> Lines = codeLines(P, U);
  Out += "\nverdict   " + summary(J, P, U.Where) + "\n";
  if (J.NotKnown >= MuchNotKnown)
    Out += "          " + percentText(J.NotKnown) +
           " go to memory of no known array, which is not judged "
           "(mai-trace --block 64 knows smaller blocks)\n";
  size_t Number = 0;
  for (const Verdict &V : J.Verdicts) {
    Out += "\n" + std::to_string(++Number) + ". " + title(V) + "\n   " + gainText(V, J, P) +
           "\n   " + V.Reason + "\n";
    if (const std::string By = mostBy(Lines, U, V.Array); !By.empty())
      Out += "   accessed most by " + By + "\n";
    if (V.Tried)
      Out += "   tried: " + effectText(J.Now, *V.Tried, P) + "\n";
    for (const std::string &Line : V.Cures)
      Out += "   > " + Line + "\n";
  }
}

std::string blocksText(const ArrayUse &A) {
  return A.Blocks < 2 ? ""
                      : " in " + countText(A.Blocks) + " blocks, at most " + countText(A.AtATime) +
                            " of a place at a time";
}

/// Of samples, the array's part of all of them and how far that may be off.
std::string errorText(const Profile &P, const Usage &U, const ArrayUse &A) {
  if (!P.Sampled)
    return "";
  const double All = double(std::max<uint64_t>(1, U.Total.Accesses.sum() + P.OnOwnStacks.sum()));
  const double Share = double(A.Accesses.sum()) / All;
  return " by samples, " + percentText(Share) + " +- " + percentText(shareError(P, Share)) +
         " of all";
}

void printArray(std::string &Out, const Profile &P, const Usage &U, const ArrayUse &A,
                const advice::Advice &Its, const std::string &By) {
  print(Out, "\n%s: %s, %s%s, %s accesses%s, %s of them shared, %s remote\n", A.Name.c_str(),
        kindName(A.What).c_str(), bytesText(A.Bytes).c_str(), blocksText(A).c_str(),
        countText(A.Accesses.sum()).c_str(), errorText(P, U, A).c_str(),
        percentText(double(A.Shared) / double(std::max<uint64_t>(1, A.Accesses.sum()))).c_str(),
        percentText(A.Where.remoteShare()).c_str());
  print(Out, "  pages by their main user  |%s|\n", pageLine(A, PageLineWidth).c_str());
  print(Out, "  first touched by thread (pages): %s\n", firstTouchers(P, A).c_str());
  if (!By.empty())
    Out += "  accessed most by " + By + "\n";
  for (uint32_t Node = 0; Node < U.Where.Nodes; ++Node)
    print(Out, "  node %s: %llu pages used from one node only, %llu from several\n",
          nodeText(U.Where, Node).c_str(), static_cast<unsigned long long>(A.ExclusivePages[Node]),
          static_cast<unsigned long long>(A.SharedPages[Node]));
  print(Out, "  %s of the accesses go to pages used from several nodes\n",
        percentText(double(A.ToSharedPages) / double(std::max<uint64_t>(1, A.Accesses.sum())))
            .c_str());
  const std::vector<std::string> Advised = adviceLines(A, Its);
  for (size_t I = 0; I < Advised.size(); ++I)
    Out += (I ? "    " : "  ") + Advised[I] + "\n";
}

/// Names of the arrays that a line accesses, most first.
std::string arraysText(const LineUse &L, const Usage &U) {
  std::string Text;
  for (const auto &[Array, Accesses] : mainArrays(L))
    Text += (Text.empty() ? "" : ", ") + U.Arrays[Array].Name;
  return Text;
}

void printLines(std::string &Out, const Usage &U, const std::vector<LineUse> &Lines) {
  if (Lines.empty())
    return;
  print(Out, "\n%14s %8s %8s  %s\n", "accesses", "of all", "remote", "line of the source");
  const double All = double(std::max<uint64_t>(1, U.Total.Accesses.sum()));
  for (size_t I = 0; I < std::min(LinesShown, Lines.size()); ++I) {
    const LineUse &L = Lines[I];
    print(Out, "%14llu %8s %8s  ", static_cast<unsigned long long>(L.Accesses.sum()),
          percentText(double(L.Accesses.sum()) / All).c_str(),
          L.Where.placed() ? percentText(L.Where.remoteShare()).c_str() : "-");
    Out += L.position() + (L.Function.empty() ? "" : " in " + L.Function) + ": " +
           arraysText(L, U) + "\n";
  }
  if (Lines.size() > LinesShown)
    print(Out, "and %zu more lines (mai-trace annotate shows them)\n", Lines.size() - LinesShown);
}

void printMatrix(std::string &Out, const char *Title, const Matrix &M) {
  constexpr size_t NumbersMax = 8;
  print(Out, "\n%s\n%s", Title, blocks(M).c_str());
  for (size_t I = 0; I < M.Size && M.Size <= NumbersMax; ++I) {
    Out += "     ";
    for (size_t J = 0; J < M.Size; ++J)
      print(Out, " %12llu", static_cast<unsigned long long>(M.at(I, J)));
    Out += '\n';
  }
}

} // namespace

std::string maiprof::modelText(const LatencyModel &M) {
  return M.Unit.empty() ? "not measured; by " + M.Source + ", a local access being 1"
                        : "not measured in this run; by " + M.Source;
}

std::string maiprof::threadsText(const Latencies &Times, const Profile &P) {
  if (Times.Critical == None)
    return "";
  return "remote accesses of a thread: " + countText(uint64_t(Times.MeanRemote)) +
         " on average, standard deviation " + countText(uint64_t(Times.DeviationRemote)) +
         "; the critical thread is " + P.Threads[Times.Critical].name() + ", TL " +
         countText(Times.Threads[Times.Critical].Total);
}

std::string maiprof::infoText(const Profile &P, const Usage &U) {
  std::string Out;
  printHead(Out, P);
  printThreads(Out, P, U);
  printArrays(Out, U);
  printPhases(Out, P);
  Out += modelTables(P, U);
  return Out;
}

std::string maiprof::verdictsText(const Profile &P, const Usage &U, const Judgement &J) {
  std::string Out;
  printVerdicts(Out, P, U, J);
  return Out.substr(1);
}

std::string maiprof::infoCsv(const Usage &U) {
  std::string Out = "array,kind,bytes,reads,writes,shared,local,remote,unknown\n";
  for (const ArrayUse &A : U.Arrays)
    print(Out, "%s,%s,%llu,%llu,%llu,%llu,%llu,%llu,%llu\n", csvField(A.Name).c_str(),
          A.IsArray ? kindName(A.What).c_str() : "", static_cast<unsigned long long>(A.Bytes),
          static_cast<unsigned long long>(A.Accesses.Reads),
          static_cast<unsigned long long>(A.Accesses.Writes),
          static_cast<unsigned long long>(A.Shared), static_cast<unsigned long long>(A.Where.Local),
          static_cast<unsigned long long>(A.Where.Remote),
          static_cast<unsigned long long>(A.Where.Unknown));
  return Out;
}

std::string maiprof::matrixCsv(const Matrix &M) {
  std::string Out;
  for (size_t I = 0; I < M.Size; ++I)
    for (size_t J = 0; J < M.Size; ++J)
      Out += std::to_string(M.at(I, J)) + (J + 1 < M.Size ? "," : "\n");
  return Out;
}

std::string maiprof::matrixMarket(const Matrix &M, bool IsSymmetric) {
  size_t Count = 0;
  std::string Entries;
  for (size_t I = 0; I < M.Size; ++I)
    for (size_t J = 0; J < (IsSymmetric ? I : M.Size); ++J)
      if (const uint64_t Value = M.at(I, J); Value != 0) {
        ++Count;
        Entries += std::to_string(I + 1) + " " + std::to_string(J + 1) + " " +
                   std::to_string(Value) + "\n";
      }
  const std::string Size = std::to_string(M.Size);
  return std::string("%%MatrixMarket matrix coordinate integer ") +
         (IsSymmetric ? "symmetric\n" : "general\n") + Size + " " + Size + " " +
         std::to_string(Count) + "\n" + Entries;
}

std::string maiprof::reportText(const Profile &P, const Usage &U, const Judgement &J,
                                const Latencies &Times, const SharingOptions &Options) {
  const Sharing S = sharing(P, Options);
  std::string Out;
  printHead(Out, P);
  printImaginedNodes(Out, U);
  printVerdicts(Out, P, U, J);
  printThreads(Out, P, U);
  printLatencies(Out, P, Times);
  printMatrix(Out, "memory that pairs of threads share, bytes", S.Memory);
  printMatrix(Out, "accesses to memory that pairs of threads share", S.Accesses);
  const std::vector<LineUse> Lines = codeLines(P, U);
  size_t Shown = 0;
  for (size_t I = 0; I < U.Arrays.size(); ++I)
    if (U.Arrays[I].IsArray && Shown++ < ArraysShown)
      printArray(Out, P, U, U.Arrays[I], J.OfArrays[I], mostBy(Lines, U, I));
  if (Shown > ArraysShown)
    print(Out, "\nand %zu more arrays (mai-trace info lists them)\n", Shown - ArraysShown);
  printRegions(Out, regions(P, U.Where), J);
  printTasks(Out, tasks(P, U.Where));
  printSlices(Out, slices(P, U.Where));
  printLines(Out, U, Lines);
  Out += modelTables(P, U);
  return Out;
}
