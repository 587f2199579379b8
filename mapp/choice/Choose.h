//===-- Choose.h - phase 3: a policy for each array -------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The rules are explained in docs/policies.md.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_CHOOSE_H
#define MAPP_CHOOSE_H

#include "CostModel.h"

namespace mapp {

/// What a profile has counted of an array, and what came of it.
struct CountedEvidence {
  struct Share {
    uint32_t Thread;
    double Accesses; ///< of all
    double Own;      ///< of the thread's own accesses those to its part of the array
    double Begin;    ///< its part, as a part of the array
    double End;
  };
  std::string File;
  uint64_t Bytes = 0; ///< of the array there; of all blocks, where there are several
  size_t Blocks = 1;
  double Accesses = 0;
  double Serial = 0; ///< of these the part that is outside of parallel regions
  uint32_t Threads = 0;
  bool HasPhases = false;
  bool IsDivided = false;   ///< contiguous parts belong to the threads, more or less
  std::vector<Share> Parts; ///< by the best division into contiguous parts
  bool ByChance = false;    ///< who uses what changes from run to run: the estimate decides
  bool IsCoarse = false;    ///< the array was too small to tell; the estimate decides
  bool Overruled = false;   ///< the counts decide for something else than was estimated:
  std::string Estimate;     ///< that policy, and the reason for it
};

/// Row pointers by which an array is divided.
struct Along {
  std::string Name;   ///< of their array, as MAi knows it; empty: there are none
  uint64_t Units = 1; ///< of the array, that one counts
  uint64_t First = 0; ///< the rows that the loop runs over
  uint64_t Count = 0; ///< 0: all
};

/// What to do with one array, and why.
struct Choice {
  Policy What = Policy::LeaveAlone;
  std::string Reason;      ///< in words, for the report and a comment
  SourcePosition Evidence; ///< the loop or access that decided; line 0 where there is none
  uint64_t Before = 0;     ///< these are as in Alternative
  uint64_t Count = 0;
  uint64_t Value = 0;
  unsigned Dimension = 0;
  int64_t Team = 0;
  std::vector<unsigned> Shares;
  bool InParts = false;
  unsigned BeforeParts = 0;
  unsigned CountParts = 0;
  std::optional<RowPointers> Rows; ///< Block: by which the threads' parts are delimited ...
  Along By;                        ///< ... and what of them MAi is told
  bool SizeIsOpen = false;
  bool OfRows = false;        ///< the block is a row: the policy is about the matrix of all of them
  bool Filled = false;        ///< Block: what the array holds is divided, not what it could hold
  std::string Text;           ///< Given: the policy
  std::optional<Sweep> Moves; ///< Block: of the loop that decided
  Topic Number = Topic::None;
  std::vector<Alternative> Considered;
  std::optional<CountedEvidence> Counts; ///< there is a profile that knows the array
};

/// A choice to do nothing.
inline Choice leaveAlone(Topic Number, std::string Reason, SourcePosition Evidence = {}) {
  Choice C;
  C.Number = Number;
  C.Reason = std::move(Reason);
  C.Evidence = std::move(Evidence);
  return C;
}

/// The choice of this alternative.
Choice take(const Alternative &A, Topic Number, std::string Reason, SourcePosition Evidence = {});

/// The choice for an array by what its accesses and the machine are like: nothing depends on how
/// its memory comes into being.
Choice choose(const ArrayDeclaration &Array, const std::vector<Use> &Uses, const Machine &On);

/// The array that a block is priced as: its size and its rows are known only when the program runs.
ArrayDeclaration priced(const ArrayDeclaration &Array, const std::vector<Use> &Uses);

/// As minas(7) describes policies; "left alone".
std::string policyText(const Choice &C);
std::string policyText(const Alternative &A);

/// Units of an array, in a program's own words.
struct RangeText {
  std::string First;
  std::string Count;
};

/// A policy as the macros of mai_static.h take it: its text, and numbers for the range of units.
/// @param Part of which units; nothing: all
std::string policyEntry(const Choice &C, const std::optional<RangeText> &Part);

/// The pattern of a use, in words that go on after the array's name.
std::string describe(const Use &U, bool Rows);

} // namespace mapp

#endif // MAPP_CHOOSE_H
