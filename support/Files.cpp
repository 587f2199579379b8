//===-- Files.cpp - files that are whole or not there -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Files.h"

#include "Options.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

using namespace support;
namespace fs = llvm::sys::fs;

namespace {

std::error_code finish(llvm::raw_fd_ostream &Stream) {
  const std::error_code Error = Stream.error();
  Stream.clear_error();
  return Error;
}

/// Writes to an open file and closes it.
/// @param Safe as createLike()
std::error_code writeAndClose(int Descriptor, llvm::StringRef Text, bool Safe) {
  llvm::raw_fd_ostream Stream(Descriptor, /*shouldClose=*/true);
  Stream << Text;
  Stream.flush();
  const bool Unsafe = Safe && !Stream.has_error() && fsync(Descriptor) != 0;
  const std::error_code NotSafe(Unsafe ? errno : 0, std::generic_category());
  Stream.close();
  const std::error_code Error = finish(Stream);
  return Error ? Error : NotSafe;
}

/// Gives a new file the owner, group and permissions of one that there is. The permissions come
/// last: they may be wider, and a change of the owner takes some away.
std::error_code takeRights(int Descriptor, const std::string &Like) {
  fs::file_status Status;
  if (fs::status(Like, Status))
    return {};
  struct stat Own;
  std::error_code Refused;
  if (fstat(Descriptor, &Own) != 0 ||
      ((Own.st_uid != Status.getUser() || Own.st_gid != Status.getGroup()) &&
       fchown(Descriptor, Status.getUser(), Status.getGroup()) != 0))
    Refused = std::error_code(errno, std::generic_category());
  const std::error_code Error = fs::setPermissions(Descriptor, Status.permissions());
  return Refused ? Refused : Error;
}

/// What may be read by others only when it has its rights.
unsigned firstMode(const std::string &Like) {
  constexpr unsigned ReadAndWrite = 0666, OwnersOnly = 0600;
  return fs::exists(Like) ? OwnersOnly : ReadAndWrite;
}

/// Into a device or a pipe, which cannot be replaced.
std::error_code writeInto(const std::string &File, llvm::StringRef Text) {
  int Descriptor = -1;
  const std::error_code Error = fs::openFileForWrite(File, Descriptor, fs::CD_OpenExisting);
  return Error ? Error : writeAndClose(Descriptor, Text, /*Safe=*/false);
}

/// What a name such as /dev/stdout or /dev/fd/5 stands for: a descriptor that is open already.
std::optional<int> openAlready(llvm::StringRef File) {
  int Number = -1;
  if (File == "/dev/stdout" || File == "/dev/stderr")
    return File == "/dev/stdout" ? STDOUT_FILENO : STDERR_FILENO;
  const bool IsOne = File.consume_front("/dev/fd/") || File.consume_front("/proc/self/fd/");
  return IsOne && !File.getAsInteger(10, Number) ? std::optional(Number) : std::nullopt;
}

/// Behind what was written to it, whatever it is open to.
std::error_code writeTo(int Open, llvm::StringRef Text) {
  llvm::outs().flush();
  const int Copy = dup(Open);
  return Copy < 0 ? std::error_code(errno, std::generic_category())
                  : writeAndClose(Copy, Text, /*Safe=*/false);
}

/// A directory in which others may put links.
bool isForAnybody(llvm::StringRef Directory) {
  fs::file_status Status;
  return !fs::status(Directory.empty() ? "." : Directory, Status) &&
         (Status.permissions() & fs::others_write) != 0;
}

} // namespace

TemporaryFile::~TemporaryFile() {
  if (!Name.empty())
    fs::remove(Name);
}

std::error_code TemporaryFile::createUnique(const std::string &File, int &Descriptor) {
  llvm::SmallString<128> Path;
  const std::error_code Error =
      fs::createUniqueFile(File + ".%%%%%%%%", Descriptor, Path, fs::OF_None, firstMode(File));
  if (!Error)
    Name = Path.str().str();
  return Error;
}

std::error_code TemporaryFile::create(const std::string &File, llvm::StringRef Text) {
  int Descriptor = -1;
  if (const std::error_code Error = createUnique(File, Descriptor))
    return Error;
  takeRights(Descriptor, File); // As far as they may be given.
  return writeAndClose(Descriptor, Text, /*Safe=*/false);
}

std::error_code TemporaryFile::createLike(const std::string &File, llvm::StringRef Text,
                                          bool Safe) {
  int Descriptor = -1;
  if (const std::error_code Error = createUnique(File, Descriptor))
    return Error;
  const std::error_code Refused = takeRights(Descriptor, File);
  const std::error_code Error = writeAndClose(Descriptor, Text, Safe);
  return Refused ? Refused : Error;
}

std::error_code TemporaryFile::createNew(const std::string &File, llvm::StringRef Text,
                                         const std::string &Like) {
  int Descriptor = -1;
  if (const std::error_code Error =
          fs::openFileForWrite(File, Descriptor, fs::CD_CreateNew, fs::OF_None, firstMode(Like)))
    return Error;
  Name = File;
  const std::error_code Refused = takeRights(Descriptor, Like);
  const std::error_code Error = writeAndClose(Descriptor, Text, /*Safe=*/true);
  return Refused ? Refused : Error;
}

std::error_code TemporaryFile::renameTo(const std::string &File) {
  const std::error_code Error = moveTo(File);
  if (!Error)
    keep();
  return Error;
}

std::error_code TemporaryFile::moveTo(const std::string &File) {
  const std::error_code Error = fs::rename(Name, File);
  if (!Error)
    Name = File;
  return Error;
}

std::unique_ptr<llvm::MemoryBuffer> support::mapped(const std::string &File) {
  if (!fs::is_regular_file(File))
    return nullptr;
  tell("reads " + File);
  auto Buffer =
      llvm::MemoryBuffer::getFile(File, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return Buffer ? std::move(*Buffer) : nullptr;
}

std::string support::target(const std::string &File) {
  llvm::SmallString<128> Real;
  if (isForAnybody(llvm::sys::path::parent_path(File)))
    return File;
  return fs::real_path(File, Real) ? File : Real.str().str();
}

bool support::isSpecial(const std::string &File) {
  return fs::exists(File) && !fs::is_regular_file(File) && !fs::is_directory(File);
}

std::error_code support::writeWhole(const std::string &File, llvm::StringRef Text) {
  tell("writes " + File + ", " + std::to_string(Text.size()) + " bytes");
  if (const std::optional<int> Open = openAlready(File))
    return writeTo(*Open, Text);
  const std::string Target = target(File);
  if (fs::exists(Target) && !fs::is_regular_file(Target))
    return writeInto(Target, Text);
  TemporaryFile New;
  const std::error_code Error = New.create(Target, Text);
  return Error ? Error : New.renameTo(Target);
}

std::error_code support::print(llvm::StringRef Text) {
  llvm::outs() << Text;
  llvm::outs().flush();
  return finish(llvm::outs());
}
