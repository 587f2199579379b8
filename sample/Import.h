//===-- Import.h - mai-trace import -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_IMPORT_H
#define MINAS_SAMPLE_IMPORT_H

#include "Profiles.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sample {

struct Imported {
  std::string Error;    ///< empty: all was read
  uint64_t Skipped = 0; ///< records of which nothing is known
  uint64_t Samples = 0; ///< in all
  Profiles Written;
  std::vector<std::string> Replaced; ///< files that are not those of the recording any more
};

/// @param Output the profile of the process with most accesses; of others, with their number
Imported import(const std::string &File, const std::string &Output);

/// The samples of a file as text, a line for each. What is wrong goes to Error.
std::string listSamples(const std::string &File, std::string &Error);

} // namespace sample
#endif
