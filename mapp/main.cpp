//===-- main.cpp - mapp-rewrite ---------------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reads an OpenMP C program, decides for each of its static arrays on which NUMA nodes the pages
// belong, and writes the program that has MAi put them there.  All of the program is analysed
// before anything is decided, and all is decided before anything is written:
//
//   collect   a translation unit: its arrays, and every access with the loops around it
//   classify  the program: which threads make each access, in which order
//   choose    an array: the policy that keeps most of its accesses local
//   rewrite   a file: its new text, which is parsed again before it goes anywhere
//   report    the program: one line an array
//
// What one phase hands to the next is plain data: Facts.h, Classify.h, Choose.h, Plan.h.
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "mapp/analysis/Blocks.h"
#include "mapp/choice/Plan.h"
#include "mapp/frontend/Frontend.h"
#include "mapp/frontend/Language.h"
#include "mapp/report/Output.h"
#include "mapp/report/Report.h"
#include "mapp/rewrite/FirstTouch.h"
#include "mapp/rewrite/Replace.h"
#include "mapp/rewrite/Rewrite.h"
#include "mapp/rewrite/Verify.h"
#include "support/Options.h"
#include "support/Progress.h"

#include "clang/Tooling/ReplacementsYaml.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/YAMLTraits.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <malloc.h>
#include <map>
#include <mutex>
#include <set>
#include <sys/mman.h>
#include <sys/resource.h>
#include <thread>
#include <tuple>
#include <unistd.h>

using namespace mapp;

namespace {

//===-- Several at a time -------------------------------------------------------===//

/// Generated sources nest deeper than the usual stack allows, a thread's or the system's default.
constexpr unsigned StackBytes = 64U << 20;

/// Calls `Work` with each number below `Count`, in that order, in up to `Jobs` threads.
void forEach(size_t Count, unsigned Jobs, llvm::function_ref<void(size_t)> Work) {
  std::atomic<size_t> Next = 0;
  const auto WorkOn = [&] {
    for (size_t I = Next++; I < Count; I = Next++)
      Work(I);
  };
  std::vector<std::thread> Others;
  for (unsigned I = 1; I < std::min<size_t>(Jobs, Count); ++I)
    Others.emplace_back(
        [&] { llvm::CrashRecoveryContext().RunSafelyOnThread(WorkOn, StackBytes); });
  WorkOn();
  for (std::thread &Other : Others)
    Other.join();
}

//===-- Analysis --------------------------------------------------------------===//

/// Analyses files, several at a time; their messages come in the order of the files.
class Analysis {
public:
  Analysis(const Frontend &Parser, std::vector<std::string> Names)
      : Clang(Parser), Files(std::move(Names)), Units(Files.size()), Messages(Files.size()),
        Parsed(Files.size(), 0) {}

  /// The facts of all files; nothing when one of them does not parse.
  std::optional<std::vector<Facts>> run(unsigned Jobs) {
    parseAll(Jobs);
    for (const std::string &Message : Messages)
      llvm::errs() << Message;
    const auto Failed = llvm::count(Parsed, char(0));
    if (Failed > 0)
      llvm::errs() << labelled("mapp-rewrite: " + std::to_string(Failed) + " of " +
                                   std::to_string(Files.size()) +
                                   " files cannot be analysed; nothing is written",
                               Topic::NotParsed);
    return Failed == 0 ? std::optional(std::move(Units)) : std::nullopt;
  }

  /// The same; files that do not parse have no facts, and what is wrong with them is written to
  /// `Directory`. Nothing when that cannot be written.
  std::optional<std::vector<Facts>> runForCompiler(unsigned Jobs, const std::string &Directory) {
    Quiet = true;
    parseAll(Jobs);
    for (size_t I = 0; I < Files.size(); ++I) {
      if (Parsed[I])
        continue;
      Units[I] = {};
      Units[I].Unit = static_cast<uint32_t>(I);
      Units[I].File = Units[I].Path = Files[I];
      if (!writeWhole(Directory + "/" + std::to_string(I) + ".left-out", Messages[I]))
        return std::nullopt;
    }
    return std::move(Units);
  }

private:
  void parseAll(unsigned Jobs) {
    // Of one file Clang's messages come at once.
    std::optional<support::Progress> Shown;
    if (Files.size() > 1)
      Shown.emplace("analyses " + std::to_string(Files.size()) + " files");
    size_t Done = 0;
    forEach(Files.size(), Jobs, [&](size_t I) {
      Units[I].Unit = static_cast<uint32_t>(I);
      Parsed[I] =
          Clang.analyse(Files[I], Units[I], Quiet || Files.size() > 1 ? &Messages[I] : nullptr);
      const std::lock_guard<std::mutex> Lock(Showing);
      support::tell("has analysed " + Files[I]);
      ++Done;
      if (Shown)
        Shown->goesOn("has analysed " + std::to_string(Done) + " of " +
                      std::to_string(Files.size()) + ": " + Files[I]);
    });
    parseAgain(Jobs);
  }

  /// Functions that others see, with the position of the pointer that each gives back.
  std::map<std::string, uint32_t> givenBack() const {
    std::map<std::string, uint32_t> Result;
    for (const Facts &Unit : Units)
      for (const Function &F : Unit.Functions)
        if (F.External && F.Returned != None)
          Result.emplace(F.Key, F.Returned);
    return Result;
  }

  /// `u = checked(malloc(n))` is another block in each call, which is known when the file of
  /// checked() has been parsed.
  void parseAgain(unsigned Jobs) {
    const std::map<std::string, uint32_t> Known = givenBack();
    forEach(Files.size(), Jobs, [&](size_t I) {
      const auto IsKnown = [&](const std::string &Key) { return Known.count(Key) > 0; };
      if (!Parsed[I] || llvm::none_of(Units[I].Passing, IsKnown))
        return;
      std::string SaidBefore;
      Facts Whole;
      Whole.Unit = Units[I].Unit;
      Whole.GivenBack = Known;
      if (Clang.analyse(Files[I], Whole, &SaidBefore))
        Units[I] = std::move(Whole);
    });
  }

  const Frontend &Clang;
  const std::vector<std::string> Files;
  std::vector<Facts> Units;
  std::vector<std::string> Messages;
  std::vector<char> Parsed;
  std::mutex Showing;
  bool Quiet = false;
};

//===-- Rewriting -------------------------------------------------------------===//

/// Finds the new text of a file.  Where one with all edits does not hold, halves of them are tried
/// in turn, until those that do not go with the others are found and left out.
class Rewriter {
public:
  Rewriter(const Frontend &Parser, const Facts &File, Plan &Decided, Mode Wanted)
      : Clang(Parser), Unit(File), P(Decided), M(Wanted) {}

  NewText run() {
    std::vector<Decision *> Wanted;
    for (Decision &D : P.Decisions)
      if (D.Unit == &Unit && D.What == Decision::Outcome::Place)
        Wanted.push_back(&D);
    setAll(Wanted, Decision::Outcome::LeftAlone);
    Held = edits(Unit, P, M);
    add(Wanted);
    return {Unit.File, Unit.Text, applied(Unit.Text, Held)};
  }

private:
  static void setAll(llvm::ArrayRef<Decision *> Decisions, Decision::Outcome What) {
    for (Decision *D : Decisions)
      D->What = What;
  }

  /// To those that hold already.
  void add(llvm::ArrayRef<Decision *> More) {
    if (More.empty())
      return;
    setAll(More, Decision::Outcome::Place);
    std::vector<Edit> Edits = edits(Unit, P, M);
    Remark Fault = fault(Clang, Unit, P, Edits);
    if (Fault.empty()) {
      Held = std::move(Edits);
      return;
    }
    setAll(More, Decision::Outcome::LeftAlone);
    if (More.size() == 1) {
      More[0]->refuse(std::move(Fault));
      return;
    }
    add(More.take_front(More.size() / 2));
    add(More.drop_front(More.size() / 2));
  }

  const Frontend &Clang;
  const Facts &Unit;
  Plan &P;
  Mode M;
  std::vector<Edit> Held; ///< for those decisions that are found to hold
};

//===-- Output ----------------------------------------------------------------===//

std::vector<NewText> changed(const std::vector<NewText> &Texts) {
  std::vector<NewText> Changed;
  llvm::copy_if(Texts, std::back_inserter(Changed),
                [](const NewText &Text) { return Text.Old != Text.New; });
  return Changed;
}

bool replaceChanged(const std::vector<Facts> &Units, const Plan &P, Mode M) {
  std::vector<Rewriting> Files;
  for (const Facts &Unit : Units)
    if (std::vector<Edit> Edits = edits(Unit, P, M); !Edits.empty())
      Files.push_back({Unit.File, Unit.Text, std::move(Edits)});
  return replaceAll(Files);
}

std::vector<std::string> allHeaders(const std::vector<Facts> &Units) {
  std::set<std::string> Headers;
  for (const Facts &Unit : Units)
    Headers.insert(Unit.Headers.begin(), Unit.Headers.end());
  return {Headers.begin(), Headers.end()};
}

bool writeFixes(const std::string &File, const std::vector<Facts> &Units, const Plan &P, Mode M) {
  clang::tooling::TranslationUnitReplacements Fixes;
  Fixes.MainSourceFile = Units[0].Path;
  for (const Facts &Unit : Units)
    for (const Edit &E : edits(Unit, P, M))
      Fixes.Replacements.emplace_back(Unit.Path, E.Offset, E.Removed, E.Inserted);
  std::string Text;
  llvm::raw_string_ostream Stream(Text);
  llvm::yaml::Output Yaml(Stream);
  Yaml << Fixes;
  return writeWhole(File, Stream.str());
}

/// A changed file is NUMBER.c in the directory, by its place among all files.
bool writeForCompiler(const std::string &Directory, const std::vector<Facts> &Units, const Plan &P,
                      Mode M) {
  for (const Facts &Unit : Units) {
    const std::vector<Edit> Edits = keepingLines(Unit.Text, edits(Unit, P, M));
    if (!Edits.empty() &&
        !writeWhole(Directory + "/" + std::to_string(Unit.Unit) + ".c", applied(Unit.Text, Edits)))
      return false;
  }
  return true;
}

bool write(const Options &Opts, const std::vector<Facts> &Units, const Plan &P,
           const std::vector<NewText> &Texts) {
  if (!Opts.Output.empty())
    return writeWhole(Opts.Output, Texts[0].New);
  if (!Opts.OutputDirectory.empty())
    return writeTree(Opts.OutputDirectory, Texts, allHeaders(Units));
  if (!Opts.CompilerDirectory.empty())
    return writeForCompiler(Opts.CompilerDirectory, Units, P, Opts.RewriteMode);
  if (!Opts.FixFile.empty())
    return writeFixes(Opts.FixFile, Units, P, Opts.RewriteMode);
  if (Opts.InPlace)
    return replaceChanged(Units, P, Opts.RewriteMode);
  const bool Silent = Opts.Check || Opts.Json || !Opts.Explained.empty();
  return Silent || llvm::all_of(Texts, printDiff);
}

bool sayWhatWasDone(const Options &Opts, const Plan &P, const Machine &On) {
  for (const std::string &Name : Opts.Explained)
    if (!explain(llvm::outs(), P, Name, On))
      return fail("--explain " + Name, "there is no static array of that name and of --min-bytes",
                  Topic::NoSuchArray);
  if (Opts.Json)
    llvm::outs() << reportJson(P);
  else if (Opts.Quiet || !Opts.Explained.empty())
    reportUseless(llvm::errs(), P);
  else
    report(llvm::errs(), P, Opts.MinBytes);
  return Opts.SarifFile.empty() || writeWhole(Opts.SarifFile, reportSarif(P));
}

//===-- The whole ---------------------------------------------------------------===//

std::optional<PlanOptions> planOptions(const Options &Opts, const std::vector<std::string> &Files) {
  PlanOptions Result;
  Result.RewriteMode = Opts.RewriteMode;
  Result.MinBytes = Opts.MinBytes;
  Result.HeapBlocks = Opts.HeapBlocks;
  if (!Files.empty() && !readProject(Files[0], Result.Requested))
    return std::nullopt;
  if (!Opts.ProfileFile.empty() && !(Result.Counts = readCounts(Opts.ProfileFile)))
    return std::nullopt;
  const std::string &Machine =
      Opts.MachineName.empty() ? Result.Requested.Machine : Opts.MachineName;
  if (const std::string Wrong = advice::readMachine(Machine, Result.On); !Wrong.empty()) {
    fail("--machine " + Machine, Wrong, Topic::BadMachine);
    return std::nullopt;
  }
  return Result;
}

unsigned jobs(const Options &Opts) {
  return Opts.Jobs > 0 ? Opts.Jobs : std::max(1U, std::thread::hardware_concurrency());
}

/// Unless the user says what they are: whether all files may be C sources.
bool areSources(const Options &Opts, const std::vector<std::string> &Files) {
  if (llvm::any_of(Opts.CompilerArguments,
                   [](llvm::StringRef Argument) { return Argument.starts_with("-x"); }))
    return true;
  bool All = true;
  for (const std::string &File : Files)
    if (const std::string Why = whyNoSource(File); !Why.empty())
      All = fail(File, Why, Topic::NoSource);
  return All;
}

int run(const Options &Opts) {
  Frontend Clang(Opts);
  if (!Clang.open())
    return ExitError;
  const std::vector<std::string> Files = Clang.files();
  if (Opts.Revert)
    return revertAll(Files) ? ExitSuccess : ExitError;
  if (!areSources(Opts, Files))
    return ExitError;
  const std::optional<PlanOptions> How = planOptions(Opts, Files);
  if (!How)
    return ExitError;
  Analysis Collected(Clang, Files);
  std::optional<std::vector<Facts>> Units =
      Opts.CompilerDirectory.empty() ? Collected.run(jobs(Opts))
                                     : Collected.runForCompiler(jobs(Opts), Opts.CompilerDirectory);
  if (!Units || Units->empty())
    return Units ? ExitSuccess : ExitError;
  findBlocks(*Units);
  Plan P = makePlan(*Units, *How);
  if (Opts.SuggestInit)
    suggestFirstTouch(P, *Units, Clang);

  std::vector<NewText> Texts(Units->size());
  forEach(Units->size(), jobs(Opts),
          [&](size_t I) { Texts[I] = Rewriter(Clang, (*Units)[I], P, Opts.RewriteMode).run(); });
  if (!write(Opts, *Units, P, Texts) || !sayWhatWasDone(Opts, P, How->On))
    return ExitError;
  if (Opts.Strict && llvm::any_of(P.Decisions, std::mem_fn(&Decision::isRefused)))
    return ExitFound;
  return Opts.Check && !changed(Texts).empty() ? ExitFound : ExitSuccess;
}

/// The kernel lets the main thread's stack grow up to the limit of the moment, and keeps 128 MiB
/// free for it.
void allowDeepRecursion() {
  rlimit Limit{};
  if (getrlimit(RLIMIT_STACK, &Limit) != 0 || Limit.rlim_cur >= StackBytes)
    return;
  Limit.rlim_cur = std::min<rlim_t>(StackBytes, Limit.rlim_max);
  setrlimit(RLIMIT_STACK, &Limit);
}

/// A parse fills tens of megabytes, and goes back and forth in them: in huge pages that takes a
/// twelfth less time. Where the kernel has none to give it gives small ones, as ever.
void askForHugePages() {
#ifdef __GLIBC__
  constexpr int First = 128 << 20, Later = 4 << 20, Never = 1 << 30, LargestBlock = 32 << 20;
  constexpr uintptr_t HugePage = 2 << 20;
  mallopt(M_MMAP_THRESHOLD, LargestBlock); // The heap holds all but the largest blocks,
  mallopt(M_TRIM_THRESHOLD, Never);        // and keeps for the next parse what one has left.
  const auto Begin = reinterpret_cast<uintptr_t>(sbrk(0));
  mallopt(M_TOP_PAD, First);
  void *volatile Some = malloc(HugePage); // More than there is, so that the heap grows.
  free(Some);
  mallopt(M_TOP_PAD, Later);
  const auto End = reinterpret_cast<uintptr_t>(sbrk(0));
  const uintptr_t Whole = (Begin + HugePage - 1) / HugePage * HugePage;
  if (Whole < End)
    madvise(reinterpret_cast<void *>(Whole), End - Whole, MADV_HUGEPAGE);
#endif
}

} // namespace

int main(int Argc, char **Argv) {
  const ParsedCommandLine CommandLine = parseCommandLine(Argc, Argv);
  if (CommandLine.Exit)
    return *CommandLine.Exit;
  allowDeepRecursion();
  askForHugePages();
  return run(CommandLine.Opts);
}
