//===-- Backup.cpp - what a rewritten file was -------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Backup.h"

#include "Rewrite.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

#include <map>

using namespace mapp;
namespace fs = llvm::sys::fs;

namespace {

constexpr llvm::StringLiteral Head = "mapp-rewrite edits 1\n", OriginalSuffix = ".orig",
                              RecordSuffix = ".edits";

Backup backup(const std::string &File, unsigned Number) {
  const std::string Original =
      File + OriginalSuffix.str() + (Number == 0 ? "" : "." + std::to_string(Number));
  return {Original, Original + RecordSuffix.str()};
}

/// The number of a backup's or record's name behind the file's own name.
std::optional<unsigned> numberOf(llvm::StringRef Rest) {
  unsigned Number = 0;
  if (!Rest.consume_front(OriginalSuffix))
    return std::nullopt;
  Rest.consume_back(RecordSuffix);
  if (Rest.empty())
    return 0;
  const bool IsNumber =
      Rest.consume_front(".") && !Rest.starts_with("0") && !Rest.getAsInteger(10, Number);
  return IsNumber ? std::optional(Number) : std::nullopt;
}

std::map<unsigned, Backup> numbered(const std::string &File) {
  const llvm::StringRef Parent = llvm::sys::path::parent_path(File);
  const llvm::StringRef Name = llvm::sys::path::filename(File);
  std::map<unsigned, Backup> All;
  std::error_code Error;
  const fs::directory_iterator End;
  for (fs::directory_iterator Entry(Parent.empty() ? "." : Parent, Error, false);
       !Error && Entry != End; Entry.increment(Error)) {
    llvm::StringRef Other = llvm::sys::path::filename(Entry->path());
    if (Other.consume_front(Name))
      if (const std::optional<unsigned> Number = numberOf(Other))
        All[*Number] = backup(File, *Number);
  }
  return All;
}

std::string digest(llvm::StringRef Text) {
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(Text)), /*LowerCase=*/true);
}

std::string measure(llvm::StringRef Text) {
  return std::to_string(Text.size()) + " " + digest(Text);
}

/// Takes a line off that begins with a word. Nothing where the next does not.
std::optional<llvm::StringRef> takeLine(llvm::StringRef &Rest, llvm::StringRef Word) {
  const auto [Line, Behind] = Rest.split('\n');
  llvm::StringRef Value = Line;
  if (!Value.consume_front(Word) || Line.size() == Rest.size())
    return std::nullopt;
  Rest = Behind;
  return Value;
}

bool readEdit(llvm::StringRef Line, Edit &E, size_t &Inserted) {
  return !Line.consumeInteger(10, E.Offset) && Line.consume_front(" ") &&
         !Line.consumeInteger(10, E.Removed) && Line.consume_front(" ") &&
         !Line.consumeInteger(10, Inserted) && Line.consume_front(" ") &&
         (E.About = Line.str(), true);
}

/// In the order of a text of so many bytes, and within it.
bool areWithin(const std::vector<Edit> &Edits, size_t Bytes) {
  size_t End = 0;
  for (const Edit &E : Edits) {
    if (E.Offset < End || E.Offset > Bytes || E.Removed > Bytes - E.Offset)
      return false;
    End = size_t(E.Offset) + E.Removed;
  }
  return true;
}

} // namespace

std::vector<Backup> mapp::backupsOf(const std::string &File) {
  std::vector<Backup> All;
  for (auto &[Number, Of] : numbered(File))
    All.push_back(std::move(Of));
  return All;
}

Backup mapp::nextBackup(const std::string &File) {
  const std::map<unsigned, Backup> All = numbered(File);
  return backup(File, All.empty() ? 0 : All.rbegin()->first + 1);
}

std::string mapp::recordText(const std::string &Text, const std::vector<Edit> &Edits) {
  std::string Rest = "original " + measure(Text) + "\nrewritten " + measure(applied(Text, Edits));
  for (const Edit &E : Edits)
    Rest += "\nedit " + std::to_string(E.Offset) + " " + std::to_string(E.Removed) + " " +
            std::to_string(E.Inserted.size()) + " " + E.About;
  Rest += "\ntext\n";
  for (const Edit &E : Edits)
    Rest += E.Inserted;
  return Head.str() + "digest " + digest(Rest) + "\n" + Rest;
}

std::optional<std::vector<Edit>> mapp::readRecord(const std::string &Record,
                                                  const std::string &Original) {
  llvm::StringRef Rest = Record;
  const bool IsRecord = Rest.consume_front(Head);
  const std::optional<llvm::StringRef> Digest = takeLine(Rest, "digest ");
  if (!IsRecord || !Digest || *Digest != digest(Rest) ||
      takeLine(Rest, "original ") != llvm::StringRef(measure(Original)))
    return std::nullopt;
  const std::optional<llvm::StringRef> Rewritten = takeLine(Rest, "rewritten ");
  std::vector<Edit> Edits;
  std::vector<size_t> Bytes;
  while (const std::optional<llvm::StringRef> Line = takeLine(Rest, "edit "))
    if (!readEdit(*Line, Edits.emplace_back(), Bytes.emplace_back()))
      return std::nullopt;
  if (!takeLine(Rest, "text"))
    return std::nullopt;
  for (size_t I = 0; I < Edits.size(); ++I) {
    Edits[I].Inserted = Rest.take_front(Bytes[I]).str();
    Rest = Rest.drop_front(std::min(Bytes[I], Rest.size()));
  }
  const bool Valid = areWithin(Edits, Original.size()) && Rewritten &&
                     *Rewritten == llvm::StringRef(measure(applied(Original, Edits)));
  return Valid ? std::optional(std::move(Edits)) : std::nullopt;
}
