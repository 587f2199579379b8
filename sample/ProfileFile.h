//===-- ProfileFile.h - writes what was sampled as a profile -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_PROFILE_FILE_H
#define MINAS_SAMPLE_PROFILE_FILE_H

#include "Objects.h"
#include "Profiles.h"

namespace sample {

/// What a profile says of the run.
struct Run {
  maiprof::Profile Head;   ///< its program, machine and how it was sampled
  uint64_t BlockBytes = 0; ///< blocks are known from this size on
  uint64_t ArrayBytes = 0; ///< and are arrays of their own from this one on
};

/// The bytes of a profile, in the form of maiprof(5).
std::string profileOf(const Run &Its, const Process &Of, const Objects &Known);

/// Profiles of all processes of which there are samples enough.
/// @param Main whose profile is written to Output, in any case; those of others have their numbers
Profiles writeProfiles(Run &Its, Processes &All, const Chains *Known, uint32_t Main,
                       const std::string &Output);

} // namespace sample
#endif
