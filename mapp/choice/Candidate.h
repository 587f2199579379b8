//===-- Candidate.h - what an array could get, and what it gets -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A choice is a list of candidates: policies, among them to leave the array alone, each with its
// price, with what speaks for it and against it, and with what excludes it, if anything does. The
// first that nothing excludes is chosen. Choose.h makes the list, Reconsider.h prices it by counts;
// the new source and the reports show what it says, and work out nothing themselves.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_CANDIDATE_H
#define MAPP_CANDIDATE_H

#include "EstimatedTraffic.h"

#include "mapp/facts/Diagnostics.h"

#include <string>
#include <utility>
#include <vector>

namespace mapp {

/// What speaks for a policy, or against it.
struct Reason {
  std::string Text;
  bool IsAgainst = false;
  const char *Link =
      ""; ///< how a sentence goes on with it, where the policy is chosen all the same
};

/// Units of an array, in a program's own words.
struct RangeText {
  std::string First;
  std::string Count;
};

/// Row pointers by which an array is divided.
struct Along {
  std::string Name;   ///< of their array, as MAi knows it; empty: there are none
  uint64_t Units = 1; ///< of the array, that one counts
  uint64_t First = 0; ///< the rows that the loop runs over
  uint64_t Count = 0; ///< 0: all
};

/// A number of the program's that says how much of an array is in use.
struct CountedBy {
  std::string Name;   ///< empty: there is none
  uint64_t Units = 1; ///< of the array, for each that it counts
  Site Edit;          ///< where it is declared
};

/// What a block gets where a call led to its allocation.
struct CallersPolicy {
  CallSite From;
  std::string Caller; ///< how the run knows the call
  std::string Policy; ///< as the source gets it
};

/// A policy that an array could get.
struct Candidate : Alternative {
  Candidate() = default;
  explicit Candidate(Alternative Of) : Alternative(std::move(Of)) {}

  bool isRows() const { return advice::isRows(*this); }

  std::vector<Reason> Reasons;
  std::string Excluded; ///< why it cannot be chosen, whatever it costs; empty: it can
  Topic Number = Topic::None;
  SourcePosition Evidence; ///< the loop or access that speaks for it; line 0 where there is none

  std::optional<Sweep> Moves;      ///< Block: of the loop that speaks for it
  std::optional<RowPointers> Rows; ///< Block: by which the threads' parts are delimited ...
  Along By;                        ///< ... and what of them MAi is told
  CountedBy Counter;               ///< Block: of what the number says is in use
  bool IsAlong = false;            ///< others are divided by what it holds, their row pointers
  bool OfRows = false;             ///< the block is a row: this is about the matrix of all of them
  bool OfThreads = false;          ///< ... of which each thread has one by its number
  bool OfOwners = false; ///< BlockCyclic: units are the parts that each thread has by its number
  bool Filled = false;   ///< Block: what the array holds is divided, not what it could hold
  bool UnlessCached = false; ///< it saves queues at memories, which what caches hold does not have
  std::string WhereCached;   ///< ... then the policy that blocks of such sizes get; empty: none
  bool ForLongRows = false;  ///< Block by columns: of short rows first touch is as good
  std::string Text;          ///< Given: the policy
  std::optional<RangeText> Range;      ///< the units that it is about, as the source gets them
  std::vector<CallersPolicy> ByCaller; ///< instead of that, for these callers ...
  std::string ForOthers;               ///< ... and for all others
};

// Why first touch is right.
inline constexpr char ToItsUser[] = ": the first to touch it is its user";

// What excludes a policy, by estimates and by counts.
inline constexpr char ByHandOnly[] = "by hand only, see docs/policies.md";
inline constexpr char DoesNotFit[] = "does not fit into the memories";

/// All reasons in one sentence, for a line of the report and for a comment.
std::string sentence(const std::vector<Reason> &Reasons);

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
  bool Overruled = false;   ///< the counts decide for something else than was estimated:
  std::string Estimate;     ///< that policy, and the reason for it
  std::string Verdict;      ///< what decides, the counts or the estimate, and why
};

/// What to do with one array, and why.
class Choice {
public:
  /// The one candidate is to leave the array alone, whatever that costs.
  static Choice leftAlone(Remark Why);

  std::vector<Candidate> Candidates;     ///< cheapest first: by counts, where there are some
  std::optional<CountedEvidence> Counts; ///< there is a profile that knows the array

  /// All candidates are excluded.
  bool isExhausted() const;
  /// The first that nothing excludes; there must be one.
  const Candidate &policy() const;
  Candidate &policy() { return const_cast<Candidate &>(std::as_const(*this).policy()); }

  /// A rule, and no price, decides: all others of the list are excluded by it.
  void leaveOnly(Policy What, Remark Why, SourcePosition Where = {});
  bool isRuled() const { return !Rule.empty(); }
  /// Prices decide after all.
  void dropRule() { Rule = {}, RuleFrom = {}; }
  /// The counts say the same as what has decided.
  void confirm();

  // Why it is that one: the rule that decides, else its own reasons.
  Topic number() const { return isRuled() ? Rule.Number : policy().Number; }
  std::string reason() const { return isRuled() ? Rule.Text : sentence(policy().Reasons); }
  const SourcePosition &evidence() const { return isRuled() ? RuleFrom : policy().Evidence; }

private:
  Remark Rule;
  SourcePosition RuleFrom;
};

/// As the source gets it, and as minas(7) describes policies; "left alone".
std::string policyText(const Candidate &C);

/// It is about units of an array that the source gets beside its text.
bool takesRange(const Candidate &C);

/// A policy as the macros of mai_static.h take it: its text, and the range of units.
std::string policyEntry(const Candidate &C);

/// A policy as a text, without any range; first touch where the array is left alone.
std::string unrangedEntry(const Candidate &C);

/// The policy of a block whose size the run decides, as its source gets it.
/// @param Entry of the candidate
std::string entryBySize(const Candidate &C, const std::string &Entry);

/// The same for people, without quotes: block, 1, 198.
std::string plainEntry(const Candidate &C);

} // namespace mapp

#endif // MAPP_CANDIDATE_H
