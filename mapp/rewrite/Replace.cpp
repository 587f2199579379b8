//===-- Replace.cpp - rewriting files in place, and back --------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Replace.h"

#include "Backup.h"
#include "Merge.h"
#include "Rewrite.h"
#include "support/Files.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

using namespace mapp;
using support::target;
using support::TemporaryFile;
namespace fs = llvm::sys::fs;

namespace {

/// One text in the place of another: both are beside the file before any file changes.
class Replacement {
public:
  /// @param Name as the user has it
  Replacement(std::string Name, std::string Old)
      : File(std::move(Name)), Target(target(File)), Before(std::move(Old)) {}

  bool prepare(const std::string &New) {
    if (const std::error_code Error = Next.createLike(Target, New, /*Safe=*/true))
      return fail(File, Error);
    if (const std::error_code Error = Previous.createLike(Target, Before, /*Safe=*/false))
      return fail(File, Error);
    return true;
  }

  bool put() {
    const auto Now = contents(Target);
    if (!Now)
      return false;
    if (*Now != Before)
      return fail(File, "was changed while it was worked on; nothing is written",
                  Topic::ChangedMeanwhile);
    if (const std::error_code Error = Next.renameTo(Target))
      return fail(File, Error);
    return true;
  }

  void takeBack() {
    if (const std::error_code Error = Previous.renameTo(Target))
      fail(File, "is changed, and cannot be put back: " + Error.message());
  }

private:
  std::string File, Target, Before;
  TemporaryFile Next, Previous;
};

/// All or, where one cannot be put, none.
bool putAll(std::vector<Replacement> &Files) {
  for (size_t I = 0; I < Files.size(); ++I)
    if (!Files[I].put()) {
      for (size_t K = 0; K < I; ++K)
        Files[K].takeBack();
      return false;
    }
  return true;
}

/// The original, under a name that no other process takes meanwhile.
std::error_code keepOriginal(const Rewriting &R, const std::string &Target, TemporaryFile &File,
                             Backup &Under) {
  constexpr unsigned MostTries = 100;
  std::error_code Error;
  for (unsigned Tries = 0; Tries < MostTries; ++Tries) {
    Under = nextBackup(Target);
    Error = File.createNew(Under.Original, R.Text, Target);
    if (Error != std::errc::file_exists)
      break;
  }
  return Error;
}

/// The original, and then the record: one that is there is whole, and so is its original.
bool keep(const Rewriting &R, std::vector<TemporaryFile> &Kept) {
  const std::string Target = target(R.File);
  Backup Under;
  TemporaryFile &Original = Kept.emplace_back();
  if (const std::error_code Error = keepOriginal(R, Target, Original, Under))
    return fail(Under.Original, Error);
  TemporaryFile &Record = Kept.emplace_back();
  std::error_code Error = Record.createLike(Target, recordText(R.Text, R.Edits), /*Safe=*/true);
  if (!Error)
    Error = Record.moveTo(Under.Record);
  if (Error)
    return fail(Under.Record, Error);
  if (Under.Original != Target + ".orig")
    llvm::errs() << "mapp-rewrite: "
                 << labelled(R.File + ".orig exists already; the original is kept as " +
                                 Under.Original,
                             Topic::OriginalKept);
  return true;
}

} // namespace

bool mapp::replaceAll(const std::vector<Rewriting> &Files) {
  std::vector<Replacement> Replacements;
  std::vector<TemporaryFile> Kept;
  std::set<std::string> Seen;
  for (const Rewriting &R : Files)
    if (Seen.insert(target(R.File)).second) {
      if (!Replacements.emplace_back(R.File, R.Text).prepare(applied(R.Text, R.Edits)) ||
          !keep(R, Kept))
        return false;
    }
  if (!putAll(Replacements))
    return false;
  for (TemporaryFile &File : Kept)
    File.keep();
  return true;
}

//===-- Reverting ---------------------------------------------------------------===//

namespace {

/// A file with all that mapp-rewrite has written into it taken back.
class Undoing {
public:
  explicit Undoing(std::string Name) : File(std::move(Name)), Target(target(File)) {}

  bool run() {
    const std::vector<Backup> Backups = backupsOf(Target);
    if (Backups.empty())
      return true;
    const std::optional<std::string> Now = contents(Target);
    if (!Now)
      return false;
    Before = Text = *Now;
    for (const Backup &Of : llvm::reverse(Backups))
      if (fs::exists(Of.Record) && !takeBack(Of))
        return false;
    if (Done.empty() && llvm::StringRef(Text).contains("/* mapp: "))
      return fail(File,
                  Backups.front().Record + ", which says what was written into it, is missing; " +
                      "nothing is put back. Its original is " + Backups.front().Original,
                  Topic::NoRecord);
    return true;
  }

  /// With edits taken back, and of its lines changed or not.
  bool isWanted() const { return !Done.empty(); }
  const std::string &name() const { return File; }
  const std::string &before() const { return Before; }
  const std::string &text() const { return Text; }

  /// What is of no use any more. The record goes first: an original without one is never lost.
  void forget() const {
    for (const Backup &Of : Done) {
      fs::remove(Of.Record);
      fs::remove(Of.Original);
    }
  }

private:
  bool takeBack(const Backup &Of) {
    const std::optional<std::string> Original = contents(Of.Original);
    const std::optional<std::string> Record = contents(Of.Record);
    if (!Original || !Record)
      return false;
    const std::optional<std::vector<Edit>> Edits = readRecord(*Record, *Original);
    if (!Edits)
      return fail(File,
                  Of.Original + " and " + Of.Record +
                      " are not as they were written; nothing is put back",
                  Topic::NoRecord);
    const Merged M = withoutEdits(*Original, *Edits, Text);
    if (M.Against)
      return fail(File + ":" + std::to_string(M.Against->Line),
                  M.Against->What + "; nothing is put back. The original is " + Of.Original,
                  Topic::ChangedSince);
    Text = M.Text;
    Done.push_back(Of);
    return true;
  }

  std::string File, Target, Before, Text;
  std::vector<Backup> Done;
};

} // namespace

bool mapp::revertAll(const std::vector<std::string> &Files) {
  std::vector<Undoing> All;
  std::set<std::string> Seen;
  for (const std::string &File : Files)
    if (Seen.insert(target(File)).second && !All.emplace_back(File).run())
      return false;
  std::vector<Replacement> Replacements;
  for (const Undoing &One : All)
    if (One.text() != One.before() &&
        !Replacements.emplace_back(One.name(), One.before()).prepare(One.text()))
      return false;
  if (!putAll(Replacements))
    return false;
  for (const Undoing &One : All)
    if (One.isWanted())
      One.forget();
  return true;
}
