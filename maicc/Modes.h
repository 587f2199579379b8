//===-- Modes.h - what maicc does -------------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MAICC_MODES_H
#define MAICC_MODES_H

#include "CommandLine.h"

namespace maicc {

constexpr int ExitUsage = 2;

/// Says what is wrong with the usage; returns the exit status for that.
int usageError(const std::string &Message);

/// Compiles and links a program whose accesses are counted; returns the exit status.
int trace(const Request &R);

/// Compiles and links a program whose arrays are placed; returns the exit status.
int place(const Request &R);

} // namespace maicc

#endif // MAICC_MODES_H
