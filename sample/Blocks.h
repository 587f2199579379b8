//===-- Blocks.h - what a program has told of its blocks -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_BLOCKS_H
#define MINAS_SAMPLE_BLOCKS_H

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sample {

/// The calls that lead to a site.
struct Chain {
  std::string Key;             ///< as mai-run has it
  std::vector<uint64_t> Calls; ///< addresses behind them, the innermost first
};

struct BlockEvent {
  uint32_t Process = 0;
  bool IsFreed = false;
  uint64_t Time = 0, Address = 0, Bytes = 0;
  uint64_t Chain = 0; ///< 0: not known
};

struct BlockLog {
  std::map<uint64_t, Chain> Chains;
  std::vector<BlockEvent> Events; ///< by time
  bool IsFull = false;            ///< it had no room for more
};

/// Reads a log as the program has left it: anything may be in it.
BlockLog readBlocks(std::string_view Log);

} // namespace sample
#endif
