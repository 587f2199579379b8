//===-- Merge.h - what the profiles of all ranks say ------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The processes of an MPI program have memory and threads of their own: each is judged by itself,
// and what is wrong in the same way is said once.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_MERGE_H
#define MINAS_TRACE_MERGE_H

#include "Verdicts.h"

namespace maiprof {

/// What is kept of a rank's profile.
struct Rank {
  std::string Name; ///< of the file, without folder and suffix
  std::string Host;
  size_t Threads = 0;
  uint64_t Accesses = 0;
  Effect Now;
  std::string MostRemote; ///< the thread; empty: none is
  bool IsComplete = true; ///< nothing is missing in the profile
  std::vector<Verdict> Verdicts;
};

Rank rankOf(const std::string &File, const Profile &P, const Usage &U, const Judgement &J);

std::string mergedText(const std::vector<Rank> &Ranks, double LeastGain);
std::string mergedJson(const std::vector<Rank> &Ranks, double LeastGain);

/// The greatest gain of a cure in any rank.
double greatestGain(const std::vector<Rank> &Ranks);

} // namespace maiprof
#endif
