//===-- AllocationSites.h - whose blocks a profile knows --------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Finds the program's blocks in a profile, which knows the line of the call of malloc() and of the
// calls around it.  A block is where mapp-rewrite places it: of these calls the innermost that is
// not in a function which just hands on what it got.
//
// The profile may be of another state of the source: where a block of the name stands in another
// line of the file now, and just one, that is it.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_ALLOCATIONSITES_H
#define MAPP_ALLOCATIONSITES_H

#include "mapp/facts/Facts.h"

#include "trace/profile/Profile.h"

#include <map>
#include <set>

namespace mapp {

class AllocationSites {
public:
  AllocationSites(const std::vector<Facts> &Units, const maiprof::Profile &Of);

  /// The profile's arrays that the call allocated, by their indices.
  const std::vector<uint32_t> &of(const ArrayDeclaration &Array) const;

  /// Whether the profile has some that this call may have allocated, and does not tell whether it
  /// did.
  bool mayBeOf(const ArrayDeclaration &Array) const;

  /// The profile's blocks of the heap that belong to nothing in the program.
  const std::vector<uint32_t> &others() const { return Others; }

private:
  using Line = std::pair<std::string, unsigned>;
  using Name = std::pair<std::string, std::string>;
  using Blocks = std::vector<const ArrayDeclaration *>;

  void add(const ArrayDeclaration &Array, const Facts &Unit);
  Blocks at(const maiprof::Site &Where) const;
  void match(uint32_t Index, const maiprof::Profile &Of);

  std::map<Line, Blocks> ByLine;
  std::map<Name, Blocks> ByName;
  std::map<std::string, std::string> FunctionOf; ///< by the key of the block
  std::map<std::string, std::vector<uint32_t>> Found;
  std::set<std::string> Uncertain; ///< keys of blocks, and of functions that hand them on
  std::vector<uint32_t> Others;
};

} // namespace mapp

#endif // MAPP_ALLOCATIONSITES_H
