//===-- System.h - what the system tells whoever asks -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_SYSTEM_H
#define MINAS_SAMPLE_SYSTEM_H

#include <cstdint>
#include <ctime>
#include <fstream>
#include <string>

namespace sample {

/// As the kernel counts in addresses that it tells, whatever the size of a page is.
constexpr uint64_t PageBytes = 4096;

/// The first line of one of the kernel's files, nothing where there is no such file.
inline std::string firstLineOf(const std::string &File) {
  std::ifstream In(File);
  std::string Text;
  std::getline(In, Text);
  return Text;
}

/// Nanoseconds of the clock that samples have, too.
inline uint64_t now() {
  timespec Time;
  clock_gettime(CLOCK_MONOTONIC, &Time);
  return static_cast<uint64_t>(Time.tv_sec) * 1000000000 + static_cast<uint64_t>(Time.tv_nsec);
}

} // namespace sample
#endif
