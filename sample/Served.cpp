//===-- Served.cpp - which memory answered an access -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Served.h"

#include <linux/perf_event.h>

using maiprof::Served;

namespace {

constexpr uint64_t LevelMoreMemory = 9; /* CXL, which older headers do not have */
constexpr uint64_t RemoteMemory = PERF_MEM_LVL_REM_RAM1 | PERF_MEM_LVL_REM_RAM2;
constexpr uint64_t RemoteCache = PERF_MEM_LVL_REM_CCE1 | PERF_MEM_LVL_REM_CCE2;
constexpr uint64_t AnyCache =
    PERF_MEM_LVL_L1 | PERF_MEM_LVL_LFB | PERF_MEM_LVL_L2 | PERF_MEM_LVL_L3;
/* How far away; older headers do not have it. */
constexpr unsigned HopsShift = 43;
constexpr uint64_t HopsMask = 7, HopsSameNode = 1;

/// Older kernels have set bits for levels, newer ones a number as well.
struct Fields {
  explicit Fields(uint64_t Its)
      : Levels(Its >> PERF_MEM_LVL_SHIFT & 0x3fff), Level(Its >> PERF_MEM_LVLNUM_SHIFT & 15),
        Snoop(Its >> PERF_MEM_SNOOP_SHIFT & 31), SnoopMore(Its >> PERF_MEM_SNOOPX_SHIFT & 3),
        IsRemote(Its >> PERF_MEM_REMOTE_SHIFT & 1),
        IsSameNode((Its >> HopsShift & HopsMask) == HopsSameNode) {}

  bool isMemory() const {
    return Level == PERF_MEM_LVLNUM_RAM || Level == PERF_MEM_LVLNUM_PMEM ||
           Level == LevelMoreMemory;
  }
  bool isCache() const {
    const bool IsByNumber = (Level >= PERF_MEM_LVLNUM_L1 && Level <= PERF_MEM_LVLNUM_L4) ||
                            Level == PERF_MEM_LVLNUM_ANY_CACHE || Level == PERF_MEM_LVLNUM_LFB;
    return !(Levels & PERF_MEM_LVL_MISS) && (IsByNumber || (Levels & AnyCache));
  }
  bool isOfOtherCpu() const { return (Snoop & PERF_MEM_SNOOP_HITM) || SnoopMore; }

  uint64_t Levels, Level, Snoop, SnoopMore;
  bool IsRemote, IsSameNode;
};

} // namespace

Served sample::servedBy(uint64_t Its) {
  const Fields F(Its);
  if ((F.Levels & RemoteMemory) || (F.IsRemote && F.isMemory()))
    return Served::RemoteMemory;
  if ((F.Levels & PERF_MEM_LVL_LOC_RAM) || F.isMemory())
    return Served::LocalMemory;
  if ((F.Levels & RemoteCache) || (F.IsRemote && F.isCache()))
    return F.IsSameNode ? Served::OtherCache : Served::RemoteCache;
  if (!F.isCache())
    return Served::NotKnown;
  return F.isOfOtherCpu() ? Served::OtherCache : Served::Caches;
}

bool sample::isStore(uint64_t Its) {
  return (Its & (PERF_MEM_OP_LOAD | PERF_MEM_OP_STORE)) == PERF_MEM_OP_STORE;
}
