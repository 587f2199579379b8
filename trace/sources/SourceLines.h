//===-- SourceLines.h - source positions of allocations and regions --*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_SOURCE_LINES_H
#define MINAS_TRACE_SOURCE_LINES_H

#include "trace/profile/Profile.h"

namespace maiprof {

/// Find the source positions, by what compilers tell (DebugInformation.h), and write them into the
/// file of the profile, and with them where time went.
/// \returns whether that went well; what did not, in Error
bool addSourceLines(const std::string &Path, Profile &P, std::string &Error);

} // namespace maiprof
#endif
