//===-- Latencies.h - how long accesses take, by a model --------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// LaProf's quantities. A tracer sees no latency: each access whose place is known is taken to last
// as long as one from the thread's node to the memory of the page's does.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_LATENCIES_H
#define MINAS_TRACE_LATENCIES_H

#include "trace/profile/Analysis.h"

namespace maiprof {

/// How long an access from node to node takes.
struct LatencyModel {
  std::string Source; ///< in words
  std::string Unit;   ///< such as "ns"; empty: a local access lasts 1
  uint32_t Nodes = 0;
  std::vector<double> Values; ///< by rows
  double at(uint32_t From, uint32_t To) const { return Values[size_t(From) * Nodes + To]; }
};

/// By the distances that the kernel tells, or of imagined nodes.
LatencyModel byDistances(const Layout &L);

/// Measured ones, from a file that `numarch --json` has written on the machine.
std::optional<LatencyModel> measuredLatencies(const std::string &File, const Layout &L,
                                              std::string &Error);

/// TL, TN and AL.
struct LatencySum {
  double Total = 0;
  uint64_t Number = 0;
  double average() const { return Number ? Total / double(Number) : 0; }
  void add(uint64_t Accesses, double Each) {
    Number += Accesses;
    Total += double(Accesses) * Each;
  }
};

struct Latencies {
  LatencyModel Model;
  LatencySum Private; ///< of lines that one thread uses
  LatencySum Shared;  ///< of lines that several use
  /// The latencies that occur, and which part of the accesses lasts so long or longer.
  std::vector<std::pair<double, double>> AtLeast;
  std::vector<LatencySum> Threads;
  double MeanRemote = 0;      ///< remote accesses of a thread
  double DeviationRemote = 0; ///< the standard deviation of these
  uint32_t Critical = None;   ///< the thread whose accesses last longest in all
};

Latencies latencies(const Profile &P, const Layout &L, LatencyModel Model);

} // namespace maiprof
#endif
