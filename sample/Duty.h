//===-- Duty.h - which part of the time a source is on -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Some processors tell of one of so many accesses, however many a program makes in a second, and
// the kernel lets nobody have two such events of a thread, of which one would tell of fewer. So the
// one is off for a part of the time, and a sample stands for the accesses of that time, too.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_DUTY_H
#define MINAS_SAMPLE_DUTY_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>

namespace sample {

class Duty {
public:
  /// @param InSecond samples that are wanted of a CPU
  explicit Duty(double InSecond_ = 1) : InSecond(InSecond_), Room(InSecond_) {}

  void count(unsigned Cpu, size_t Samples) {
    Room -= static_cast<double>(Samples);
    if (Samples)
      Busy.insert(Cpu);
  }

  /// @param Now in nanoseconds; the first one is when the recording begins
  void passTo(uint64_t Now) {
    Last = Last ? Last : Now;
    Since = Since ? Since : Now;
    /* What nobody has used is gone after a second. */
    const double Most = InSecond * static_cast<double>(std::max({BusyBefore, Busy.size(), One}));
    Room = std::min(Most, Room + Most * static_cast<double>(Now - Last) / Second);
    Last = Now;
    const bool HasRoom = Room >= 0;
    if (On && Now - Since > Longer * WasOn)
      Weight = 1; /* samples are rarer now: the time that it was off has been told of */
    if (On == HasRoom)
      return;
    On = !On;
    if (On)
      begin(Now - Since);
    else
      WasOn = Now - Since;
    Since = Now;
  }

  bool isOn() const { return On; }
  /// As many samples as one that is taken now stands for, as far as the last turn tells.
  uint64_t weight() const { return Weight; }

private:
  static constexpr double Second = 1e9;
  static constexpr size_t One = 1;
  static constexpr uint64_t Longer = 2;

  void begin(uint64_t WasOff) {
    Weight = 1 + (WasOff + WasOn / 2) / std::max<uint64_t>(WasOn, 1);
    BusyBefore = Busy.size();
    Busy.clear();
  }

  double InSecond, Room;   ///< for so many more samples
  std::set<unsigned> Busy; ///< CPUs of which there were samples since it was switched on
  size_t BusyBefore = 0;
  uint64_t Last = 0, Since = 0, WasOn = 0, Weight = 1;
  bool On = true;
};

} // namespace sample
#endif
