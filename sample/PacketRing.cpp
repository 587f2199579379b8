//===-- PacketRing.cpp - a ring that the processor fills -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PacketRing.h"

#include "Spe.h"

#include <linux/perf_event.h>

using namespace sample;

/// Between two accesses. Where the kernel does not tell how long a tick is, all have the time of
/// the record.
uint64_t PacketRing::nanoseconds(uint64_t Ticks) const {
  if (!Control->cap_user_time)
    return 0;
  return TimeConversion{Control->time_shift, Control->time_mult, 0}.nanoseconds(Ticks);
}

void PacketRing::free(uint64_t End) { __atomic_store_n(&Control->aux_tail, End, __ATOMIC_RELEASE); }

size_t PacketRing::take(const Traced &Its, uint64_t Time, uint64_t Times, Order &To) {
  const uint64_t Bytes = std::min(Its.Bytes, Packets.size());
  std::vector<SpeAccess> All;
  readSpe(Packets.at(Its.Offset, Bytes), [&](const SpeAccess &Each) { All.push_back(Each); });
  free(Its.Offset + Bytes);
  const uint64_t Last = All.empty() ? 0 : All.back().Time.value_or(0);
  for (const SpeAccess &Each : All) {
    Sample New;
    fill(New, Each);
    New.From = Source;
    New.Cpu = Cpu;
    New.HasCpu = true;
    New.Process = Its.Process;
    New.Thread = Its.Thread;
    New.Times = Times;
    const uint64_t Ticks = Each.Time ? Last - std::min(Last, *Each.Time) : 0;
    To.add({Time - std::min(Time, nanoseconds(Ticks)), New});
  }
  return All.size();
}
