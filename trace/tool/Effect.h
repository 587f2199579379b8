//===-- Effect.h - how accesses fare by a placement -------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What verdicts are measured by: which thread's accesses go to which node, as pages are or as a
// cure would have them.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_EFFECT_H
#define MINAS_TRACE_EFFECT_H

#include "trace/profile/Analysis.h"

namespace maiprof {

/// How all accesses of a program fare, as parts of them.
struct Effect {
  double Remote = 0;          ///< to other nodes
  double Busiest = 0;         ///< that the most loaded node serves
  double Crowded = 0;         ///< to that node from others, beyond its even part
  uint32_t MostRemote = None; ///< the thread that makes most accesses to other nodes
  double MostRemotePart = 0;  ///< of that thread's accesses those to other nodes
};

/// What a cure saves: the part of all accesses that turns local, or leaves the most loaded node
/// without making others remote.
double gain(const Effect &Before, const Effect &After);

/// Accesses by thread and node of the page.
class Traffic {
public:
  /// @param Accesses of the program, also those of which it is not known where they go
  Traffic(size_t Threads, uint32_t NodeCount, double Accesses)
      : Nodes(NodeCount), All(Accesses), Counts(Threads * NodeCount) {}

  void add(uint32_t Thread, uint32_t Node, double Accesses) {
    Counts[size_t(Thread) * Nodes + Node] += Accesses;
  }
  /// The same with pages distributed over several nodes.
  void spread(uint32_t Thread, const std::vector<uint32_t> &Over, double Accesses);

  /// Of all accesses, by the nodes that threads are on.
  Effect effect(const std::vector<uint32_t> &NodeOfThread) const;

private:
  double at(size_t Thread, uint32_t Node) const { return Counts[Thread * Nodes + Node]; }
  void addCrowd(Effect &To, const std::vector<uint32_t> &NodeOfThread) const;

  uint32_t Nodes;
  double All;
  std::vector<double> Counts;
};

} // namespace maiprof
#endif
