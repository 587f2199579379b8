//===-- Pairing.h - maximum-weight perfect matching -------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_SEARCH_PAIRING_H
#define THREADMAP_SEARCH_PAIRING_H

#include <cstdint>
#include <functional>
#include <vector>

namespace threadmap {

/// The partner of each of `Count` items when they form pairs whose weights have the greatest sum
/// (Edmonds 1965); `Count` is even.  Weights may be negative.
std::vector<uint32_t> bestPairs(uint32_t Count,
                                const std::function<double(uint32_t, uint32_t)> &Weight);

/// Two items and what they weigh as a pair.
struct WeightedPair {
  uint32_t A, B;
  double Weight;
};

/// The same where only `Allowed` pairs may be formed, of which some set covers all items.
std::vector<uint32_t> bestPairs(uint32_t Count, const std::vector<WeightedPair> &Allowed);

} // namespace threadmap

#endif // THREADMAP_SEARCH_PAIRING_H
