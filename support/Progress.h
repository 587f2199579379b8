//===-- Progress.h - what a tool is doing, on a terminal --------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_SUPPORT_PROGRESS_H
#define MINAS_SUPPORT_PROGRESS_H

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace support {

/// Says on a terminal what a tool is doing, once that has taken half a second, and for how long; at
/// the end nothing of it is left there. It is silent with -q, and where standard error is no
/// terminal; with -v it only tells what begins. Nothing else may be written there meanwhile.
class Progress {
public:
  explicit Progress(std::string What);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// What it is doing now. Thread-safe.
  void goesOn(std::string With);

private:
  void show();

  std::mutex Changing;
  std::condition_variable Ended;
  bool HasEnded = false;
  std::string Now;
  std::thread Shows;
};

} // namespace support
#endif
