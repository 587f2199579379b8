//===-- Output.cpp - where the new text goes --------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Output.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace mapp;
namespace fs = llvm::sys::fs;

namespace {

bool fail(const std::string &File, const std::string &What) {
  llvm::errs() << "mapp-rewrite: " << File << ": " << What << '\n';
  return false;
}

bool fail(const std::string &File, std::error_code Error) { return fail(File, Error.message()); }

/// Writes to an open file and closes it.
std::error_code writeAndClose(int Descriptor, const std::string &Text) {
  llvm::raw_fd_ostream Stream(Descriptor, /*shouldClose=*/true);
  Stream << Text;
  Stream.close();
  const std::error_code Error = Stream.error();
  Stream.clear_error();
  return Error;
}

/// Removes its file when it goes out of scope, unless the file has been kept.
class TemporaryFile {
public:
  TemporaryFile() = default;
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;
  TemporaryFile(TemporaryFile &&Other) noexcept : Name(std::exchange(Other.Name, "")) {}
  TemporaryFile &operator=(TemporaryFile &&) = delete;
  ~TemporaryFile() {
    if (!Name.empty())
      fs::remove(Name);
  }

  /// Next to `File`, so that a rename can put it there, with that file's permissions.
  std::error_code create(const std::string &File, const std::string &Text) {
    int Descriptor = -1;
    llvm::SmallString<128> Path;
    if (const std::error_code Error =
            fs::createUniqueFile(File + ".%%%%%%%%", Descriptor, Path, fs::OF_None, mode(File)))
      return Error;
    Name = Path.str().str();
    return writeAndClose(Descriptor, Text);
  }

  /// A new file; an error when there is one already.
  std::error_code createNew(const std::string &File, const std::string &Text, unsigned Mode) {
    int Descriptor = -1;
    if (const std::error_code Error =
            fs::openFileForWrite(File, Descriptor, fs::CD_CreateNew, fs::OF_None, Mode))
      return Error;
    Name = File;
    return writeAndClose(Descriptor, Text);
  }

  std::error_code renameTo(const std::string &File) {
    const std::error_code Error = fs::rename(Name, File);
    if (!Error)
      Name.clear();
    return Error;
  }

  void keep() { Name.clear(); }

  const std::string &name() const { return Name; }

  static unsigned mode(const std::string &File) {
    fs::file_status Status;
    return fs::status(File, Status) ? 0666U : static_cast<unsigned>(Status.permissions());
  }

private:
  std::string Name;
};

/// What a symbolic link stands for is replaced, not the link.
std::string target(const std::string &File) {
  llvm::SmallString<128> Real;
  return fs::real_path(File, Real) ? File : Real.str().str();
}

} // namespace

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
  const int Status = llvm::sys::ExecuteAndWait(
      *Diff, {*Diff, "-u", "--label", Text.File, "--label", Text.File, Old.name(), New.name()},
      std::nullopt, {}, 0, 0, &Message);
  constexpr int Differ = 1;
  return Status == Differ || fail("diff", Message.empty() ? "failed" : Message);
}

bool mapp::writeWhole(const std::string &File, const std::string &Text) {
  const std::string Target = target(File);
  if (fs::exists(Target) && !fs::is_regular_file(Target)) { // A device or a pipe.
    int Descriptor = -1;
    if (const std::error_code Error = fs::openFileForWrite(Target, Descriptor, fs::CD_OpenExisting))
      return fail(File, Error);
    const std::error_code Error = writeAndClose(Descriptor, Text);
    return !Error || fail(File, Error);
  }
  TemporaryFile New;
  std::error_code Error = New.create(Target, Text);
  if (!Error)
    Error = New.renameTo(Target);
  return !Error || fail(File, Error);
}

bool mapp::replaceAll(const std::vector<NewText> &Texts) {
  std::vector<TemporaryFile> Replacements, Backups;
  for (const NewText &Text : Texts) {
    const std::string Target = target(Text.File), Backup = Target + ".orig";
    if (const std::error_code Error = Replacements.emplace_back().create(Target, Text.New))
      return fail(Text.File, Error);
    if (const std::error_code Error =
            Backups.emplace_back().createNew(Backup, Text.Old, TemporaryFile::mode(Target)))
      return fail(Backup, Error == std::errc::file_exists
                              ? "exists already; the original would be lost"
                              : Error.message());
  }
  for (size_t I = 0; I < Texts.size(); ++I) {
    if (const std::error_code Error = Replacements[I].renameTo(target(Texts[I].File)))
      return fail(Texts[I].File, Error);
    Backups[I].keep();
  }
  return true;
}
