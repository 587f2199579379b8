//===-- Spe.h - samples of Arm's statistical profiling extension -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The processor writes packets into memory: a byte that says what, for some another byte in front
// of it, and a number of 1 to 8 bytes. Those of one operation end with a time or an end. The form
// is that of the Arm Architecture Reference Manual, "Statistical Profiling Extension Sample Record
// Specification".
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_SPE_H
#define MINAS_SAMPLE_SPE_H

#include "Events.h"

#include <functional>
#include <optional>
#include <string_view>

namespace sample {

/// A load or store.
struct SpeAccess {
  uint64_t Code = 0, Address = 0, Physical = 0;
  uint64_t Latency = 0;            ///< cycles from its issue to its end
  uint64_t Served = 0;             ///< perf_mem_data_src
  std::optional<uint32_t> Context; ///< the thread, where the kernel has told the processor
  std::optional<uint64_t> Time;    ///< ticks of the timer
};

/// A sample with what does not depend on where packets come from.
void fill(Sample &To, const SpeAccess &Its);

/// Visits the accesses to virtual addresses. What is no packet is skipped byte by byte.
void readSpe(std::string_view All, const std::function<void(const SpeAccess &)> &Visit);

/// How the kernel makes nanoseconds of a timer's ticks.
struct TimeConversion {
  uint64_t Shift = 0, Multiplier = 0, Zero = 0;
  uint64_t nanoseconds(uint64_t Ticks) const {
    const uint64_t Rest = Ticks & ((uint64_t(1) << (Shift & 63)) - 1);
    return Zero + (Ticks >> (Shift & 63)) * Multiplier + (Rest * Multiplier >> (Shift & 63));
  }
};

} // namespace sample
#endif
