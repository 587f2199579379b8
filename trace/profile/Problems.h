//===-- Problems.h - the three problems of NUMA programs --------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_PROBLEMS_H
#define MINAS_TRACE_PROBLEMS_H

#include "Analysis.h"

namespace maiprof {

/// Judge a usage that is complete otherwise.
void findProblems(const Profile &P, Usage &U);

} // namespace maiprof
#endif
