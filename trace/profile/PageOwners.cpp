//===-- PageOwners.cpp - which array a page belongs to ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PageOwners.h"

#include <algorithm>

using namespace maiprof;

PageOwners::PageOwners(const Profile &Source, const Usage &U)
    : P(Source), UseOf(P.Arrays.size(), None) {
  for (uint32_t Use = 0; Use < U.Arrays.size(); ++Use) {
    for (const uint32_t I : U.Arrays[Use].Arrays)
      UseOf[I] = Use;
    if (U.Arrays[Use].Arrays.empty())
      Rest = Use;
  }
  for (uint32_t I = 0; I < P.Arrays.size(); ++I) {
    (isStack(I) ? Stacks : Specific).push_back(I);
    uint64_t &Longest = isStack(I) ? LongestStack : LongestSpecific;
    Longest = std::max(Longest, P.Arrays[I].Bytes);
  }
}

uint32_t PageOwners::of(uint64_t Page) {
  const auto [At, IsNew] = Known.try_emplace(Page, None);
  if (IsNew) {
    uint32_t Found = most(Specific, LongestSpecific, Page * P.PageBytes);
    if (Found == None)
      Found = most(Stacks, LongestStack, Page * P.PageBytes);
    At->second = Found == None ? Rest : UseOf[Found];
  }
  return At->second;
}

/// Of arrays that were accessed, by start.
uint32_t PageOwners::most(const std::vector<uint32_t> &List, uint64_t Longest,
                          uint64_t Start) const {
  constexpr unsigned TriesMax = 256;
  const uint64_t End = Start + P.PageBytes;
  auto At = std::lower_bound(List.begin(), List.end(), End,
                             [&](uint32_t I, uint64_t Value) { return P.Arrays[I].Start < Value; });
  uint32_t Found = None;
  uint64_t Most = 0;
  for (unsigned Tries = 0; At != List.begin() && Tries < TriesMax; ++Tries) {
    const Array &A = P.Arrays[*--At];
    if (A.Start + Longest <= Start)
      break;
    const uint64_t First = std::max(A.Start, Start), Last = std::min(A.end(), End);
    if (UseOf[*At] != None && Last > First && Last - First > Most) {
      Most = Last - First;
      Found = *At;
    }
  }
  return Found;
}

uint32_t maiprof::nodeOfPage(const Profile &P, const Layout &Where, uint64_t Page) {
  const auto Found = std::lower_bound(
      P.Pages.begin(), P.Pages.end(), Page,
      [](const maiprof::Page &Each, uint64_t Value) { return Each.Number < Value; });
  return Found != P.Pages.end() && Found->Number == Page
             ? Where.OfPage[static_cast<size_t>(Found - P.Pages.begin())]
             : None;
}
