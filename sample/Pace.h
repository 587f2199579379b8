//===-- Pace.h - how much is sampled at a time -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What samples cost is to be a small part of the program's time. Short programs need many samples a
// second to have enough; long ones get enough by fewer. Each first touch of a page is told as long
// as this takes no more than a part of the time; in a flood of them, one of several is.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_PACE_H
#define MINAS_SAMPLE_PACE_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace sample {

class Pace {
public:
  /// Of so many samples at first there is one at each step; of so many touches in a flood one is
  /// told.
  static constexpr std::array<uint64_t, 3> TimesFewer = {1, 2, 4};
  static constexpr uint64_t TouchesInFlood = 16;

  /// @param Now_ in nanoseconds; the first one is when the recording begins
  void passTo(uint64_t Now_) {
    Begin = Begin ? Begin : Now_;
    Now = Now_;
  }
  void countTouch() { ++Touches; }

  /// \returns an index in TimesFewer
  size_t step() const {
    size_t Step = 0;
    while (Step < Ends.size() && Now - Begin >= Ends[Step])
      ++Step;
    return Step;
  }
  bool isFlood() const { return Touches > TouchesAtFirst + (Now - Begin) / TimeOfTouch; }

private:
  /// When each step but the last one is over: the samples of ten seconds are enough to judge by.
  static constexpr std::array<uint64_t, TimesFewer.size() - 1> Ends = {250000000, 10000000000};
  /// Telling of a touch takes 1250 nanoseconds, in the kernel and here.
  static constexpr uint64_t TouchesAtFirst = 4096, TimeOfTouch = 200000;

  uint64_t Begin = 0, Now = 0, Touches = 0;
};

} // namespace sample
#endif
