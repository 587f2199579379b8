//===-- ProjectFile.cpp - reading .mapp.yaml ----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ProjectFile.h"

#include "mapp/facts/Diagnostics.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/YAMLTraits.h"

using namespace mapp;

LLVM_YAML_IS_SEQUENCE_VECTOR(mapp::Project::Array)

template <> struct llvm::yaml::MappingTraits<Project::Array> {
  static void mapping(IO &Io, Project::Array &A) {
    Io.mapRequired("name", A.Name);
    Io.mapOptional("file", A.File);
    Io.mapRequired("place", A.Place);
  }
};

template <> struct llvm::yaml::MappingTraits<Project> {
  static void mapping(IO &Io, Project &P) {
    Io.mapOptional("machine", P.Machine);
    Io.mapOptional("arrays", P.Arrays);
  }
};

/// Keeps the first complaint. The file may be something else altogether, which messages must not
/// spread: the line at fault is not shown, and of a word in it no more than its beginning.
static void keepFirst(const llvm::SMDiagnostic &What, void *Into) {
  constexpr size_t Most = 40;
  std::string &Wrong = *static_cast<std::string *>(Into);
  if (!Wrong.empty())
    return;
  for (const char C : What.getMessage().take_front(Most))
    Wrong += llvm::isPrint(C) ? C : '?';
  if (What.getMessage().size() > Most)
    Wrong += "...";
  Wrong = std::to_string(What.getLineNo()) + ":" + std::to_string(What.getColumnNo() + 1) + ": " +
          Wrong;
}

std::string mapp::parseProject(llvm::StringRef Text, Project &Out) {
  if (Text.size() > MaxProjectBytes)
    return "1:1: more than " + std::to_string(MaxProjectBytes) + " bytes";
  std::string Wrong;
  llvm::yaml::Input Yaml(Text, nullptr, keepFirst, &Wrong);
  if (!Text.trim().empty())
    Yaml >> Out;
  return Yaml.error() && Wrong.empty() ? "1:1: no YAML" : Wrong;
}

bool mapp::readProject(const std::string &NearFile, Project &Out) {
  llvm::SmallString<128> Directory(NearFile);
  if (llvm::sys::fs::make_absolute(Directory))
    return true;
  llvm::sys::path::remove_dots(Directory, /*remove_dot_dot=*/true);
  while (llvm::sys::path::has_relative_path(Directory)) {
    llvm::sys::path::remove_filename(Directory);
    llvm::SmallString<128> Candidate(Directory);
    llvm::sys::path::append(Candidate, ".mapp.yaml");
    if (!llvm::sys::fs::exists(Candidate))
      continue;
    Out.Path = Candidate.str().str();
    const auto Buffer = llvm::MemoryBuffer::getFile(Candidate);
    if (!Buffer)
      return fail(Out.Path, Buffer.getError().message(), Topic::Unreadable);
    const std::string Wrong = parseProject((*Buffer)->getBuffer(), Out);
    const auto [Where, What] = llvm::StringRef(Wrong).split(": ");
    return Wrong.empty() || fail((Out.Path + ":" + Where).str(), What.str(), Topic::BadProject);
  }
  return true;
}
