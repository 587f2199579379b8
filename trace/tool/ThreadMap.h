//===-- ThreadMap.h - threads on other nodes --------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What exchanging threads between nodes would save where pages go with the thread that touched them
// first.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_THREADMAP_H
#define MINAS_TRACE_THREADMAP_H

#include "trace/profile/Analysis.h"

namespace maiprof {

/// Accesses by thread, and by what decides where they go.
class Attraction {
public:
  Attraction(size_t ThreadCount, uint32_t NodeCount)
      : Threads(ThreadCount), Nodes(NodeCount), ToThread(ThreadCount * ThreadCount),
        ToNode(ThreadCount * NodeCount) {}

  /// To pages that another thread has touched first, which would go with it.
  void toPagesOf(uint32_t Thread, uint32_t Toucher, double Accesses) {
    ToThread[Thread * Threads + Toucher] += Accesses;
  }
  /// To pages that stay where they are.
  void toNode(uint32_t Thread, uint32_t Node, double Accesses) {
    ToNode[Thread * Nodes + Node] += Accesses;
  }

  /// As many threads on each node as before, exchanged as long as that pays.
  /// @param NodeOf of each thread; None: it stays out of this
  std::vector<uint32_t> best(std::vector<uint32_t> NodeOf) const;

private:
  double both(size_t A, size_t B) const {
    return ToThread[A * Threads + B] + ToThread[B * Threads + A];
  }
  std::vector<double> pull(const std::vector<uint32_t> &NodeOf) const;

  size_t Threads;
  uint32_t Nodes;
  std::vector<double> ToThread, ToNode;
};

} // namespace maiprof
#endif
