//===-- Files.cpp - files that are whole or not there -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Files.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace support;
namespace fs = llvm::sys::fs;

namespace {

std::error_code finish(llvm::raw_fd_ostream &Stream) {
  const std::error_code Error = Stream.error();
  Stream.clear_error();
  return Error;
}

/// Writes to an open file and closes it.
std::error_code writeAndClose(int Descriptor, llvm::StringRef Text) {
  llvm::raw_fd_ostream Stream(Descriptor, /*shouldClose=*/true);
  Stream << Text;
  Stream.close();
  return finish(Stream);
}

/// Gives a new file the permissions of one that there is.
std::error_code takePermissions(int Descriptor, const std::string &Like) {
  fs::file_status Status;
  return fs::status(Like, Status) ? std::error_code()
                                  : fs::setPermissions(Descriptor, Status.permissions());
}

/// Into a device or a pipe, which cannot be replaced.
std::error_code writeInto(const std::string &File, llvm::StringRef Text) {
  int Descriptor = -1;
  const std::error_code Error = fs::openFileForWrite(File, Descriptor, fs::CD_OpenExisting);
  return Error ? Error : writeAndClose(Descriptor, Text);
}

} // namespace

TemporaryFile::~TemporaryFile() {
  if (!Name.empty())
    fs::remove(Name);
}

std::error_code TemporaryFile::create(const std::string &File, llvm::StringRef Text) {
  int Descriptor = -1;
  llvm::SmallString<128> Path;
  constexpr unsigned ReadAndWrite = 0666;
  if (const std::error_code Error =
          fs::createUniqueFile(File + ".%%%%%%%%", Descriptor, Path, fs::OF_None, ReadAndWrite))
    return Error;
  Name = Path.str().str();
  const std::error_code Refused = takePermissions(Descriptor, File);
  const std::error_code Error = writeAndClose(Descriptor, Text);
  return Error ? Error : Refused;
}

std::error_code TemporaryFile::createNew(const std::string &File, llvm::StringRef Text,
                                         const std::string &Like) {
  int Descriptor = -1;
  if (const std::error_code Error = fs::openFileForWrite(File, Descriptor, fs::CD_CreateNew))
    return Error;
  Name = File;
  const std::error_code Refused = takePermissions(Descriptor, Like);
  const std::error_code Error = writeAndClose(Descriptor, Text);
  return Error ? Error : Refused;
}

std::error_code TemporaryFile::renameTo(const std::string &File) {
  const std::error_code Error = fs::rename(Name, File);
  if (!Error)
    Name.clear();
  return Error;
}

std::unique_ptr<llvm::MemoryBuffer> support::mapped(const std::string &File) {
  if (!fs::is_regular_file(File))
    return nullptr;
  auto Buffer =
      llvm::MemoryBuffer::getFile(File, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return Buffer ? std::move(*Buffer) : nullptr;
}

std::string support::target(const std::string &File) {
  llvm::SmallString<128> Real;
  return fs::real_path(File, Real) ? File : Real.str().str();
}

std::error_code support::writeWhole(const std::string &File, llvm::StringRef Text) {
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
