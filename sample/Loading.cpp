//===-- Loading.cpp - which programs our library is loaded into -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Loading.h"

#include "loading/binary.h"
#include "loading/obstacle.h"

#include "llvm/Support/Program.h"

#include <fcntl.h>
#include <unistd.h>

namespace {

/// The file that execvp() runs.
llvm::ErrorOr<std::string> fileOf(const std::string &Program) {
  return Program.find('/') == std::string::npos ? llvm::sys::findProgramByName(Program)
                                                : llvm::ErrorOr<std::string>(Program);
}

bool isBinary(const std::string &Path) {
  const int File = open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  elf_header Header;
  const bool Is = File >= 0 && binary_has_header(File, &Header);
  if (File >= 0)
    close(File);
  return Is;
}

} // namespace

void sample::become(char *const *Arguments) {
  const llvm::ErrorOr<std::string> Path = fileOf(Arguments[0]);
  if (Path && isBinary(*Path))
    execv(Path->c_str(), Arguments);
  else
    execvp(Arguments[0], Arguments);
}

std::string sample::obstacleToLoading(const std::string &Program) {
  const llvm::ErrorOr<std::string> Path = fileOf(Program);
  const char *Obstacle = Path ? loading_obstacle(AT_FDCWD, Path->c_str()) : nullptr;
  return Obstacle ? Obstacle : "";
}
