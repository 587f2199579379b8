//===-- Output.cpp - where the new text goes --------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Output.h"

#include "mapp/facts/Diagnostics.h"
#include "support/Files.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace mapp;
using support::TemporaryFile;
namespace fs = llvm::sys::fs;

bool mapp::printDiff(const NewText &Text) {
  if (Text.Old == Text.New)
    return true;
  const llvm::ErrorOr<std::string> Diff = llvm::sys::findProgramByName("diff");
  if (!Diff)
    return fail("diff", Diff.getError());
  TemporaryFile Old, New;
  llvm::SmallString<128> Directory;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, Directory);
  const std::string Base = (Directory + "/mapp").str();
  if (const std::error_code Error = Old.create(Base, Text.Old))
    return fail(Base, Error);
  if (const std::error_code Error = New.create(Base, Text.New))
    return fail(Base, Error);
  std::string Message;
  const int Status = llvm::sys::ExecuteAndWait(*Diff,
                                               {*Diff, "-u", "--color=auto", "--label", Text.File,
                                                "--label", Text.File, Old.name(), New.name()},
                                               std::nullopt, {}, 0, 0, &Message);
  constexpr int Differ = 1;
  return Status == Differ || fail("diff", Message.empty() ? "failed" : Message);
}

bool mapp::writeWhole(const std::string &File, const std::string &Text) {
  const std::error_code Error = support::writeWhole(File, Text);
  return !Error || fail(File, Error);
}

//===-- A tree ----------------------------------------------------------------===//

namespace {

/// Absolute, and without . and .. and links.
std::string realPath(const std::string &File) {
  llvm::SmallString<128> Real;
  if (fs::real_path(File, Real)) {
    Real = File;
    fs::make_absolute(Real);
    llvm::sys::path::remove_dots(Real, /*remove_dot_dot=*/true);
  }
  return Real.str().str();
}

/// The directory that holds all of these files: the current one if it does.
std::string commonDirectory(const std::vector<std::string> &Files) {
  std::string Common = realPath(".");
  const auto Holds = [&](const std::string &File) {
    return Common == "/" || llvm::StringRef(File).starts_with(Common + "/");
  };
  while (!llvm::all_of(Files, Holds))
    Common = llvm::sys::path::parent_path(Common).str();
  return Common;
}

bool writeInto(const std::string &Directory, llvm::StringRef Relative, const std::string &Text) {
  llvm::SmallString<128> Path(Directory);
  llvm::sys::path::append(Path, Relative);
  if (const std::error_code Error = fs::create_directories(llvm::sys::path::parent_path(Path)))
    return fail(Path.str().str(), Error);
  return writeWhole(Path.str().str(), Text);
}

} // namespace

bool mapp::writeTree(const std::string &Directory, const std::vector<NewText> &Texts,
                     const std::vector<std::string> &Headers) {
  std::vector<std::string> Paths;
  for (const NewText &Text : Texts)
    Paths.push_back(realPath(Text.File));
  const std::string Base = commonDirectory(Paths);
  const std::string Target = realPath(Directory);
  const size_t Skip = Base == "/" ? 1 : Base.size() + 1;
  if (Target == Base)
    return fail(Directory, "is where the files are; use -i to rewrite them there",
                Topic::SourceIsTarget);
  for (size_t I = 0; I < Texts.size(); ++I)
    if (!writeInto(Directory, llvm::StringRef(Paths[I]).drop_front(Skip), Texts[I].New))
      return false;
  for (const std::string &Header : Headers) {
    const std::string Path = realPath(Header);
    if (!llvm::StringRef(Path).starts_with(Base + "/"))
      continue; // The compiler finds it where it is.
    const std::optional<std::string> Text = contents(Path);
    if (!Text || !writeInto(Directory, llvm::StringRef(Path).drop_front(Skip), *Text))
      return false;
  }
  return true;
}
