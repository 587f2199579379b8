//===-- Tool.h - what the parts of mai-trace share --------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_TOOL_H
#define MINAS_TRACE_TOOL_H

#include <string>

namespace maiprof {

enum : int { ExitError = 1, ExitUsage = 2 };

/// Write a file beside it and rename that: the file is whole or as before. \returns false with
/// errno
bool writeWhole(const std::string &Path, const std::string &Bytes);

} // namespace maiprof
#endif
