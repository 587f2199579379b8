//===-- Modelled.h - what a model made of accesses --------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Of runs with --model, which trace/model/ describes: how regular accesses are, and where lines
// come from. The nodes of pages are those of the layout.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_MODELLED_H
#define MINAS_TRACE_MODELLED_H

#include "Analysis.h"

namespace maiprof {

struct ModelledUse {
  uint64_t Accesses = 0;
  uint64_t Misses = 0;    ///< of threads' first caches
  uint64_t Predicted = 0; ///< of these, by prefetchers
  uint64_t RemoteCache = 0, LocalMemory = 0, RemoteMemory = 0;
  uint64_t UnknownMemory = 0; ///< the node of the page or of the thread is not known

  /// Of accesses, by lines of the node's own cache.
  uint64_t localCache() const { return Accesses - std::min(Accesses, transfers()); }
  /// Lines that came from somewhere else.
  uint64_t transfers() const { return RemoteCache + LocalMemory + RemoteMemory + UnknownMemory; }
  uint64_t remote() const { return RemoteCache + RemoteMemory; }
  /// The share of misses that were predicted; 1 where there is none.
  double regularity() const { return Misses ? double(Predicted) / double(Misses) : 1; }
  void add(const ModelledUse &Other);
};

/// What one line of the source does.
struct ModelledLine {
  std::string File; ///< empty: not known
  uint32_t Line = 0;
  std::string Function;
  ModelledUse Use;
};

struct Modelled {
  ModelledUse Total;
  std::vector<ModelledUse> Arrays; ///< by index in Usage::Arrays
  std::vector<ModelledLine> Lines; ///< most misses first; only those that have some
};

/// Only where the profile has a model.
Modelled modelled(const Profile &P, const Usage &U);

} // namespace maiprof
#endif
