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

#include "Frontend.h"
#include "Options.h"
#include "Output.h"
#include "Plan.h"
#include "Report.h"
#include "Rewrite.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <sys/resource.h>

using namespace mapp;

namespace {

/// The facts of all files; nothing when one of them does not parse.
std::optional<std::vector<Facts>> analyseAll(const Frontend &Clang) {
  std::vector<Facts> Units;
  bool Parsed = true;
  for (const std::string &File : Clang.files()) {
    Facts &Unit = Units.emplace_back();
    Unit.Unit = static_cast<uint32_t>(Units.size() - 1);
    Parsed &= Clang.analyse(File, Unit);
  }
  return Parsed ? std::optional(std::move(Units)) : std::nullopt;
}

/// What is wrong with the new text of a file; empty when it parses and has MAi's entries for just
/// the arrays that were to be placed.
std::string fault(const Frontend &Clang, const Facts &Unit, const Plan &P, const std::string &Text,
                  Mode M) {
  Frontend::Part Inserted;
  for (const Decision &D : P.Decisions)
    Inserted.Bodies.insert(D.At->InFunction);
  const auto [Rest, OldRest] =
      std::mismatch(Text.rbegin(), Text.rend(), Unit.Text.rbegin(), Unit.Text.rend());
  // What follows could only clash with the names that MAi's header and entries bring in.
  const bool MayClash = llvm::StringRef(Unit.Text).contains_insensitive("mai_");
  Inserted.End = MayClash ? Text.size() : static_cast<size_t>(Text.rend() - Rest);
  Facts New;
  // A pointer in the place of an array may change what any function means; an entry in MAi's table
  // means something only where it stands.
  const std::string Error =
      Clang.reparse(Unit, Text, M == Mode::InPlace ? &Inserted : nullptr, New);
  if (!Error.empty())
    return "the rewritten text would not compile: " + Error;
  const bool Complete = llvm::all_of(P.Decisions, [&](const Decision &D) {
    return D.Unit != &Unit || D.What != Decision::Outcome::Place ||
           llvm::any_of(New.Arrays, [&](const ArrayDeclaration &Array) {
             return Array.AlreadyPlaced && Array.Name == D.At->Name &&
                    Array.InFunction == D.At->InFunction && Array.Bytes == D.At->Bytes;
           });
  });
  return Complete ? "" : "after its declaration its name or its type means something else";
}

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
    add(Wanted);
    return {Unit.File, Unit.Text, rewrite(Unit, P, M)};
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
    std::string Fault = fault(Clang, Unit, P, rewrite(Unit, P, M), M);
    if (Fault.empty())
      return;
    setAll(More, Decision::Outcome::LeftAlone);
    if (More.size() == 1) {
      More[0]->Chosen = {Policy::LeaveAlone, std::move(Fault), {}, 0, 0};
      return;
    }
    add(More.take_front(More.size() / 2));
    add(More.drop_front(More.size() / 2));
  }

  const Frontend &Clang;
  const Facts &Unit;
  Plan &P;
  Mode M;
};

bool write(const Options &Opts, const std::vector<NewText> &Texts) {
  if (!Opts.Output.empty())
    return writeWhole(Opts.Output, Texts[0].New);
  if (!Opts.InPlace)
    return llvm::all_of(Texts, printDiff);
  std::vector<NewText> Changed;
  llvm::copy_if(Texts, std::back_inserter(Changed),
                [](const NewText &Text) { return Text.Old != Text.New; });
  return replaceAll(Changed);
}

int run(const Options &Opts) {
  Frontend Clang(Opts);
  if (!Clang.open())
    return ExitError;
  const std::optional<std::vector<Facts>> Units = analyseAll(Clang);
  if (!Units)
    return ExitError;
  Plan P = makePlan(*Units, Opts.RewriteMode, Opts.MinBytes);

  std::vector<NewText> Texts;
  for (const Facts &Unit : *Units)
    Texts.push_back(Rewriter(Clang, Unit, P, Opts.RewriteMode).run());
  if (!write(Opts, Texts))
    return ExitError;
  if (!Opts.Quiet)
    report(llvm::errs(), P, Opts.MinBytes);
  return ExitSuccess;
}

/// Generated sources nest deeper than the system's default stack allows. The kernel lets the main
/// thread's stack grow up to the limit of the moment, and keeps 128 MiB free for it.
void allowDeepRecursion() {
  constexpr rlim_t StackBytes = 64U << 20;
  rlimit Limit{};
  if (getrlimit(RLIMIT_STACK, &Limit) != 0 || Limit.rlim_cur >= StackBytes)
    return;
  Limit.rlim_cur = std::min(StackBytes, Limit.rlim_max);
  setrlimit(RLIMIT_STACK, &Limit);
}

} // namespace

int main(int Argc, char **Argv) {
  const ParsedCommandLine CommandLine = parseCommandLine(Argc, Argv);
  if (CommandLine.Exit)
    return *CommandLine.Exit;
  allowDeepRecursion();
  return run(CommandLine.Opts);
}
