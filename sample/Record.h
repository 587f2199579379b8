//===-- Record.h - mai-trace record -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_RECORD_H
#define MINAS_SAMPLE_RECORD_H

#include "Kernel.h"
#include "Profiles.h"

#include <string>

namespace sample {

struct RecordOptions {
  std::vector<std::string> Command; ///< or
  pid_t Process = 0;                ///< a program that runs already
  Wanted What;
  double Seconds = 0;                  ///< how long to sample; 0: to the program's end
  bool Preload = true;                 ///< have the program tell its blocks
  uint64_t BlockBytes = 4096;          ///< those from this size on are arrays
  uint64_t GatheredBytes = UINT64_MAX; ///< from this one on those of a site together are one
  std::string Output;                  ///< of other processes than the first, with their number
};

struct Recorded {
  /// An exit status of our own; -1: what there was is in Files.
  int Failure = -1;
  int Status = 0;                 ///< of the program, as waitpid() has it
  std::string Refused;            ///< which sources, by which setting
  std::string Error;              ///< why there is no profile
  bool BlocksMissing = false;     ///< the log was full
  std::vector<std::string> RunOn; ///< processes that are there still, but sampled no more
  Profiles Written;
};

Recorded record(const RecordOptions &Options);

} // namespace sample
#endif
