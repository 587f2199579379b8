//===-- DebugFile.cpp - where a program's debug information is --*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DebugFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/BuildID.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <optional>
#include <string>
#include <vector>

using namespace llvm;
using namespace llvm::object;

namespace {

constexpr StringRef Installed = "/usr/lib/debug";

/// What a section has in it; nothing without such a section.
std::optional<StringRef> section(const ObjectFile &Object, StringRef Wanted) {
  for (const SectionRef &Each : Object.sections()) {
    Expected<StringRef> Name = Each.getName();
    Expected<StringRef> Contents = Each.getContents();
    if (Name && Contents && *Name == Wanted)
      return *Contents;
    if (!Name)
      consumeError(Name.takeError());
    if (!Contents)
      consumeError(Contents.takeError());
  }
  return std::nullopt;
}

std::vector<uint8_t> buildId(const ObjectFile &Object) {
  const std::optional<BuildIDRef> Id = getBuildID(&Object); // LLVM 16 has none for one without.
  return Id ? std::vector<uint8_t>(Id->begin(), Id->end()) : std::vector<uint8_t>();
}

/// Files that may be the one, the likeliest first.
std::vector<std::string> candidates(const ObjectFile &Program) {
  std::vector<std::string> Files;
  const std::string Id = toHex(buildId(Program), true);
  if (Id.size() > 2)
    Files.push_back(
        (Installed + "/.build-id/" + Id.substr(0, 2) + "/" + Id.substr(2) + ".debug").str());
  const std::optional<StringRef> Link = section(Program, ".gnu_debuglink");
  const StringRef Name = Link ? Link->take_until([](char C) { return C == '\0'; }) : "";
  SmallString<256> Path = Program.getFileName();
  if (Name.empty() || Name.contains('/') || sys::fs::make_absolute(Path))
    return Files;
  const std::string Folder = sys::path::parent_path(Path).str();
  for (const std::string &Start : {Folder, Folder + "/.debug", Installed.str() + Folder})
    Files.push_back(Start + "/" + Name.str());
  return Files;
}

/// Whether a file is of the same build as the program.
bool suits(const ObjectFile &Debug, const ObjectFile &Program) {
  return Debug.isELF() && Debug.is64Bit() && buildId(Debug) == buildId(Program) &&
         section(Debug, ".debug_info");
}

} // namespace

OwningBinary<ObjectFile> names::openDebugFile(const ObjectFile &Program) {
  if (section(Program, ".debug_info"))
    return {};
  for (const std::string &File : candidates(Program)) {
    auto Opened = ObjectFile::createObjectFile(File);
    if (Opened && suits(*Opened->getBinary(), Program))
      return std::move(*Opened);
    if (!Opened)
      consumeError(Opened.takeError());
  }
  return {};
}
