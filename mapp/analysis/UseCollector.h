//===-- UseCollector.h - accesses of one manner are one use -----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MAPP_USECOLLECTOR_H
#define MAPP_USECOLLECTOR_H

#include "Classify.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

#include <functional>

namespace mapp {

/// What was found of all accesses of a program. In large programs functions are called in very many
/// contexts, in most of which an access is made in the same manner, and a pointer may lead to very
/// many arrays, which it all uses in one manner: each manner is kept once.
class FoundUses {
public:
  /// One access in one context.
  struct Entry {
    uint32_t Manner; ///< its number
    uint32_t Context;
    bool Estimated;
    double Bytes, Steps;
    size_t Order;
  };

  /// @param Context see CallGraph::timesOf()
  /// @return the number of the entry
  uint32_t add(Use Found, size_t Context);

  const Entry &operator[](uint32_t Number) const { return All[Number]; }
  const Manner &manner(uint32_t Number) const { return Manners[Number]; }

private:
  uint32_t numberOf(Manner Of);

  std::vector<Entry> All;
  std::vector<Manner> Manners;
  llvm::DenseMap<size_t, uint32_t> Latest; ///< manner by its hash ...
  std::vector<uint32_t> Earlier;           ///< ... and by that, the one with this hash before it
};

/// Gathers the uses of one array: accesses of one manner are one use, with the weight of all.
class UseCollector {
public:
  /// @param Paths as in ResolvedAccess
  void add(uint32_t Entry, llvm::ArrayRef<const CallPath *> Paths);
  bool isEmpty() const { return Shares.empty(); }

  /// @param TimesOf how often a context is met; the order of uses is that in which they were added
  std::vector<Use> weighed(const FoundUses &In, const std::function<double(size_t)> &TimesOf);

  /// Which of the weighed uses are those of each path.
  std::map<CallPath, std::vector<uint32_t>> byPath() const;

private:
  using PathList = llvm::SmallVector<const CallPath *, 1>;
  struct Share {
    uint32_t Entry;
    uint32_t By; ///< number of the paths
  };

  uint32_t numberOf(llvm::ArrayRef<const CallPath *> By);

  std::vector<Share> Shares;
  std::vector<PathList> AllPaths;
  std::vector<uint32_t> PathsOf; ///< their number, by use
};

} // namespace mapp

#endif // MAPP_USECOLLECTOR_H
