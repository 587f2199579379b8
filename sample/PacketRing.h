//===-- PacketRing.h - a ring that the processor fills -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_PACKET_RING_H
#define MINAS_SAMPLE_PACKET_RING_H

#include "Order.h"
#include "Ring.h"

namespace sample {

/// Beside the ring of a CPU, which announces what is in this one.
class PacketRing {
public:
  /// @param Count bytes, a power of 2
  /// @param Source_ whose samples they are
  PacketRing(perf_event_mmap_page *Head_, const char *Start, uint64_t Count, uint32_t Source_,
             uint32_t Cpu_)
      : Control(Head_), Packets(Start, Count), Source(Source_), Cpu(Cpu_) {}

  /// Adds the accesses that a record announces, and frees the room.
  /// @param Time of the record: of its last access
  /// @param Times as many as each stands for
  /// \returns how many these are
  size_t take(const Traced &Its, uint64_t Time, uint64_t Times, Order &To);

private:
  uint64_t nanoseconds(uint64_t Ticks) const;
  void free(uint64_t End);

  perf_event_mmap_page *Control;
  Circle Packets;
  uint32_t Source, Cpu;
};

} // namespace sample
#endif
