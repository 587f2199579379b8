//===-- Classify.h - phase 2: how the threads use each array ----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Merges the facts of all translation units: follows calls and stored pointers to the arrays they
// reach, and names for each access the pattern in which the team's threads make it.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_CLASSIFY_H
#define MAPP_CLASSIFY_H

#include "FoundUses.h"

#include "llvm/ADT/StringMap.h"

#include <map>

namespace mapp {

/// What threads do with each array, and where blocks are allocated.
struct Classification {
  /// With the key of an array. They are made for each caller: all together would take much memory.
  ArrayUses uses(const std::string &Key) const;

  /// What is done with a block as the callers know it that one path leads from, where several calls
  /// lead to the function that allocates it.
  std::map<CallPath, std::vector<Use>> byPath(const ArrayUses &Of) const;

  FoundUses Found;
  llvm::StringMap<uint32_t> NumberOf;           ///< of an array that is used, by its key
  std::map<std::string, Allocations> Allocated; ///< by the key of the block ...
  std::map<std::pair<std::string, CallPath>, Allocations>
      AllocatedByPath;  ///< ... and the path that led there
  bool Complete = true; ///< false: the call graph was too large to follow in every context
};

Classification classify(const std::vector<Facts> &Units);

} // namespace mapp

#endif // MAPP_CLASSIFY_H
