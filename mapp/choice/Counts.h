//===-- Counts.h - what a profile counted of each array ---------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Finds the arrays of the program in a profile of mai-trace: static ones by their names and files,
// members of structs by their place in the variable, blocks of the heap by the calls that allocate
// them.  The profile may be of another build, with other sizes, and may hold anything.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_COUNTS_H
#define MAPP_COUNTS_H

#include "mapp/analysis/AllocationSites.h"

#include "trace/profile/ArrayCounts.h"

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
  size_t Blocks = 1; ///< in which it was
  uint64_t RowBytes =
      0; ///< each of them was a row of one matrix, of so many bytes; 0: they were not
  /// Of the traffic that one access stands for.
  double bytesEach() const { return maiprof::bytesEach(Run->Profile); }
};

/// Something that the user should know, at one of the program's arrays or at none.
struct Note {
  Remark What;
  SourcePosition Where;
};

class CountMatcher {
public:
  /// @param Wanted null: there is no profile, and nothing is found
  /// @param WithBlocks those of the heap are wanted, too
  CountMatcher(const CountedRun *Wanted, const std::vector<Facts> &Units, bool WithBlocks);

  /// What was counted of an array that `Unit` declares; null where that cannot be told.
  /// @param IsShared the threads share it, as far as the sources show: why nothing is known of it
  /// is
  ///   worth a note
  const Counted *of(const ArrayDeclaration &Array, const Facts &Unit, bool IsShared);

  /// The same for a block of the heap.
  /// @param AreRows of one matrix that is divided by rows; nothing: the counts decide
  const Counted *ofBlock(const ArrayDeclaration &Array, std::optional<bool> AreRows, bool IsShared);

  /// To be asked at the end.
  /// @param MinBytes smaller arrays are not spoken of
  std::vector<Note> notes(uint64_t MinBytes) const;

  /// That nothing of the profile is in the program, if so; to be asked at the end.
  std::optional<Note> complaint() const;

private:
  using Indices = std::vector<uint32_t>;
  const Counted *answer(const ArrayDeclaration &Array, const Counted *New, Remark Why,
                        bool IsShared);
  Remark whyNoBlock(const ArrayDeclaration &Array) const;
  Indices candidates(const ArrayDeclaration &Array, const Facts &Unit) const;
  const Counted *keep(const std::string &Key, const Indices &Found, uint64_t Within,
                      uint64_t Bytes);
  std::map<std::string, Indices> leftOver(uint64_t MinBytes) const;
  std::vector<Note> notInProgram(uint64_t MinBytes) const;

  const CountedRun *Run;
  std::optional<AllocationSites> Allocated;
  std::map<std::string, Indices> ByName; ///< static arrays, without what compilers add to names
  std::map<std::string, std::unique_ptr<Counted>> ByKey;
  std::set<uint32_t> Matched;
  size_t Asked = 0, Answered = 0; ///< of arrays that threads share
  std::vector<Note> Notes;
};

} // namespace mapp

#endif // MAPP_COUNTS_H
