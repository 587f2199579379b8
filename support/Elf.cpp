//===-- Elf.cpp - programs and objects as files -----------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Elf.h"

#include "Files.h"

#include <algorithm>
#include <bit>
#include <cstring>

using namespace support;

static std::string_view nameAt(std::string_view Names, size_t Offset) {
  const std::string_view Rest = Names.substr(std::min(Offset, Names.size()));
  return Rest.substr(0, Rest.find('\0'));
}

Elf::Elf(const std::string &Name) : File(mapped(Name)) {
  constexpr unsigned char Order =
      std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
  if (!File || File->getBufferSize() < sizeof Header)
    return;
  Text = File->getBuffer();
  std::memcpy(&Header, Text.data(), sizeof Header);
  Valid = std::memcmp(Header.e_ident, ELFMAG, SELFMAG) == 0 &&
          Header.e_ident[EI_CLASS] == ELFCLASS64 && Header.e_ident[EI_DATA] == Order;
  if (Valid)
    readSections();
}

void Elf::readSections() {
  const size_t Bytes = Header.e_shnum * sizeof(Elf64_Shdr);
  if (Header.e_shentsize != sizeof(Elf64_Shdr) || Header.e_shstrndx >= Header.e_shnum ||
      Header.e_shoff > Text.size() || Bytes > Text.size() - Header.e_shoff)
    return;
  Sections.resize(Header.e_shnum);
  std::memcpy(Sections.data(), Text.data() + Header.e_shoff, Bytes);
}

std::string_view Elf::held(const Elf64_Shdr &Section) const {
  if (Section.sh_type == SHT_NOBITS || Section.sh_offset > Text.size() ||
      Section.sh_size > Text.size() - Section.sh_offset)
    return {};
  return Text.substr(Section.sh_offset, Section.sh_size);
}

std::string_view Elf::nameOf(const Elf64_Shdr &Section) const {
  return nameAt(held(Sections[Header.e_shstrndx]), Section.sh_name);
}

bool Elf::takesSection() const { return !Sections.empty() && Sections.size() + 1 < SHN_LORESERVE; }

bool Elf::isRelocatable() const { return takesSection() && Header.e_type == ET_REL; }

std::string Elf::section(std::string_view Name) const {
  std::string All;
  for (const Elf64_Shdr &Section : Sections)
    if (nameOf(Section) == Name)
      All += held(Section);
  return All;
}

void Elf::forEachSymbol(llvm::function_ref<void(std::string_view)> Visit) const {
  for (const Elf64_Shdr &Section : Sections) {
    if ((Section.sh_type != SHT_SYMTAB && Section.sh_type != SHT_DYNSYM) ||
        Section.sh_link >= Sections.size())
      continue;
    const std::string_view Table = held(Section), Names = held(Sections[Section.sh_link]);
    for (size_t At = 0; At + sizeof(Elf64_Sym) <= Table.size(); At += sizeof(Elf64_Sym)) {
      Elf64_Sym Symbol;
      std::memcpy(&Symbol, Table.data() + At, sizeof Symbol);
      Visit(nameAt(Names, Symbol.st_name));
    }
  }
}

/// What was there stays where it is; names, the section and the table of sections follow.
std::string Elf::with(std::string_view Name, const std::string &Content) const {
  std::string New(Text);
  std::vector<Elf64_Shdr> Table = Sections;
  const auto Put = [&New](Elf64_Shdr &Section, std::string_view Held) {
    Section.sh_offset = New.size();
    Section.sh_size = Held.size();
    New += Held;
  };
  auto Own = std::find_if(Table.begin(), Table.end(),
                          [&](const Elf64_Shdr &Each) { return nameOf(Each) == Name; });
  if (Own == Table.end()) {
    std::string Names(held(Table[Header.e_shstrndx]));
    Elf64_Shdr Added{};
    Added.sh_name = static_cast<Elf64_Word>(Names.size());
    Added.sh_type = SHT_PROGBITS;
    Added.sh_addralign = 1;
    Put(Table[Header.e_shstrndx], Names.append(Name) + '\0');
    Own = Table.insert(Own, Added);
  }
  Put(*Own, Content);
  New.append((alignof(Elf64_Shdr) - New.size() % alignof(Elf64_Shdr)) % alignof(Elf64_Shdr), '\0');
  Elf64_Ehdr NewHeader = Header;
  NewHeader.e_shoff = New.size();
  NewHeader.e_shnum = static_cast<Elf64_Half>(Table.size());
  New.append(reinterpret_cast<const char *>(Table.data()), Table.size() * sizeof Table[0]);
  std::memcpy(New.data(), &NewHeader, sizeof NewHeader);
  return New;
}
