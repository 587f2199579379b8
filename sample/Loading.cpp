//===-- Loading.cpp - which programs our library is loaded into -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The dynamic linker complains of a library that is not for the program's processor, and some
// run-times of sanitizers end a program in which they do not come first.
#include "Loading.h"

#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Program.h"

using namespace sample;
using llvm::object::ELF64LE;

namespace {

bool wantsToComeFirst(llvm::StringRef Library) {
  return Library.starts_with("libasan.so") || Library.starts_with("libhwasan.so") ||
         Library.starts_with("libclang_rt.asan") || Library.starts_with("libclang_rt.hwasan");
}

bool isMemorySanitizer(const llvm::object::ELFObjectFileBase &File) {
  for (const llvm::object::ELFSymbolRef Each : File.getDynamicSymbolIterators()) {
    llvm::Expected<llvm::StringRef> Name = Each.getName();
    if (Name && *Name == "__msan_init")
      return true;
    llvm::consumeError(Name.takeError());
  }
  return false;
}

using Elf = llvm::object::ELFFile<ELF64LE>;

/// What begins at an address of a program, to the end of its file.
llvm::StringRef bytesFrom(const Elf &File, uint64_t Address) {
  llvm::Expected<const uint8_t *> At = File.toMappedAddr(Address);
  if (At)
    return {reinterpret_cast<const char *>(*At), static_cast<size_t>(File.end() - *At)};
  llvm::consumeError(At.takeError());
  return "";
}

/// Visits the names of the libraries that a program is linked with.
template <typename Visitor> void forLibraries(const Elf &Of, Visitor Visit) {
  llvm::Expected<Elf::Elf_Dyn_Range> Entries = Of.dynamicEntries();
  if (!Entries) {
    llvm::consumeError(Entries.takeError());
    return;
  }
  llvm::StringRef Names;
  for (const Elf::Elf_Dyn &Each : *Entries)
    if (Each.getTag() == llvm::ELF::DT_STRTAB)
      Names = bytesFrom(Of, Each.getPtr());
  for (const Elf::Elf_Dyn &Each : *Entries)
    if (Each.getTag() == llvm::ELF::DT_NEEDED)
      Visit(Names.substr(Each.getVal()).take_until([](char Its) { return !Its; }));
}

std::string obstacleIn(const llvm::object::ObjectFile &File) {
  const auto *Program = llvm::dyn_cast<llvm::object::ELFObjectFile<ELF64LE>>(&File);
  if (!Program)
    return "it is not of 64 bits";
  bool IsFirst = isMemorySanitizer(*Program);
  forLibraries(Program->getELFFile(),
               [&](llvm::StringRef Each) { IsFirst |= wantsToComeFirst(Each); });
  return IsFirst ? "it has a sanitizer" : "";
}

} // namespace

std::string sample::obstacleToLoading(const std::string &Program) {
  llvm::ErrorOr<std::string> Path = Program.find('/') == std::string::npos
                                        ? llvm::sys::findProgramByName(Program)
                                        : llvm::ErrorOr<std::string>(Program);
  if (!Path)
    return "";
  llvm::Expected<llvm::object::OwningBinary<llvm::object::ObjectFile>> File =
      llvm::object::ObjectFile::createObjectFile(*Path);
  if (File)
    return obstacleIn(*File->getBinary());
  llvm::consumeError(File.takeError());
  return "";
}
