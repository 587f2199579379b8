//===-- Objects.h - what the addresses of samples are -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_OBJECTS_H
#define MINAS_SAMPLE_OBJECTS_H

#include "Blocks.h"
#include "Processes.h"

#include "trace/profile/Profile.h"

namespace sample {

/// Of a process, as a profile has it.
struct Objects {
  std::vector<maiprof::Array> Arrays; ///< Chain is an index here
  std::vector<maiprof::CallChain> Chains;
  std::vector<Use> Uses; ///< by time; of blocks that were freed, with addresses of their own
  std::map<uint64_t, uint32_t> Nodes; ///< of pages: OS indices
  bool HasTeam = false;               ///< a run-time of OpenMP is loaded
};

/// Takes the process's uses.
/// @param Log null: blocks are not known, and memory goes by its mappings
Objects objectsOf(Processes &In, Process &Of, const BlockLog *Log);

} // namespace sample
#endif
