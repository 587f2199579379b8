//===-- Code.cpp - the machine code of a file -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Code.h"

#include "System.h"
#include "support/Files.h"

#include <algorithm>
#include <cstring>
#include <elf.h>

extern "C" {
#include "runtime/symbols.h"
}

using namespace sample;

Code::Code(const std::string &File_) : Name(File_), File(support::mapped(File_)) {
  if (!File)
    return;
  All = {File->getBufferStart(), File->getBufferSize()};
  const auto Head = at<Elf64_Ehdr>(0);
  if (std::memcmp(Head.e_ident, ELFMAG, SELFMAG) == 0 && Head.e_ident[EI_CLASS] == ELFCLASS64 &&
      Head.e_machine == EM_X86_64)
    readSegments();
}

Code::~Code() = default;

/// What stands in the file; zeros where it ends before.
template <typename Number> Number Code::at(uint64_t Offset) const {
  Number Result{};
  if (Offset <= All.size() && sizeof Result <= All.size() - Offset)
    std::memcpy(&Result, All.data() + Offset, sizeof Result);
  return Result;
}

void Code::readSegments() {
  const auto Head = at<Elf64_Ehdr>(0);
  uint64_t Table = 0, TableAddress = 0;
  for (unsigned I = 0; I < Head.e_phnum; ++I) {
    const auto Its = at<Elf64_Phdr>(Head.e_phoff + I * sizeof(Elf64_Phdr));
    if (Its.p_type == PT_LOAD)
      Segments.push_back({Its.p_vaddr, Its.p_filesz, Its.p_offset, (Its.p_flags & PF_X) != 0,
                          (Its.p_flags & PF_W) != 0});
    if (Its.p_type == PT_NOTE)
      readNotes(Its.p_offset, Its.p_filesz);
    if (Its.p_type == PT_GNU_EH_FRAME) {
      Table = Its.p_offset;
      TableAddress = Its.p_vaddr;
    }
  }
  if (Table)
    readFunctions(Table, TableAddress);
  if (Functions.empty()) /* Go's linker makes none, and C need not have any */
    for (const auto &[Start, Its] : functionNames())
      Functions.push_back(Start);
}

void Code::readNotes(uint64_t Offset, uint64_t Bytes) {
  constexpr std::string_view Owner("GNU\0", 4);
  constexpr uint64_t Align = 4;
  const uint64_t End = Offset + std::min<uint64_t>(Bytes, All.size());
  while (Offset < End && Offset < All.size()) {
    const auto Its = at<Elf64_Nhdr>(Offset);
    const uint64_t Name_ = Offset + sizeof Its,
                   Text = Name_ + (uint64_t(Its.n_namesz) + Align - 1) / Align * Align;
    if (Text + Its.n_descsz > All.size())
      return;
    if (Its.n_type == NT_GNU_BUILD_ID && All.substr(Name_, Its.n_namesz) == Owner)
      BuildId = All.substr(Text, Its.n_descsz);
    Offset = Text + (uint64_t(Its.n_descsz) + Align - 1) / Align * Align;
  }
}

/// The sorted table that linkers make of unwind tables, in the one form that they give it.
void Code::readFunctions(uint64_t Offset, uint64_t Address) {
  struct Entry {
    int32_t Function, Description;
  };
  constexpr uint32_t UsualForm = 0x3b031b01; /* version 1, pcrel sdata4, udata4, datarel sdata4 */
  if (at<uint32_t>(Offset) != UsualForm)
    return;
  constexpr uint64_t HeadBytes = 12;
  const uint64_t Count = std::min<uint64_t>(at<uint32_t>(Offset + 8), All.size() / sizeof(Entry));
  for (uint64_t I = 0; I < Count; ++I)
    Functions.push_back(Address + static_cast<uint64_t>(static_cast<int64_t>(
                                      at<Entry>(Offset + HeadBytes + I * sizeof(Entry)).Function)));
  std::sort(Functions.begin(), Functions.end());
}

uint64_t Code::addressOf(uint64_t Offset) const {
  /* Mappings begin at a page, segments need not. */
  for (const Segment &S : Segments)
    if (S.IsCode && Offset >= S.Offset / PageBytes * PageBytes && Offset < S.Offset + S.FileBytes)
      return S.Start + Offset - S.Offset;
  return 0;
}

bool Code::isReadOnly(uint64_t Address) const {
  return std::ranges::any_of(Segments, [&](const Segment &S) {
    return !S.IsWritten && Address >= S.Start && Address - S.Start < S.FileBytes;
  });
}

std::string_view Code::bytesFrom(uint64_t Address) const {
  for (const Segment &S : Segments)
    if (S.IsCode && Address >= S.Start && Address - S.Start < S.FileBytes &&
        S.Offset <= All.size()) {
      const uint64_t Skipped = Address - S.Start;
      return All.substr(std::min<uint64_t>(All.size(), S.Offset + Skipped), S.FileBytes - Skipped);
    }
  return {};
}

Code::Function Code::functionAt(uint64_t Address) const {
  const auto After = std::upper_bound(Functions.begin(), Functions.end(), Address);
  if (After == Functions.begin())
    return {};
  const uint64_t Start = *(After - 1);
  const std::string_view Rest = bytesFrom(Start);
  const uint64_t Most = After == Functions.end() ? Rest.size() : *After - Start;
  return {Start, Rest.substr(0, Most)};
}

const std::map<uint64_t, std::string> &Code::functionNames() {
  minas_image Image;
  if (!HasFunctionNames && isThere() && minas_image_open(&Image, Name.c_str(), 0) == 0) {
    const auto Visit = [](const minas_symbol *Symbol, void *To) {
      if (Symbol->type == STT_FUNC && Symbol->is_defined)
        static_cast<std::map<uint64_t, std::string> *>(To)->try_emplace(Symbol->start,
                                                                        Symbol->name);
    };
    minas_symbols_visit(&Image, MINAS_EITHER_TABLE, Visit, &FunctionNames);
    minas_image_close(&Image);
  }
  HasFunctionNames = true;
  return FunctionNames;
}

std::string Code::functionName(uint64_t Start) {
  const std::map<uint64_t, std::string> &Names = functionNames();
  const auto Known = Names.find(Start);
  return Known == Names.end() ? "" : Known->second;
}

const std::vector<Variable> &Code::variables() {
  minas_image Image;
  if (HasVariables || Segments.empty() || minas_image_open(&Image, Name.c_str(), 0) != 0)
    return Variables;
  HasVariables = true;
  const auto Visit = [](const minas_symbol *Symbol, void *To) {
    if (Symbol->type == STT_OBJECT && Symbol->is_written && Symbol->bytes)
      static_cast<std::vector<Variable> *>(To)->push_back(
          {Symbol->start, Symbol->bytes, Symbol->name});
  };
  minas_symbols_visit(&Image, MINAS_EITHER_TABLE, Visit, &Variables);
  minas_image_close(&Image);
  return Variables;
}
