//===-- Loading.cpp - which programs our library is loaded into -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Loading.h"

#include "loading/obstacle.h"

#include "llvm/Support/Program.h"

#include <fcntl.h>

std::string sample::obstacleToLoading(const std::string &Program) {
  llvm::ErrorOr<std::string> Path = Program.find('/') == std::string::npos
                                        ? llvm::sys::findProgramByName(Program)
                                        : llvm::ErrorOr<std::string>(Program);
  const char *Obstacle = Path ? loading_obstacle(AT_FDCWD, Path->c_str()) : nullptr;
  return Obstacle ? Obstacle : "";
}
