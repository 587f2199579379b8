//===-- Lifetimes.h - the heap blocks of a process as they come and go -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_LIFETIMES_H
#define MINAS_SAMPLE_LIFETIMES_H

#include "Events.h"

#include <map>

namespace sample {

/// A block from its allocation to its end.
struct Block {
  uint64_t Start = 0, Bytes = 0, Chain = 0;
  uint64_t Number = 0;  ///< how many of its chain there were
  bool IsKnown = false; ///< a sample tells of it
  bool IsUsed = false;  ///< and not of a first touch only
  bool IsFreed = false;
  bool IsOfMai = false;
  std::string Name; ///< as MAi calls it
};

/// Of blocks that nobody was seen to use nothing is kept: programs may have any number of them.
class Lifetimes {
public:
  static constexpr uint32_t None = UINT32_MAX;

  void take(const BlockEvent &Its);
  /// The block that an address lies in, which is used now.
  uint32_t use(uint64_t Address, bool IsTouch);
  /// What a child of fork() has of its parent.
  void inherit(const Lifetimes &Parent);

  const std::vector<Block> &all() const { return List; }

private:
  using Place = std::map<uint64_t, uint32_t>::iterator;
  Place end(Place Its);
  uint32_t add(const Block &New);

  std::vector<Block> List;
  std::vector<uint32_t> Free;           ///< entries of the list that nobody needs
  std::map<uint64_t, uint32_t> Alive;   ///< by address
  std::map<uint64_t, uint64_t> OfChain; ///< how many are alive
};

} // namespace sample
#endif
