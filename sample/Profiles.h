//===-- Profiles.h - profiles that were written -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_PROFILES_H
#define MINAS_SAMPLE_PROFILES_H

#include <string>
#include <vector>

namespace sample {

struct Profiles {
  std::vector<std::string> Files; ///< the main one first
  size_t LeftOut = 0;             ///< processes with too few samples to say anything
  std::string Error;              ///< what could not be written
};

} // namespace sample
#endif
