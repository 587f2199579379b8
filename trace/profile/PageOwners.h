//===-- PageOwners.h - which array a page belongs to ------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For what is counted by pages: a page counts for the array that has most of its bytes.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_PAGE_OWNERS_H
#define MINAS_TRACE_PAGE_OWNERS_H

#include "Analysis.h"

#include <unordered_map>

namespace maiprof {

/// The array that has most bytes of a page, of those that were accessed.
class PageOwners {
public:
  PageOwners(const Profile &Source, const Usage &U);

  /// An index in Usage::Arrays; None where all that lies there was not accessed.
  uint32_t of(uint64_t Page);

private:
  bool isStack(uint32_t I) const { return P.Arrays[I].What == Array::Kind::Stack; }
  uint32_t most(const std::vector<uint32_t> &List, uint64_t Longest, uint64_t Start) const;

  const Profile &P;
  std::vector<uint32_t> UseOf;
  std::vector<uint32_t> Specific, Stacks;
  uint64_t LongestSpecific = 0, LongestStack = 0;
  uint32_t Rest = None;
  std::unordered_map<uint64_t, uint32_t> Known;
};

/// The node of a page by its number; None where it is not known.
uint32_t nodeOfPage(const Profile &P, const Layout &Where, uint64_t Page);

} // namespace maiprof
#endif
