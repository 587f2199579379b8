//===-- ProfileAdvice.h - what a profile advises for its arrays -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Needs no sources: arrays are what the profile calls by one name, and the machine is the one that
// it was taken on, or an imagined one.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_ADVICE_PROFILEADVICE_H
#define MINAS_ADVICE_PROFILEADVICE_H

#include "Alternative.h"
#include "Machine.h"

#include "trace/profile/Analysis.h"
#include "trace/profile/ArrayCounts.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace advice {

struct Access;
struct Flows;
struct Races;
struct Shape;
class Advisor;
class PagePlaces;
class RegionLoads;

/// How an array's accesses fare, of which it is known where they go.
struct Outcome {
  double Remote = 0;  ///< the part of them to other nodes
  double Busiest = 0; ///< the part of them that the busiest memory serves
  double Latency = 1; ///< on average, a local one's being 1
};

/// What to do with an array.
struct Advice {
  bool IsWell = true;   ///< as it is: nothing is worth to change it
  std::string Policy;   ///< else this one, as minas(7) describes it
  bool Divides = false; ///< ... which gives each thread parts of it
  /// The same for arrays of any size and teams of any number; empty where that cannot be said.
  std::string Relative;
  /// Where all is well by first touch, the policy in these words that would do as much: for blocks
  /// that come and go, whose memory may have been touched before. Empty where none would.
  std::string AsWell;
  /// It costs no more than first touch. In larger runs huge pages may hold parts of several threads
  /// then, and which of these is first is chance.
  bool IsAsGood = false;
  /// All is well by first touch, and threads of several nodes are the first in parts of it: `local`
  /// keeps huge pages from holding parts of several.
  bool IsTouchedApart = false;
  /// Where all is left to first touch because another policy might make more accesses remote in a
  /// larger run, by chance: that policy in these words, which keeps threads from waiting for one
  /// memory. Else empty.
  std::string Sparing;
  std::string Reason;  ///< what was counted that speaks for it
  bool OfRows = false; ///< its blocks are rows, and the policy is about the matrix of all of them
  Outcome Now;         ///< as it is
  Outcome Then;        ///< by that policy; for larger runs, as if a row more made no difference
  /// The node of each of ArrayUse::Pages by that policy; None: distributed over receivers(). Empty
  /// where all is well.
  std::vector<uint32_t> NodeOfPage;
};

/// For which runs advice is meant.
enum class Runs {
  Counted, ///< such as the one that was counted
  Larger   ///< in which blocks that are small in that one have many pages
};

class ProfileAdvisor {
public:
  ProfileAdvisor(const maiprof::Profile &Counted, const maiprof::Layout &Where,
                 Runs Meant = Runs::Counted);

  /// For each of a profile's arrays, by itself; but where a policy spares queues and makes more
  /// accesses remote, by what the others have memories serve in the same regions, if the profile
  /// tells these apart.
  std::vector<Advice> of(const std::vector<maiprof::ArrayUse> &All) const;

  /// The nodes over which policies distribute, as the layout numbers them.
  std::vector<uint32_t> receivers() const;

private:
  struct Use;

  void addNodes();
  void setMachine();
  void countTeams();
  Segments threads() const;
  Access access(const maiprof::ArrayCounts &Counts, uint64_t RowBytes) const;
  Advice of(const maiprof::ArrayUse &A, const RegionLoads *Others) const;
  Advice ofRows(const maiprof::ArrayUse &A, uint64_t RowBytes, const RegionLoads *Others) const;
  std::string rowsOverNodes() const;
  Advice of(const maiprof::ArrayUse &A, std::vector<maiprof::ArrayCounts::Part> Parts,
            uint64_t UnitBytes, uint64_t RowBytes, const RegionLoads *Others) const;
  RegionLoads loads(const maiprof::ArrayUse &A, const maiprof::ArrayCounts &Counts,
                    const std::vector<uint32_t> &NodeOfPage) const;
  void addLoads(const maiprof::Series &S, uint64_t UnitBytes, RegionLoads &To) const;
  RegionLoads allLoads() const;
  Flows flowsTo(llvm::function_ref<size_t(uint32_t Page)> MemoryOfPage, const Access &Of) const;
  Flows now(const Access &Of) const;
  Flows hadOthersWon(const Races &Raced, size_t Places, const Access &Of) const;
  std::vector<uint32_t> nodesOfPages(const maiprof::ArrayUse &A, const PagePlaces *Places,
                                     const Access &Of) const;
  Shares inPieces(const maiprof::ArrayCounts &Counts) const;
  Use use(const maiprof::ArrayUse &A, const maiprof::ArrayCounts &Counts, const Access &Of,
          const Shape &Array, const Flows &Now) const;
  Metrics priceOfLostRaces(const Races &Raced, const Access &Of, const Machine &Sized,
                           double Meeting) const;
  std::vector<Alternative> candidates(const Use &U, const Advisor &Says) const;
  std::vector<Alternative> sortedCandidates(const Use &U, const Advisor &Says) const;
  bool isChance(const maiprof::ArrayCounts::Entry &E) const;
  bool isMuchChance(const Access &Of) const;
  bool doAllTakePart(const Access &Of) const;
  double localByLuck(const Access &Of) const;
  double localByRace(const Races &Raced, const Access &Of, bool Grows) const;
  std::vector<Alternative> withoutFarther(const std::vector<Alternative> &Sorted, const Use &U,
                                          const Advisor &Says) const;
  void addSparing(Advice &To, const Use &U, const Alternative &A) const;
  void addAsWell(Advice &To, const Use &U, const std::vector<Alternative> &Sorted) const;
  bool isWorthBeside(const RegionLoads &Others, const Use &U, const Alternative &New,
                     const std::vector<uint32_t> &NodeOfPage) const;
  bool isWorthWaiting(const Use &U, const Alternative &New, const Flows &Then) const;
  bool mayGrow(const maiprof::ArrayUse &A) const;
  unsigned lastingSlices(const maiprof::ArrayUse &A, const maiprof::ArrayCounts &Counts,
                         unsigned Slices) const;
  uint64_t unitBytes(const maiprof::ArrayUse &A) const;
  bool matters(const maiprof::ArrayUse &A, const maiprof::ArrayCounts &Counts) const;
  Machine machineFor(const maiprof::ArrayUse &A, const maiprof::ArrayCounts &Counts,
                     unsigned Slices) const;

  const maiprof::Profile &P;
  const maiprof::Layout &L;
  std::vector<uint32_t> WithThreads, WithMemory; ///< numbers of the layout, in the machine's order
  std::vector<unsigned> NodeOf, MemoryOf;        ///< and back
  Machine On;
  const Runs Wanted;
  std::vector<uint32_t> TeamOf; ///< threads of each region, for larger runs
};

} // namespace advice

#endif // MINAS_ADVICE_PROFILEADVICE_H
