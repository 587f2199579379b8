//===-- Counts.h - what a profile counted of each array ---------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Finds the arrays of the program in a profile of mai-trace: static ones by their names and files,
// members of structs by their place in the variable.  The profile may be of another build, with
// other sizes, and may hold anything.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_COUNTS_H
#define MAPP_COUNTS_H

#include "Facts.h"

#include "trace/ArrayCounts.h"

#include <map>
#include <memory>
#include <set>

namespace mapp {

/// A profile and its file's name.
struct CountedRun {
  std::string File;
  maiprof::Profile Profile;
};

/// Reads a profile that can tell threads apart. Nothing after a message when it is none.
std::optional<CountedRun> readCounts(const std::string &File);

/// What was counted of one array.
struct Counted {
  const CountedRun *Run = nullptr;
  std::string Object; ///< in the profile's words
  maiprof::ArrayCounts Counts;
  /// Of the traffic that one access stands for.
  double bytesEach() const {
    return Run->Profile.CacheBytes > 0 ? static_cast<double>(Run->Profile.LineBytes) : 8;
  }
};

/// Something that the user should know, at one of the program's arrays or at none.
struct Note {
  Remark What;
  Place Where;
};

class CountMatcher {
public:
  /// @param Wanted null: there is no profile, and nothing is found
  explicit CountMatcher(const CountedRun *Wanted);

  /// What was counted of an array that `Unit` declares; null where that cannot be told.
  /// @param IsShared the threads share it, as far as the sources show: why nothing is known of it
  /// is
  ///   worth a note
  const Counted *of(const ArrayDeclaration &Array, const Facts &Unit, bool IsShared);

  /// To be asked at the end.
  /// @param MinBytes smaller arrays are not spoken of
  std::vector<Note> notes(uint64_t MinBytes) const;

private:
  using Indices = std::vector<uint32_t>;
  Indices candidates(const ArrayDeclaration &Array, const Facts &Unit) const;
  const Counted *keep(const std::string &Key, const Indices &Found, uint64_t Within,
                      uint64_t Bytes);
  std::vector<Note> notInProgram(uint64_t MinBytes) const;

  const CountedRun *Run;
  std::map<std::string, Indices> ByName; ///< static arrays, without what compilers add to names
  std::map<std::string, std::unique_ptr<Counted>> ByKey;
  std::set<uint32_t> Matched;
  std::vector<Note> Notes;
};

} // namespace mapp

#endif // MAPP_COUNTS_H
