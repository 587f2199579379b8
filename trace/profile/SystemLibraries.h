//===-- SystemLibraries.h - libraries that are no part of programs -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_SYSTEM_LIBRARIES_H
#define MINAS_TRACE_SYSTEM_LIBRARIES_H

#include <string>

namespace maiprof {

/// Whether a library belongs to the compiler or the system, and nobody expects it to be traced, or
/// knows its lines.
bool isSystemLibrary(const std::string &Path);

} // namespace maiprof
#endif
