//===-- Record.h - samples of a program that nobody built for it -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_RECORD_H
#define MINAS_TRACE_RECORD_H

#include "sample/Import.h"
#include "sample/Record.h"

namespace maiprof {

/// Samples a program, completes its profiles and says what is in them. \returns the exit status:
/// the program's, or that of a failure of ours
int recordProgram(sample::RecordOptions Options, bool Quiet);

/// Makes profiles of a file of perf record. \returns an exit status
int importSamples(const std::string &File, const std::string &Output, bool Quiet);

} // namespace maiprof
#endif
