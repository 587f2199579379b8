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

/// So many pages may be one huge page.
constexpr uint64_t PagesOfHuge = 512;

/// Of a process, as a profile has it.
struct Objects {
  std::vector<maiprof::Array> Arrays; ///< Chain is an index here
  std::vector<maiprof::CallChain> Chains;
  std::vector<Use> Uses; ///< by time; of blocks that were freed, with addresses of their own
  std::vector<maiprof::Thread> Threads;
  std::map<uint64_t, uint32_t> Nodes; ///< of pages: OS indices
  /// Parallel regions, as far as the code tells them; Use::Phase is an index here plus 1.
  std::vector<maiprof::Phase> Phases;
  std::vector<uint32_t> Unshared; ///< those with loops of which any thread may get any piece
};

/// Takes the process's uses.
/// @param Known null: blocks are not known, and memory goes by its mappings
/// @param ArraysFrom smaller blocks are one array for each site
Objects objectsOf(Processes &In, Process &Of, const Chains *Known, uint64_t ArraysFrom);

} // namespace sample
#endif
