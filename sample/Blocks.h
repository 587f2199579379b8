//===-- Blocks.h - what a program tells of its blocks -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_BLOCKS_H
#define MINAS_SAMPLE_BLOCKS_H

#include "Order.h"

#include "inside/log.h"

#include <map>
#include <string>

namespace sample {

/// The calls that lead to a site.
struct Chain {
  std::string Key;             ///< as mai-run has it
  std::vector<uint64_t> Calls; ///< addresses behind them, the innermost first
};

using Chains = std::map<uint64_t, Chain>; ///< by number

/// Reads a log while programs append to it: anything may be in it.
class LogReader {
public:
  static constexpr uint64_t Long = 1000000000; ///< nanoseconds

  /// @param Ring the head, and behind it so many slots
  LogReader(sample_log_head *Ring, uint64_t Count) : Head(Ring), Slots(Count) {}

  /// What is new, up to the first slot that somebody is about to finish. One that is not finished
  /// for long never will be.
  /// @param Now nanoseconds
  /// \returns whether that was all
  bool drain(Order &To, uint64_t Now);

  const Chains &chains() const { return Known; }
  uint64_t missed() const; ///< what there was no room for

private:
  sample_log_slot &at(uint64_t Number) const;
  uint64_t mostText() const { return Slots * SAMPLE_LOG_TEXT_BYTES; }
  std::string textBehind(uint64_t Number, uint64_t Length) const;
  uint64_t slotsOf(uint64_t Number, uint64_t End) const;
  bool isGivenUp(uint64_t Now);
  void take(const sample_log_slot &Its, uint64_t Number, Order &To);

  sample_log_head *Head;
  uint64_t Slots;
  uint64_t Next = 0;
  uint64_t WaitsAt = UINT64_MAX, WaitsSince = 0;
  Chains Known;
};

/// The memory that holds a log.
class Log {
public:
  Log();
  ~Log();
  Log(const Log &) = delete;
  Log &operator=(const Log &) = delete;

  bool isThere() const { return Mapped; }
  const std::string &path() const { return Path; } ///< for programs of this user
  LogReader reader() const { return {Mapped, SAMPLE_LOG_SLOTS}; }

private:
  int File;
  std::string Path;
  sample_log_head *Mapped = nullptr;
};

} // namespace sample
#endif
