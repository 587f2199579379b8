//===-- Verdicts.h - what cures of a program's placement save ---*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A verdict is a gain: cures are tried on the profile, and what saves too little is not reported.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_VERDICTS_H
#define MINAS_TRACE_VERDICTS_H

#include "Effect.h"
#include "advice/ProfileAdvice.h"
#include "trace/profile/Analysis.h"

#include <map>
#include <optional>

namespace maiprof {

/// What is wrong, by what cures it.
enum class Trouble {
  Placement,    ///< pages are not where they are used
  Contention,   ///< one node serves what all use
  Replication,  ///< all nodes read it, wherever it is
  Threads,      ///< threads that use the same memory are on different nodes
  SharedLines,  ///< several threads write the same lines at the same time
  FalseSharing, ///< they use different bytes of them
  Changing,     ///< loops divide an array in different ways
  Scattered,    ///< no part of it belongs to a node
  Irregular,    ///< nor can prefetchers follow: pointers that are shuffled lead to it
  Table         ///< nor can they, as keys say what is used
};

/// A word for programs, such as "shared-lines".
const char *wordOf(Trouble What);

struct Verdict {
  Trouble What = Trouble::Placement;
  std::string Array; ///< as the profile names it; empty: it is about the threads
  double Gain = 0;   ///< of all accesses those that the cure helps; 0: no placement does
  double Error =
      0; ///< of a sampled profile: half the interval in which the gain is, 19 times of 20
  double Remaining = 0; ///< of all accesses those to it that are remote wherever its pages are
  Effect After;         ///< of all accesses, with the cure
  std::string Sentence;
  std::string Reason;
  std::vector<std::string> Cures; ///< lines to paste
  std::string Policy;             ///< "name: policy", where a command can set that
  uint64_t LeastSize = 0;         ///< of blocks that it is for; 0: as mai-run expects
  std::vector<uint32_t> Nodes;    ///< of the threads, where it is about these, with the cure
  std::vector<uint32_t> Cpus;     ///< of the threads, where a map file cures it
  std::optional<Effect> Tried;    ///< of a run with the cure
};

struct Judgement {
  std::vector<advice::Advice> OfArrays; ///< by index in Usage::Arrays
  Effect Now;
  double LeastGain = 0;
  double NotKnown = 0;           ///< of all accesses those to no known array
  std::vector<Verdict> Verdicts; ///< greatest gain first, then what no placement cures
  std::map<uint32_t, std::vector<Verdict>> OfRegions; ///< by phase, as judgeRegions() finds them
};

/// Of all accesses, what a cure must save to be reported.
inline constexpr double LeastGainByDefault = 0.02;

Judgement judge(const Profile &P, const Usage &U, double LeastGain = LeastGainByDefault);

/// Judges the parallel regions that access most each by itself, as if there were nothing else:
/// parts are of a region's own accesses.
void judgeRegions(Judgement &J, const Profile &P, const Layout &L);

/// One sentence on what there is to gain.
std::string summary(const Judgement &J, const Profile &P, const Layout &L);

/// How the accesses fare as they are.
Effect effectOf(const Profile &P, const Usage &U);

/// How accesses fare now and with the cure, in words.
std::string effectText(const Effect &Now, const Effect &After, const Profile &P);

} // namespace maiprof
#endif
