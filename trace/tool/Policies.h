//===-- Policies.h - a file of policies for runs that nobody traces *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_POLICIES_H
#define MINAS_TRACE_POLICIES_H

#include "trace/profile/Analysis.h"

namespace maiprof {

/// Text that mai-run -p @FILE takes: a line for each array that the advisor places, with what was
/// counted behind it. Policies are such as hold for other sizes and numbers of threads.
std::string policiesText(const Profile &P, const Usage &U, const std::string &File);

} // namespace maiprof
#endif
