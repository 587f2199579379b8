//===-- Pmu.h - the processor's own sampling of accesses -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Intel's PEBS, AMD's IBS and Arm's SPE, as the kernel shows them in /sys/bus/event_source/devices:
// which number a unit has, what its events are called, and in which bits their numbers go.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_PMU_H
#define MINAS_SAMPLE_PMU_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sample {

enum class Unit { None, Any, Pebs, Ibs, Spe };

/// What of perf_event_attr an event needs.
struct PmuEvent {
  std::string Name; ///< such as "cpu/mem-loads,ldlat=30/"
  uint32_t Type = 0;
  std::array<uint64_t, 3> Config{};
  unsigned Precise = 0;     ///< the most exact that it has; less may be there
  bool LeavesKernel = true; ///< it can leave the kernel's own code out
  bool HasLeader = false;   ///< it needs another one in front, which is only counted:
  uint64_t Leader = 0;      ///< its config
  bool IsTracing = false;   ///< the processor writes packets into memory, by a fixed period:
  uint64_t LeastPeriod = 1; ///< which it can be
  std::array<uint64_t, 3> PhysicalBits{}; ///< of Config, that ask for physical addresses
};

constexpr const char *EventDevices = "/sys/bus/event_source/devices";

/// The events of a unit that tell addresses, latencies and what answered: loads first. Empty: the
/// machine does not have it.
/// @param Latency only loads that take so many cycles or more, where the unit can do that
std::vector<PmuEvent> memoryEvents(const std::string &Devices, Unit Of, uint64_t Latency);

} // namespace sample
#endif
