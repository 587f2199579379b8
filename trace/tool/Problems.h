//===-- Problems.h - the three problems of NUMA programs --------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_PROBLEMS_H
#define MINAS_TRACE_PROBLEMS_H

#include "advice/ProfileAdvice.h"
#include "trace/profile/Analysis.h"

namespace maiprof {

/// One of the three problems.
struct Problem {
  std::string Name;
  bool Found = false;
  std::string Verdict; ///< one sentence
  std::vector<std::string> Evidence;
  std::vector<std::string> Remedy; ///< commands, and sentences that introduce them
};

/// What is wrong with a usage, and what helps.
struct Judgement {
  std::vector<advice::Advice> OfArrays; ///< by index in Usage::Arrays
  std::vector<Problem> Problems;
};

Judgement judge(const Profile &P, const Usage &U);

} // namespace maiprof
#endif
