//===-- Untraced.h - how long code runs that is not traced ------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_UNTRACED_H
#define MINAS_TRACE_UNTRACED_H

#include "sample/RunTime.h"
#include "trace/profile/Profile.h"

#include <optional>

namespace maiprof {

/// Which objects that were not built for tracing, and which functions of the others that count
/// nothing, had which part of the time; nothing where there are no samples.
std::optional<RunTime> timesOf(const Profile &P, const sample::RunTime::Places &Samples);

} // namespace maiprof
#endif
