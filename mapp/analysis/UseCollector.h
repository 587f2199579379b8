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

/// Gathers the uses of one array. In large programs functions are called in very many contexts, in
/// most of which an access is made in the same manner: these are one use, with the weight of all.
class UseCollector {
public:
  /// @param Context see CallGraph::timesOf()
  /// @param Paths as in ResolvedAccess
  void add(Use Found, size_t Context, llvm::ArrayRef<const CallPath *> Paths);

  /// @param TimesOf how often a context is met; the order of uses is that in which they were added
  std::vector<Use> weighed(const std::function<double(size_t)> &TimesOf);

  /// Which of the uses are those of each path.
  std::map<CallPath, std::vector<uint32_t>> byPath() const;

private:
  struct Share {
    uint32_t Of;
    uint32_t Context;
    double Bytes, Steps;
  };

  uint32_t numberOf(Use Found, llvm::ArrayRef<const CallPath *> Paths);

  std::vector<Use> Uses;
  std::vector<llvm::SmallVector<const CallPath *, 1>> PathsOf; ///< by use
  std::vector<Share> Shares;
  llvm::DenseMap<size_t, uint32_t> Latest; ///< use by the hash of its manner ...
  std::vector<uint32_t> Earlier;           ///< ... and by that, the one with this hash before it
};

} // namespace mapp

#endif // MAPP_USECOLLECTOR_H
