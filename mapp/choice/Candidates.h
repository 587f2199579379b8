//===-- Candidates.h - the policies that are weighed for an array *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MAPP_CANDIDATES_H
#define MAPP_CANDIDATES_H

#include "Candidate.h"

#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace mapp {

/// Nothing when they are all units, but for so little that pages would hardly differ, or not known.
using Range = std::optional<std::pair<uint64_t, uint64_t>>;

/// The units that each parallel loop runs over.
class Ranges {
public:
  Ranges(const ArrayDeclaration &Array, const std::vector<Use> &Uses);

  Range of(const Use &U) const {
    const auto Found = Known.find(keyOf(U));
    return Found == Known.end() ? std::nullopt : Found->second;
  }

private:
  using Key = std::tuple<const Scope *, int64_t, bool>;

  static Key keyOf(const Use &U) { return {U.Loop, U.Team, U.Reversed}; }

  std::map<Key, Range> Known;
};

/// The policies that some use asks for, with their prices: the cheapest first; of equal ones that
/// which is simpler.
std::vector<Candidate> collectCandidates(const ArrayDeclaration &Array,
                                         const std::vector<Use> &Uses, const Ranges &Parts,
                                         const Machine &On);

} // namespace mapp

#endif // MAPP_CANDIDATES_H
