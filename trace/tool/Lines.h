//===-- Lines.h - how threads meet in lines and pages -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For each array of a usage what no policy can change: how far the lines and the pages belong to
// one node, at all times or in each parallel region, and lines that several threads write.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_LINES_H
#define MINAS_TRACE_LINES_H

#include "trace/profile/Analysis.h"
#include "trace/profile/SampleError.h"

namespace maiprof {

/// Whether they tell anything.
bool areEnough(const Pairs &Met);

/// Of the accesses to an array; but those of serial code, where a profile tells them apart.
struct Meeting {
  double Accesses = 0;
  uint64_t Lines = 0, Pages = 0;
  double Written = 0; ///< of these, writes
  /// Accesses of each page's main node, and if pages were moved before each region.
  double ByPage = 0, ByPageAndRegion = 0;
  /// The same of each line's, at all times and in each region.
  double ByLine = 0, ByLineAndRegion = 0;
  /// Of samples, in one line and in one page: in any region, and in the same.
  Pairs OfLine, OfLineInRegion, OfPage, OfPageInRegion;
  /// Accesses to lines that several threads write in one region, but those of the thread that makes
  /// most of them.
  double Contended = 0;
  uint64_t ContendedLines = 0;
  uint32_t LineUsers = 0; ///< at most, of such a line
  /// The same of lines that one thread or more write and of which threads use different bytes; only
  /// where the profile has transfers. They are not in what is above.
  double FalselyShared = 0;
  uint64_t FalselySharedLines = 0;
  uint32_t FalseLineUsers = 0;
  uint64_t AFalseLine = 0; ///< the address of that with most accesses
};

/// @param NodeOf of each thread
/// @return by index in Usage::Arrays
std::vector<Meeting> meetings(const Profile &P, const Usage &U,
                              const std::vector<uint32_t> &NodeOf);

} // namespace maiprof
#endif
