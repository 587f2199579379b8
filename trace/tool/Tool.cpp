//===-- Tool.cpp - what the parts of mai-trace share ------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Tool.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace maiprof;

static bool writeAll(int File, const std::string &Bytes) {
  for (size_t Done = 0; Done < Bytes.size();) {
    const ssize_t Some = write(File, Bytes.data() + Done, Bytes.size() - Done);
    if (Some < 0 && errno == EINTR)
      continue;
    if (Some <= 0)
      return false;
    Done += static_cast<size_t>(Some);
  }
  return true;
}

bool maiprof::writeWhole(const std::string &Path, const std::string &Bytes) {
  struct stat Status{};
  /* A device or a pipe cannot be replaced. */
  const bool Direct = stat(Path.c_str(), &Status) == 0 && !S_ISREG(Status.st_mode);
  const std::string Temporary = Direct ? Path : Path + "." + std::to_string(getpid()) + "~";
  const int File =
      open(Temporary.c_str(), O_WRONLY | O_CREAT | (Direct ? 0 : O_TRUNC) | O_CLOEXEC, 0666);
  if (File < 0)
    return false;
  bool Good = writeAll(File, Bytes);
  int Saved = errno;
  if (close(File) != 0 && Good) {
    Good = false;
    Saved = errno;
  }
  if (Good && !Direct && std::rename(Temporary.c_str(), Path.c_str()) != 0) {
    Good = false;
    Saved = errno;
  }
  if (!Good && !Direct)
    unlink(Temporary.c_str());
  errno = Saved;
  return Good;
}
