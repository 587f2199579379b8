//===-- Machine.h - nodes and CPUs of this machine, and where pages are -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_MACHINE_H
#define MINAS_SAMPLE_MACHINE_H

#include "Processes.h"

#include "trace/profile/Profile.h"

namespace sample {

/// Of all of this machine: Nodes, Distances, Cpus and Host.  No nodes where it cannot be read.
void describeMachine(maiprof::Profile &To);

/// Which of these nodes of this machine each block of memory is on, as the kernel shows it.
MemoryNodes memoryNodes(const std::vector<maiprof::Node> &Nodes);

/// Asks for the nodes of pages of which there are new samples.
class PageNodes {
public:
  /// @param NodeCount where there is one, nobody is asked
  explicit PageNodes(size_t NodeCount) : Nodes(NodeCount) {}
  void ask(Process &Of) const;

private:
  size_t Nodes;
};

} // namespace sample
#endif
