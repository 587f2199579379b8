//===-- Ranks.h - the ranks of a program, mapped together -------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_RANKS_H
#define THREADMAP_RANKS_H

#include "Input.h"
#include "threadmap/machine/Locations.h"
#include "threadmap/ranks/Launchers.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace threadmap {

/// What --ranks goes with.
struct RankOptions {
  bool Asked = false;                             ///< --ranks
  std::string Messages;                           ///< --messages; empty: nothing is known of them
  std::vector<std::string> Hosts = {"localhost"}; ///< --hosts
  Launcher For = Launcher::Script;                ///< --format
};

/// The names of --hosts: letters, digits and `.-_`, separated by commas. Nothing where one is not.
std::optional<std::vector<std::string>> readHosts(const std::string &Text);

struct MappedRanks {
  std::string Text;  ///< what is written
  std::string Costs; ///< a table
};

/// Maps the ranks whose profiles or matrices have the names that `Pattern` has with 0, 1, 2, ...
/// for %r, as many as there are.
/// @param LocationsFor those of a host for so many threads
/// @param Machine its name
/// @param Message receives what is wrong, or what is to be said, or ""
std::optional<MappedRanks> mapRanks(const std::string &Pattern, const ProfileOptions &OfProfile,
                                    const RankOptions &Opts,
                                    const std::function<Locations(uint32_t)> &LocationsFor,
                                    const std::string &Machine, uint64_t Seed,
                                    std::string &Message);

} // namespace threadmap

#endif // THREADMAP_RANKS_H
