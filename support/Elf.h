//===-- Elf.h - programs and objects as files -------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_SUPPORT_ELF_H
#define MINAS_SUPPORT_ELF_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <elf.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace support {

/// An ELF file of this machine's kind, of which only those pages are read that are looked at:
/// programs may be large. Every offset is checked against the file's size.
class Elf {
public:
  explicit Elf(const std::string &File);

  bool isElf() const { return Valid; }
  bool isRelocatable() const;

  /// What the sections of that name hold.
  std::string section(std::string_view Name) const;

  void forEachSymbol(llvm::function_ref<void(std::string_view Name)> Visit) const;

  /// Whether with() can be asked.
  bool takesSection() const;

  /// The file with a section of no alignment that is not loaded, in the place of one of its name.
  std::string with(std::string_view Name, const std::string &Content) const;

private:
  std::string_view held(const Elf64_Shdr &Section) const;
  std::string_view nameOf(const Elf64_Shdr &Section) const;
  void readSections();

  std::unique_ptr<llvm::MemoryBuffer> File;
  std::string_view Text;
  bool Valid = false;
  Elf64_Ehdr Header{};
  std::vector<Elf64_Shdr> Sections;
};

} // namespace support

#endif // MINAS_SUPPORT_ELF_H
