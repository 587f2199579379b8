//===-- Build.cpp - how a program was built ---------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// maicc has the compilers record their command lines (-frecord-gcc-switches), which is how an
// object tells that clang did not vectorise it. -O0 and -O1 do not either.
//
//===----------------------------------------------------------------------===//

#include "Build.h"

#include <cstring>
#include <elf.h>
#include <fstream>
#include <iterator>
#include <link.h>
#include <string_view>
#include <vector>

using namespace maiprof;

namespace {

class ElfFile {
public:
  explicit ElfFile(const std::string &Path) {
    std::ifstream In(Path, std::ios::binary);
    Bytes.assign(std::istreambuf_iterator<char>(In), {});
    Valid = read(0, Header) && std::memcmp(Header.e_ident, ELFMAG, SELFMAG) == 0 &&
            Header.e_ident[EI_CLASS] == (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) &&
            Header.e_shentsize == sizeof(ElfW(Shdr));
    for (size_t I = 0; Valid && I < Header.e_shnum; ++I) {
      ElfW(Shdr) Section;
      if (!read(Header.e_shoff + I * sizeof Section, Section))
        break;
      Sections.push_back(Section);
    }
  }

  bool isValid() const { return Valid; }

  /// The contents of a section by name; empty when there is none.
  std::string_view section(std::string_view Name) const {
    if (Header.e_shstrndx >= Sections.size())
      return {};
    const std::string_view Names = contents(Sections[Header.e_shstrndx]);
    for (const ElfW(Shdr) & Section : Sections)
      if (textAt(Names, Section.sh_name) == Name)
        return contents(Section);
    return {};
  }

  template <typename Visitor> void forEachSymbol(Visitor &&Visit) const {
    for (const ElfW(Shdr) & Section : Sections) {
      if ((Section.sh_type != SHT_SYMTAB && Section.sh_type != SHT_DYNSYM) ||
          Section.sh_link >= Sections.size())
        continue;
      const std::string_view Table = contents(Section);
      const std::string_view Names = contents(Sections[Section.sh_link]);
      for (size_t At = 0; At + sizeof(ElfW(Sym)) <= Table.size(); At += sizeof(ElfW(Sym))) {
        ElfW(Sym) Symbol;
        std::memcpy(&Symbol, Table.data() + At, sizeof Symbol);
        Visit(textAt(Names, Symbol.st_name));
      }
    }
  }

  static std::string_view textAt(std::string_view Text, size_t Offset) {
    if (Offset >= Text.size())
      return {};
    const std::string_view Rest = Text.substr(Offset);
    return Rest.substr(0, Rest.find('\0'));
  }

private:
  template <typename T> bool read(uint64_t Offset, T &Out) const {
    if (Offset > Bytes.size() || Bytes.size() - Offset < sizeof Out)
      return false;
    std::memcpy(&Out, Bytes.data() + Offset, sizeof Out);
    return true;
  }

  std::string_view contents(const ElfW(Shdr) & Section) const {
    if (Section.sh_type == SHT_NOBITS || Section.sh_offset > Bytes.size() ||
        Bytes.size() - Section.sh_offset < Section.sh_size)
      return {};
    return std::string_view(Bytes).substr(Section.sh_offset, Section.sh_size);
  }

  std::string Bytes;
  ElfW(Ehdr) Header {};
  std::vector<ElfW(Shdr)> Sections;
  bool Valid = false;
};

bool contains(std::string_view Text, std::string_view Part) {
  return Text.find(Part) != std::string_view::npos;
}

/// Whether a command line is clang's: options of gcc's, which begins "GNU C17 12.2.0", may name
/// a path with that word.
bool isClangs(std::string_view Command) {
  return contains(Command.substr(0, Command.find(" -")), "clang");
}

/// Whether the last -O of a command line lets clang vectorise.
bool optimises(std::string_view Command) {
  bool Result = false;
  for (size_t At = 0; (At = Command.find(" -O", At)) != std::string_view::npos; At += 3) {
    const char Level = At + 3 < Command.size() ? Command[At + 3] : ' ';
    Result = Level != '0' && Level != '1' && Level != ' ';
  }
  return Result;
}

/// The last argument of a command line that looks like a source.
std::string sourceOf(std::string_view Command) {
  size_t End = Command.size();
  while (End > 0) {
    size_t Start = Command.rfind(' ', End - 1);
    Start = Start == std::string_view::npos ? 0 : Start + 1;
    const std::string_view Word = Command.substr(Start, End - Start);
    if (!Word.empty() && Word[0] != '-' && contains(Word, ".") && !Word.ends_with(".o") &&
        !Word.ends_with(".bc"))
      return std::string(Word);
    if (Start == 0)
      break;
    End = Start - 1;
  }
  return "a source";
}

} // namespace

Build maiprof::examineBuild(const std::string &Program) {
  Build B;
  const ElfFile File(Program);
  B.IsElf = File.isValid();
  if (!B.IsElf)
    return B;
  const std::string_view Names = File.section(".dynstr");
  B.HasRuntime = contains(Names, "libmaitrace_rt.so");
  File.forEachSymbol([&](std::string_view Name) {
    /* Each instrumented source calls it at the program's start; the library alone defines it. */
    B.HasHooks |= Name == "__tsan_init";
  });
  bool Recorded = false;
  const std::string_view Commands = File.section(".GCC.command.line");
  for (size_t At = 0; At < Commands.size();) {
    const std::string_view Command = ElfFile::textAt(Commands, At);
    At += Command.size() + 1;
    if (!isClangs(Command) || !contains(Command, "-fsanitize=thread"))
      continue;
    Recorded = true;
    const bool Kept =
        contains(Command, "-fno-vectorize") && contains(Command, "-fno-slp-vectorize");
    if (!Kept && optimises(Command))
      B.Vectorised = sourceOf(Command);
  }
  B.ClangWithoutRecord = contains(File.section(".comment"), "clang") && !Recorded;
  return B;
}

bool maiprof::isSystemLibrary(const std::string &Path) {
  static constexpr std::string_view Own[] = {
      "libc.so",      "libm.so",        "libgomp.so",     "libomp.so",     "libgcc_s.so",
      "libstdc++.so", "libpthread.so",  "libdl.so",       "librt.so",      "ld-linux",
      "linux-vdso",   "libgfortran.so", "libquadmath.so", "libatomic.so",  "libnumarch.so",
      "libhwloc.so",  "libmai.so",      "libnuma.so",     "libjansson.so", "libmaitrace_rt.so",
      "libudev.so",   "libz.so",        "libcap.so",      "libiomp5.so"};
  const std::string Name = Path.substr(Path.rfind('/') + 1);
  for (const std::string_view Prefix : Own)
    if (Name.starts_with(Prefix))
      return true;
  return false;
}
