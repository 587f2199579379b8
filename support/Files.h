//===-- Files.h - files that are whole or not there -------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_SUPPORT_FILES_H
#define MINAS_SUPPORT_FILES_H

#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>
#include <system_error>

namespace support {

/// Writes a text into a file, which is either there as a whole afterwards or as it was. A file that
/// is replaced leaves its permissions; what a symbolic link stands for is replaced, not the link,
/// but not in a directory where anybody may write: there the link itself is; a device or a pipe is
/// written into, and so is what is open as /dev/stdout or /dev/fd/5.
std::error_code writeWhole(const std::string &File, llvm::StringRef Text);

/// Whether it is there and neither a file nor a directory: a device or a pipe.
bool isSpecial(const std::string &File);

/// A regular file in memory, of which only those pages are read that are looked at. Nothing where
/// there is no such file.
std::unique_ptr<llvm::MemoryBuffer> mapped(const std::string &File);

/// Writes to standard output all that there is to say, and no later.
std::error_code print(llvm::StringRef Text);

/// The file that a name means: what a symbolic link stands for, where not anybody may have put it.
std::string target(const std::string &File);

/// Removes its file when it goes out of scope, unless the file has been kept.
class TemporaryFile {
public:
  TemporaryFile() = default;
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;
  TemporaryFile(TemporaryFile &&Other) noexcept : Name(std::exchange(Other.Name, "")) {}
  TemporaryFile &operator=(TemporaryFile &&) = delete;
  ~TemporaryFile();

  /// Next to `File`, so that a rename can put it there, with that file's permissions.
  std::error_code create(const std::string &File, llvm::StringRef Text);

  /// The same, with that file's owner and group, too: an error where it cannot have them.
  /// @param Safe it is to be on the disk then, whatever happens to the machine
  std::error_code createLike(const std::string &File, llvm::StringRef Text, bool Safe);

  /// A new file with the owner, group and permissions of another, safe on the disk; an error when
  /// there is one already.
  std::error_code createNew(const std::string &File, llvm::StringRef Text, const std::string &Like);

  /// Puts it in the place of another file, to stay.
  std::error_code renameTo(const std::string &File);

  /// Gives it another name.
  std::error_code moveTo(const std::string &File);

  void keep() { Name.clear(); }
  const std::string &name() const { return Name; }

private:
  std::error_code createUnique(const std::string &File, int &Descriptor);

  std::string Name;
};

} // namespace support

#endif // MINAS_SUPPORT_FILES_H
