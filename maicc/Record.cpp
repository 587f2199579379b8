//===-- Record.cpp - how an object was made ---------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Record.h"

#include "support/Elf.h"
#include "support/Files.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/MemoryBuffer.h"

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <memory>

using namespace maicc;
namespace fs = std::filesystem;

namespace {

constexpr std::string_view SectionName = ".mai_sources";

/// Each record begins so; 1 is the version.
constexpr std::string_view Mark = "maicc 1\n";

//===-- Records as bytes ------------------------------------------------------===//

// A record is its mark, the number of bytes that follow, then strings, each ended by a null byte;
// a list is the number of its strings, then these.

void put(std::string &To, const std::string &Text) { To.append(Text).push_back('\0'); }

void put(std::string &To, const Arguments &List) {
  put(To, std::to_string(List.size()));
  for (const std::string &Text : List)
    put(To, Text);
}

/// Takes a record apart.
class Reader {
public:
  explicit Reader(std::string_view All) : Rest(All) {}

  bool get(std::string &To) {
    const size_t End = Rest.find('\0');
    if (End == std::string_view::npos)
      return false;
    To = Rest.substr(0, End);
    Rest.remove_prefix(End + 1);
    return true;
  }

  bool get(size_t &To) {
    std::string Text;
    if (!get(Text))
      return false;
    const auto [End, Error] = std::from_chars(Text.data(), Text.data() + Text.size(), To);
    return Error == std::errc() && End == Text.data() + Text.size();
  }

  bool get(Arguments &To) {
    size_t Count = 0;
    if (!get(Count) || Count > Rest.size()) // each string has its null byte
      return false;
    To.resize(Count);
    for (std::string &Text : To)
      if (!get(Text))
        return false;
    return true;
  }

  /// The next `Bytes`; nothing where there are fewer.
  std::optional<std::string_view> take(size_t Bytes) {
    if (Bytes > Rest.size())
      return std::nullopt;
    const std::string_view Taken = Rest.substr(0, Bytes);
    Rest.remove_prefix(Bytes);
    return Taken;
  }

  /// Goes to the next mark and behind it.
  bool findMark() {
    const size_t At = Rest.find(Mark);
    if (At == std::string_view::npos)
      return false;
    Rest.remove_prefix(At + Mark.size());
    return true;
  }

private:
  std::string_view Rest;
};

std::vector<Record> records(std::string_view Section) {
  std::vector<Record> Found;
  Reader Whole(Section);
  while (Whole.findMark()) { // Linkers may fill up between sections.
    size_t Bytes = 0;
    Record R;
    if (!Whole.get(Bytes))
      continue;
    const std::optional<std::string_view> Body = Whole.take(Bytes);
    if (!Body)
      continue;
    Reader Fields(*Body);
    if (Fields.get(R.Directory) && Fields.get(R.Source) && Fields.get(R.Compiler) &&
        Fields.get(R.Options) && Fields.get(R.Files) && Fields.get(R.Hash) && !R.Compiler.empty())
      Found.push_back(std::move(R));
  }
  return Found;
}

std::string digest(llvm::MD5 &Of) {
  llvm::MD5::MD5Result Result;
  Of.final(Result);
  return Result.digest().str().str();
}

} // namespace

std::optional<std::string> maicc::contents(const std::string &File) {
  const std::unique_ptr<llvm::MemoryBuffer> Text = support::mapped(File);
  return Text ? std::optional(Text->getBuffer().str()) : std::nullopt;
}

std::string Record::bytes() const {
  std::string Body;
  put(Body, Directory);
  put(Body, Source);
  put(Body, Compiler);
  put(Body, Options);
  put(Body, Files);
  put(Body, Hash);
  std::string All(Mark);
  put(All, std::to_string(Body.size()));
  return All + Body;
}

std::vector<Record> maicc::recordsIn(const std::string &File) {
  return records(support::Elf(File).section(SectionName));
}

std::vector<Record> maicc::recordsInObject(const std::string &File) {
  const support::Elf Object(File);
  return Object.isRelocatable() ? records(Object.section(SectionName)) : std::vector<Record>();
}

bool maicc::addRecord(const std::string &Object, const Record &New) {
  const support::Elf Old(Object);
  return Old.isRelocatable() && !support::writeWhole(Object, Old.with(SectionName, New.bytes()));
}

std::string maicc::hashOf(const std::string &Directory, const Arguments &Files) {
  llvm::MD5 All;
  for (const std::string &File : Files) {
    const std::unique_ptr<llvm::MemoryBuffer> Text =
        support::mapped((fs::path(Directory) / File).string());
    if (!Text)
      return "";
    All.update(std::to_string(Text->getBufferSize()) + ' ');
    All.update(Text->getBuffer());
  }
  return digest(All);
}

std::string maicc::hashOf(const std::string &Text) {
  llvm::MD5 Of;
  Of.update(Text);
  return digest(Of);
}

Arguments maicc::dependencies(const std::string &DependencyFile) {
  const std::string Text = contents(DependencyFile).value_or("");
  Arguments Names;
  std::string Name;
  bool Behind = false; // the colon
  const auto End = [&] {
    if (Behind && !Name.empty())
      Names.push_back(Name);
    Behind |= Name.ends_with(':');
    Name.clear();
  };
  for (size_t I = 0; I < Text.size(); ++I) {
    const char C = Text[I], Next = I + 1 < Text.size() ? Text[I + 1] : '\0';
    if (C == '\\' && (Next == '\n' || Next == ' ' || Next == '#' || Next == '\\')) {
      ++I;
      if (Next == '\n')
        End();
      else
        Name += Next;
    } else if (C == '$' && Next == '$') {
      Name += Text[++I];
    } else if (C == ' ' || C == '\t') {
      End();
    } else if (C == '\n') {
      End();
      if (Behind)
        break; // Other rules, if any, are for headers.
    } else {
      Name += C;
    }
  }
  return Names;
}
