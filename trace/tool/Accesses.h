//===-- Accesses.h - who accesses which lines, for programs -----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For those who judge accesses by rules of their own, such as the study of placement.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_ACCESSES_H
#define MINAS_TRACE_ACCESSES_H

#include "trace/profile/Profile.h"

namespace maiprof {

/// The machine, threads, arrays, where pages were, and how often each thread accessed each line, as
/// JSON; mai-trace(1) has the form.
std::string accessesJson(const Profile &P);

} // namespace maiprof
#endif
