//===-- Loading.h - which programs our library is loaded into -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_LOADING_H
#define MINAS_SAMPLE_LOADING_H

#include <string>

namespace sample {

/// Why the dynamic linker cannot have our library in front of those of a program, which is found as
/// execvp() does; empty where nothing is known to stand in the way.
std::string obstacleToLoading(const std::string &Program);

/// Becomes a program as execvp() does, but for broken binaries, which no shell runs as scripts.
/// Returns, with errno, where it cannot.
void become(char *const *Arguments);

} // namespace sample
#endif
