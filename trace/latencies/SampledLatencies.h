//===-- SampledLatencies.h - how long accesses took -------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// LaProf's quantities and verdicts, on latencies that samples have told. What samples stand for is
// what counts: accesses. Threads seldom meet in lines of which there are samples: what lies in
// pages that several threads use is shared.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_SAMPLED_LATENCIES_H
#define MINAS_TRACE_SAMPLED_LATENCIES_H

#include "Latencies.h"

#include <array>

namespace maiprof {

/// In cycles: LaProf's for what is long and very long, and what caches never take.
inline constexpr std::array<uint32_t, 3> LatencyThresholds = {80, 300, 1000};
inline constexpr uint32_t LongLatency = LatencyThresholds[1];
inline constexpr uint32_t VeryLongLatency = LatencyThresholds[2];

/// What latencies are a sign of, and its rule.
enum class Sign {
  Sharing,    ///< shared data has half of TL and more, and 1.5 times the AL of private data
  Contention, ///< of the long accesses a quarter and more is very long
  Imbalance   ///< a thread has 1.5 times the long accesses of the mean and more
};

/// A word for programs, such as "data-sharing".
const char *wordOf(Sign What);

struct Finding {
  Sign What = Sign::Sharing;
  double Value = 0; ///< what the rule is about
  double Error = 0; ///< half the interval in which it is, 19 times of 20
  std::string Sentence;
};

/// What an array has of it.
struct ArrayTimes {
  std::string Name;
  LatencySum Its;
};

struct SampledLatencies {
  LatencySum Private, Shared;
  std::array<LatencySum, ServedKinds> By;                 ///< by Served
  std::array<double, LatencyThresholds.size()> AtLeast{}; ///< the part of the accesses
  std::vector<LatencySum> Threads;
  std::vector<uint64_t> Long; ///< accesses by thread
  double MeanLong = 0;        ///< of the threads that were seen
  double DeviationLong = 0;
  uint32_t Critical = None;       ///< the thread with most long accesses
  std::vector<ArrayTimes> Arrays; ///< greatest TL first
  /// Only of 30 samples a thread and more, where long accesses have a tenth of TL and more, and
  /// where the rule holds in the whole interval.
  std::vector<Finding> Findings;

  double total() const { return Private.Total + Shared.Total; }
  uint64_t number() const { return Private.Number + Shared.Number; }
};

/// \returns nothing where samples tell no latencies
std::optional<SampledLatencies> sampledLatencies(const Profile &P);

/// What answered, in words.
const char *servedText(Served By);

/// All of it for people: several lines.
std::string sampledText(const SampledLatencies &Its, const Profile &P);

} // namespace maiprof
#endif
