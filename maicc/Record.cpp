//===-- Record.cpp - how an object was made ---------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Record.h"

#include "support/Files.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/MemoryBuffer.h"

#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <elf.h>
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

//===-- ELF -------------------------------------------------------------------===//

/// A regular file in memory, of which only those pages are read that are looked at: programs may be
/// large. Nothing where there is no such file.
std::unique_ptr<llvm::MemoryBuffer> mapped(const std::string &File) {
  if (!llvm::sys::fs::is_regular_file(File))
    return nullptr;
  auto Buffer =
      llvm::MemoryBuffer::getFile(File, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return Buffer ? std::move(*Buffer) : nullptr;
}

/// The parts of an ELF file that matter here. Every offset is checked against the file's size.
class Elf {
public:
  explicit Elf(std::string_view Bytes) : Text(Bytes) {}

  bool open() {
    constexpr unsigned char Order =
        std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
    if (Text.size() < sizeof Header)
      return false;
    std::memcpy(&Header, Text.data(), sizeof Header);
    if (std::memcmp(Header.e_ident, ELFMAG, SELFMAG) != 0 ||
        Header.e_ident[EI_CLASS] != ELFCLASS64 || Header.e_ident[EI_DATA] != Order ||
        Header.e_shentsize != sizeof(Elf64_Shdr) || Header.e_shnum == 0 ||
        Header.e_shstrndx >= Header.e_shnum)
      return false;
    Sections.resize(Header.e_shnum);
    if (!isInside(Header.e_shoff, Sections.size() * sizeof(Elf64_Shdr)))
      return false;
    std::memcpy(Sections.data(), Text.data() + Header.e_shoff,
                Sections.size() * sizeof(Elf64_Shdr));
    return true;
  }

  /// What the sections of that name hold.
  std::string section(std::string_view Name) const {
    std::string All;
    for (const Elf64_Shdr &Section : Sections)
      if (Section.sh_type == SHT_PROGBITS && nameOf(Section) == Name)
        All += held(Section);
    return All;
  }

  bool isRelocatable() const {
    return Header.e_type == ET_REL && Sections.size() + 1 < SHN_LORESERVE;
  }

  /// The file with one more section, of no alignment and not loaded: what was there stays where it
  /// is; names, the section and the table of sections follow.
  std::string with(std::string_view Name, const std::string &Content) const {
    std::string New(Text);
    std::vector<Elf64_Shdr> Table = Sections;
    Elf64_Shdr &Names = Table[Header.e_shstrndx];
    std::string AllNames(held(Names));
    Elf64_Shdr Added{};
    Added.sh_name = static_cast<Elf64_Word>(AllNames.size());
    AllNames.append(Name).push_back('\0');
    Names.sh_offset = New.size();
    Names.sh_size = AllNames.size();
    New += AllNames;
    Added.sh_type = SHT_PROGBITS;
    Added.sh_offset = New.size();
    Added.sh_size = Content.size();
    Added.sh_addralign = 1;
    New += Content;
    Table.push_back(Added);
    New.append((alignof(Elf64_Shdr) - New.size() % alignof(Elf64_Shdr)) % alignof(Elf64_Shdr),
               '\0');
    Elf64_Ehdr NewHeader = Header;
    NewHeader.e_shoff = New.size();
    NewHeader.e_shnum = static_cast<Elf64_Half>(Table.size());
    New.append(reinterpret_cast<const char *>(Table.data()), Table.size() * sizeof Table[0]);
    std::memcpy(New.data(), &NewHeader, sizeof NewHeader);
    return New;
  }

private:
  bool isInside(uint64_t Offset, uint64_t Bytes) const {
    return Offset <= Text.size() && Bytes <= Text.size() - Offset;
  }

  std::string_view held(const Elf64_Shdr &Section) const {
    if (!isInside(Section.sh_offset, Section.sh_size))
      return {};
    return Text.substr(Section.sh_offset, Section.sh_size);
  }

  std::string_view nameOf(const Elf64_Shdr &Section) const {
    const std::string_view Names = held(Sections[Header.e_shstrndx]);
    if (Section.sh_name >= Names.size())
      return {};
    const std::string_view Name = Names.substr(Section.sh_name);
    return Name.substr(0, Name.find('\0'));
  }

  const std::string_view Text;
  Elf64_Ehdr Header{};
  std::vector<Elf64_Shdr> Sections;
};

std::string digest(llvm::MD5 &Of) {
  llvm::MD5::MD5Result Result;
  Of.final(Result);
  return Result.digest().str().str();
}

} // namespace

std::optional<std::string> maicc::contents(const std::string &File) {
  const std::unique_ptr<llvm::MemoryBuffer> Text = mapped(File);
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
  const std::unique_ptr<llvm::MemoryBuffer> Text = mapped(File);
  Elf Program(Text ? std::string_view(Text->getBuffer()) : "");
  return Program.open() ? records(Program.section(SectionName)) : std::vector<Record>();
}

std::vector<Record> maicc::recordsInObject(const std::string &File) {
  const std::unique_ptr<llvm::MemoryBuffer> Text = mapped(File);
  Elf Object(Text ? std::string_view(Text->getBuffer()) : "");
  return Object.open() && Object.isRelocatable() ? records(Object.section(SectionName))
                                                 : std::vector<Record>();
}

bool maicc::addRecord(const std::string &Object, const Record &New) {
  const std::unique_ptr<llvm::MemoryBuffer> Text = mapped(Object);
  Elf Old(Text ? std::string_view(Text->getBuffer()) : "");
  return Old.open() && Old.isRelocatable() &&
         !support::writeWhole(Object, Old.with(SectionName, New.bytes()));
}

std::string maicc::hashOf(const std::string &Directory, const Arguments &Files) {
  llvm::MD5 All;
  for (const std::string &File : Files) {
    const std::unique_ptr<llvm::MemoryBuffer> Text = mapped((fs::path(Directory) / File).string());
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
