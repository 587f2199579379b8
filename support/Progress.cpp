//===-- Progress.cpp - what a tool is doing, on a terminal ------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Progress.h"
#include "Options.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <chrono>

using namespace support;

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds FirstAfter(500), Then(250);

/// A line that is longer than the terminal would stay there.
std::string fitting(const std::string &Text) {
  constexpr unsigned Usual = 80;
  const unsigned Columns = llvm::sys::Process::StandardErrColumns();
  return Text.substr(0, (Columns ? Columns : Usual) - 1);
}

} // namespace

Progress::Progress(std::string What) : Now(std::move(What)) {
  tell(Now);
  if (wantsProgress() && llvm::sys::Process::StandardErrIsDisplayed())
    Shows = std::thread([this] { show(); });
}

Progress::~Progress() {
  if (!Shows.joinable())
    return;
  {
    const std::lock_guard<std::mutex> Lock(Changing);
    HasEnded = true;
  }
  Ended.notify_one();
  Shows.join();
}

void Progress::goesOn(std::string With) {
  const std::lock_guard<std::mutex> Lock(Changing);
  Now = std::move(With);
}

void Progress::show() {
  const Clock::time_point Started = Clock::now();
  bool IsShown = false;
  std::unique_lock<std::mutex> Lock(Changing);
  while (!Ended.wait_for(Lock, IsShown ? Then : FirstAfter, [this] { return HasEnded; })) {
    const auto Seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - Started);
    llvm::errs() << "\r\033[K" << fitting(std::to_string(Seconds.count()) + " s  " + Now);
    IsShown = true;
  }
  if (IsShown)
    llvm::errs() << "\r\033[K";
}
