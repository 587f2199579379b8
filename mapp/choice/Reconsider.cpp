//===-- Reconsider.cpp - a choice, given what was counted -------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Reconsider.h"

#include "CountedModel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mapp;

namespace {

std::string percent(double Part) { return llvm::formatv("{0:f0} %", 100 * Part); }

/// Where threads have their parts of an array.
class Division {
public:
  /// @param RowPart how much of the array a row was: differences by one are rounding, and look
  ///   otherwise with other sizes
  /// @param RowsAreOpen there may be rows larger than that
  Division(const maiprof::ArrayCounts &Counted, double RowPart, bool RowsAreOpen)
      : Counts(Counted), Ends(Counted.bestDivision()),
        Rounded(RowsAreOpen ? rounding(Counted.cells(), Ends) : std::nullopt),
        RowCells(std::max(std::ceil(RowPart * Counted.cells()), Rounded ? Rounded->Cells : 0)),
        Used(used(Counted, RowCells)) {}

  double begin(size_t Thread) const { return Thread == 0 ? Used.first : end(Thread - 1); }
  double end(size_t Thread) const {
    const bool IsLast = Thread + 1 == Ends.size();
    return IsLast ? Used.second : std::clamp(Ends[Thread], Used.first, Used.second);
  }
  size_t threads() const { return Ends.size(); }
  double first() const { return Used.first; }
  double length() const { return Used.second - Used.first; }
  uint32_t cells() const { return Counts.cells(); }

  /// Of the parallel accesses those of the threads to their own parts.
  double ownPart() const { return Counts.ownPart(Ends); }

  double accessesTo(uint32_t Thread, uint32_t Begin, uint32_t End) const {
    double Sum = 0;
    for (uint32_t Cell = Begin; Cell < End; ++Cell)
      Sum += Counts.parallel(Thread, Cell);
    return Sum;
  }

  /// Whether the array falls into contiguous parts that belong to threads, more or less.
  bool isClear() const {
    constexpr double More = 0.6;
    return Ends.size() > 1 && ownPart() >= More;
  }

  /// As block would divide the used part, up to what a row or a part of a hundred makes.
  bool isEven() const {
    constexpr double Noticeable = 0.01;
    if (Rounded)
      return true;
    for (size_t Thread = 0; Thread + 1 < Ends.size(); ++Thread) {
      const double Even =
          first() + length() * static_cast<double>(Thread + 1) / static_cast<double>(Ends.size());
      if (std::abs(end(Thread) - Even) > std::max(1 + RowCells, Noticeable * length()))
        return false;
    }
    return true;
  }

  /// There were so few rows for each thread that who has which is mostly rounding: as far as the
  /// parts themselves show that.
  bool isCoarse() const { return Rounded && Rounded->RowsOfThread < FewRows; }

  static constexpr double FewRows = 4;

  /// The lengths of the parts, at most so many: of large teams several threads make one.
  std::vector<unsigned> shares() const {
    constexpr size_t Most = 32;
    const size_t Parts = std::min(Most, Ends.size());
    std::vector<unsigned> Result;
    unsigned Before = 0;
    for (size_t Part = 0; Part < Parts; ++Part) {
      const size_t Thread = (Part + 1) * Ends.size() / Parts - 1;
      const auto End =
          static_cast<unsigned>(std::lround((end(Thread) - first()) / length() * PartsOfArray));
      Result.push_back(End - std::min(End, Before));
      Before = std::max(Before, End);
    }
    return Result;
  }

private:
  /// Rows that are divided as evenly as can be: some threads have one more than the others.
  struct Rounding {
    double Cells; ///< of a row
    double RowsOfThread;
  };

  /// Whether the first threads have parts of one length and the others shorter ones, by what may be
  /// a row: if so many of these make a part.
  static std::optional<Rounding> rounding(uint32_t Cells, const std::vector<uint32_t> &Ends) {
    constexpr double Exact = 1.5; // Lines end within rows, and cells within lines.
    if (Ends.size() < 2)
      return std::nullopt;
    const auto Length = [&](size_t Thread) {
      return static_cast<double>(Ends[Thread] - (Thread == 0 ? 0 : Ends[Thread - 1]));
    };
    const double Longest = Length(0), Shortest = Length(Ends.size() - 1);
    const double Row = Longest - Shortest;
    if (Row <= 2 * Exact || Shortest <= 0 || Ends.back() != Cells)
      return std::nullopt;
    bool IsShort = false;
    for (size_t Thread = 0; Thread < Ends.size(); ++Thread) {
      IsShort |= std::abs(Length(Thread) - Longest) > Exact;
      if (IsShort && std::abs(Length(Thread) - Shortest) > Exact)
        return std::nullopt;
    }
    const double Least = (Shortest - Exact) / (Row + 2 * Exact);
    const double Most = (Shortest + Exact) / (Row - 2 * Exact);
    const double Whole = std::max(1.0, std::ceil(Least));
    return Whole <= Most ? std::optional(Rounding{Row, std::max(1.0, std::round(Shortest / Row))})
                         : std::nullopt;
  }

  /// What is used, up to the ends of the array where nearly all is.
  static std::pair<uint32_t, uint32_t> used(const maiprof::ArrayCounts &Counts, double RowCells) {
    const uint32_t Noticeable =
        std::max({1U, Counts.cells() / 32, static_cast<uint32_t>(2 * RowCells)});
    auto [First, Last] = Counts.used();
    if (First <= Noticeable)
      First = 0;
    if (Last + Noticeable >= Counts.cells())
      Last = Counts.cells();
    return {First, Last};
  }

  const maiprof::ArrayCounts &Counts;
  const std::vector<uint32_t> Ends;
  const std::optional<Rounding> Rounded;
  const double RowCells;
  const std::pair<uint32_t, uint32_t> Used;
};

class Reconsideration {
public:
  Reconsideration(Choice Before, const ArrayDeclaration &Declared, const std::vector<Use> &Used,
                  const Machine &On, const Counted &Given)
      : C(std::move(Before)), All(C.Candidates), Estimate(C.policy()), WhyEstimate(C.reason()),
        Array(Declared), Uses(Used), Known(Given), Counts(Given.Counts), Cost(Declared, Used, On),
        Model(Declared, Used, On, Given),
        Parts(Given.Counts, 1 / Model.rows(), Declared.Allocated && Given.RowBytes == 0) {}

  Choice decide() && {
    listCandidates();
    C.Counts = evidence();
    const Candidate &AsEstimated = asEstimated();
    const std::string WhyNotCounts = whyNotCounts();
    if (Candidate &Best = best(); WhyNotCounts.empty() && overrules(Best, AsEstimated))
      overrule(Best);
    else
      stand(AsEstimated, WhyNotCounts);
    return std::move(C);
  }

private:
  //===-- Candidates ------------------------------------------------------------===//

  bool has(const Alternative &A) const {
    return llvm::any_of(All, [&](const Candidate &Old) { return identity(Old) == identity(A); });
  }

  void add(Alternative New) {
    if (has(New))
      return;
    Candidate &Added = All.emplace_back(std::move(New));
    Cost.estimate(Added);
    Added.IsPriced = true;
  }

  /// One that the counts ask for.
  void addCounted(const Alternative &New) {
    if (has(New))
      return;
    add(New);
    speakByCounts(All.back());
  }

  /// What was considered before, and what counts ask for; the best by counts first.
  void listCandidates() {
    add({.What = Policy::Block, .Team = Model.team()});
    add({.What = Policy::Cyclic});
    add({.What = Policy::LeaveAlone});
    addDivided();
    addAlternating();
    for (Candidate &A : All)
      Model.estimate(A);
    sort();
  }

  void sort() {
    llvm::stable_sort(All, [](const Candidate &L, const Candidate &R) {
      return std::pair(!L.Fits, L.Counted->Cost) < std::pair(!R.Fits, R.Counted->Cost);
    });
  }

  /// The range that is used, and the threads' parts of it.
  void addDivided() {
    if (!Parts.isClear())
      return;
    Alternative A{.What = Policy::Block, .Team = Model.team()};
    if (Parts.length() < Parts.cells() && Array.UnitBytes > 0) {
      A.InParts = true;
      A.BeforeParts = inParts(Parts.first());
      A.CountParts = inParts(Parts.first() + Parts.length()) - A.BeforeParts;
      A.Before = units(A.BeforeParts);
      A.Count = std::max<uint64_t>(1, units(A.CountParts));
      addCounted(A);
    }
    if (Parts.isEven())
      return;
    A.Shares = Parts.shares();
    addCounted(A);
  }

  unsigned inParts(double Cells) const {
    return static_cast<unsigned>(std::lround(Cells / Parts.cells() * PartsOfArray));
  }

  uint64_t units(unsigned OfParts) const {
    return static_cast<uint64_t>(static_cast<__uint128_t>(Array.Bytes / Array.UnitBytes) * OfParts /
                                 PartsOfArray);
  }

  /// Pieces that alternate among the threads, where they are whole rows.
  void addAlternating() {
    constexpr double Regular = 0.75, NearlyWhole = 0.1;
    const maiprof::ArrayCounts::Alternation Found = Counts.alternation();
    if (Found.Bytes == 0 || Found.Regularity < Regular)
      return;
    double Whole = 0; // The same for all that rows may have been.
    for (const uint64_t RowBytes : Model.rowBytes()) {
      const double Rows = static_cast<double>(Found.Bytes) / static_cast<double>(RowBytes);
      const bool Differs = Whole > 0 && std::round(Rows) != Whole;
      Whole = std::round(Rows);
      if (Whole < 1 || Differs || std::abs(Rows - Whole) > NearlyWhole)
        return;
    }
    if (Whole > 0)
      addCounted({.What = Policy::BlockCyclic,
                  .Value = static_cast<uint64_t>(Whole),
                  .Team = Model.team()});
  }

  //===-- Rules -----------------------------------------------------------------===//

  /// What the estimate's candidate comes to. What is divided once it is filled counts as divided
  /// where it is used, and along row pointers as divided into the parts that were counted.
  Candidate &asEstimated() const {
    if (Estimate.Rows)
      if (const auto Counted = llvm::find_if(
              All, [](const Candidate &A) { return A.isRows() && !A.Shares.empty(); });
          Counted != All.end())
        return *Counted;
    if (Estimate.Filled || hasRange())
      if (const auto Used = llvm::find_if(
              All, [](const Candidate &A) { return A.isRows() && A.InParts && A.Shares.empty(); });
          Used != All.end())
        return *Used;
    return estimated();
  }

  Candidate &estimated() const {
    return *llvm::find_if(All,
                          [&](const Candidate &A) { return identity(A) == identity(Estimate); });
  }

  /// The sources tell which units of a block are divided: just those, in whatever terms.
  bool hasRange() const {
    return Array.Allocated && Estimate.What == Policy::Block && Estimate.Moves &&
           Estimate.Moves->Count;
  }

  Candidate &leftAlone() const {
    return *llvm::find_if(All, [](const Candidate &A) { return A.What == Policy::LeaveAlone; });
  }

  static bool isPlain(const Candidate &A) {
    return A.What == Policy::Cyclic || (A.isRows() && A.Shares.empty() && !A.InParts);
  }

  /// Nearly all of it is one thread's.
  bool isOneThreads() const {
    constexpr double NearlyAll = 0.95;
    return Counts.busiestThread().second >= NearlyAll;
  }

  /// A quarter less, of what is not next to nothing.
  bool saves(const Candidate &New, const Candidate &Old) const {
    constexpr double Noticeable = 0.02;
    return New.Fits >= Old.Fits && New.Counted->Cost <= Old.Counted->Cost * 3 / 4 &&
           Old.Counted->Cost - New.Counted->Cost > Noticeable * Model.traffic();
  }

  /// The cheapest plain policy, unless another saves a quarter; then leaving it alone, if that
  /// saves a quarter again.
  Candidate &best() const {
    if (isOneThreads())
      return leftAlone();
    Candidate *Best = nullptr;
    for (Candidate &A : All)
      if (!Best && isPlain(A))
        Best = &A;
    for (Candidate &A : All)
      if (!isPlain(A) && A.What != Policy::Replicate && A.What != Policy::LeaveAlone &&
          saves(A, *Best)) {
        Best = &A;
        break;
      }
    return saves(leftAlone(), *Best) ? leftAlone() : *Best;
  }

  bool overrules(const Candidate &Best, const Candidate &Old) const {
    return &Best != &Old && Counts.parallelAccesses() + Counts.accesses() > 0 &&
           (saves(Best, Old) || (isOneThreads() && Estimate.What != Policy::LeaveAlone));
  }

  /// Most of it is distributed when the program runs, to whoever comes first.
  bool isByChance() const {
    double ByChance = 0, Traffic = 0;
    for (const Use &U : Uses) {
      const bool Distributed =
          U.How == Pattern::SomeThread ||
          (U.How == Pattern::Scattered && U.Loop && U.Loop->Order != Schedule::Static &&
           U.Loop->OrderText.find("static") == std::string::npos);
      ByChance += Distributed ? U.Bytes : 0;
      Traffic += U.How == Pattern::OneThread ? 0 : U.Bytes;
    }
    return ByChance > Traffic / 2;
  }

  /// There were so few rows for each thread that who has which is mostly rounding.
  bool isCoarse() const {
    return Model.rows() < Division::FewRows * Counts.threads() || Parts.isCoarse();
  }

  /// Counts that would be others in another run, or with another size, decide nothing.
  std::string whyNotCounts() const {
    return isByChance() ? "who uses what changes from run to run"
           : isCoarse() ? "the array had too few rows there to tell whose they are"
                        : "";
  }

  //===-- What becomes of the list ----------------------------------------------===//

  /// The others cost more, or are excluded.
  void choose(const Candidate &Best, const std::string &WhyNoneBefore) {
    for (Candidate &A : All) {
      A.Excluded = &A < &Best ? WhyNoneBefore : "";
      if (A.What == Policy::Replicate)
        A.Excluded = ByHandOnly;
      else if (!A.Fits && Best.Fits)
        A.Excluded = DoesNotFit;
    }
  }

  /// The estimate's policy remains, for the price of what it comes to.
  void stand(const Candidate &AsEstimated, const std::string &WhyNotCounts) {
    const bool Agree = WhyNotCounts.empty();
    C.Counts->Verdict = Agree ? "the estimate stands: no policy saves a quarter by the counts"
                              : "the estimate decides: " + WhyNotCounts;
    const Alternative Same = AsEstimated;
    estimated().Counted = Same.Counted;
    sort();
    if (C.isRuled())
      C.leaveOnly(Policy::LeaveAlone, {C.number(), C.reason()}, C.evidence());
    else
      choose(estimated(), Agree ? "saves less than a quarter of what the estimate's policy costs"
                                : "counts do not decide: " + WhyNotCounts);
    if (identity(Same) != identity(Estimate))
      for (Candidate &A : All)
        if (identity(A) == identity(Same))
          A.Excluded = "the estimate's policy says the same, for arrays of any size";
    if (Agree)
      C.confirm();
  }

  void overrule(Candidate &Best) {
    C.Counts->Overruled = true;
    C.Counts->Estimate = plainEntry(Estimate) + ": " + WhyEstimate;
    C.Counts->Verdict = "the counts decide; the estimate was " + C.Counts->Estimate;
    if (isOneThreads())
      return C.leaveOnly(Policy::LeaveAlone, {Topic::OneThread, reason(Best)});
    C.dropRule();
    speakByCounts(Best);
    Best.OfRows = Known.RowBytes > 0;
    choose(Best, "saves less than a quarter of what the chosen policy costs");
  }

  //===-- Words -----------------------------------------------------------------===//

  std::string reason(const Candidate &A) const {
    const std::string Own = percent(Parts.ownPart()) + " of their accesses are to their own";
    switch (A.What) {
    case Policy::LeaveAlone:
      if (isOneThreads())
        return "counted: thread " + std::to_string(Counts.busiestThread().first) + " makes " +
               percent(Counts.busiestThread().second) + " of the accesses";
      return "counted: pages are where they are used when left to first touch";
    case Policy::Block:
      if (A.Dimension > 0)
        return "counted: each thread uses its own columns";
      return A.Shares.empty() ? "counted: threads use equal parts in order, " + Own
                              : "counted: threads use unequal parts in order, " + Own;
    case Policy::BlockCyclic:
      return llvm::formatv("counted: pieces of {0} {1} alternate among the threads", A.Value,
                           Array.Extents.size() > 1 ? "rows" : "elements");
    default:
      return "counted: no part belongs to one thread; with a part for each, " + Own;
    }
  }

  static Topic number(const Candidate &A) {
    switch (A.What) {
    case Policy::LeaveAlone:
      return Topic::TouchedRight;
    case Policy::Block:
      return A.Dimension > 0     ? Topic::Columns
             : !A.Shares.empty() ? Topic::Shares
             : A.Count > 0       ? Topic::BlockPart
                                 : Topic::Block;
    case Policy::BlockCyclic:
      return Topic::BlockCyclic;
    case Policy::Skew:
    case Policy::Prime:
      return Topic::Strided;
    case Policy::Weighted:
      return Topic::Weighted;
    default:
      return Topic::Cyclic;
    }
  }

  /// What the sources show of this policy gives way to what was counted.
  void speakByCounts(Candidate &A) const {
    A.Number = number(A);
    A.Reasons = {{reason(A)}};
    A.Evidence = {};
    A.Moves = movesOf(A);
    A.Rows.reset();
    A.Filled = false;
  }

  /// How a block's text speaks of the units. Which of these is known from the counts.
  std::optional<Sweep> movesOf(const Candidate &A) const {
    const Use *Best = nullptr;
    for (const Use &U : Uses) {
      const bool Fits = A.Dimension == 0
                            ? U.How == Pattern::Block
                            : U.How == Pattern::Across && U.Dimension == A.Dimension + 1;
      if (Fits && U.Moves && (!Best || U.Bytes > Best->Bytes))
        Best = &U;
    }
    if (!Best)
      return std::nullopt;
    const Sweep &Its = *Best->Moves;
    return Sweep{Its.Unit, Its.Element, Its.Rows, Its.Level, std::nullopt, std::nullopt};
  }

  CountedEvidence evidence() const {
    CountedEvidence E;
    E.File = Known.Run->File;
    E.Bytes = Counts.bytes();
    E.Blocks = Known.Blocks;
    E.Accesses = Counts.accesses();
    E.Serial = E.Accesses > 0 ? 1 - Counts.parallelAccesses() / E.Accesses : 0;
    E.Threads = Counts.threads();
    E.IsDivided = Parts.isClear();
    E.HasPhases = Known.Run->Profile.HasPhases;
    for (uint32_t Thread = 0; Thread < Parts.threads(); ++Thread) {
      const double Begin = Parts.begin(Thread), End = Parts.end(Thread);
      const double Mine = Parts.accessesTo(Thread, 0, Parts.cells());
      const double Own = Parts.accessesTo(Thread, static_cast<uint32_t>(Begin),
                                          static_cast<uint32_t>(std::max(Begin, End)));
      E.Parts.push_back({Thread, E.Accesses > 0 ? Mine / E.Accesses : 0, Mine > 0 ? Own / Mine : 0,
                         Begin / Parts.cells(), std::max(Begin, End) / Parts.cells()});
    }
    return E;
  }

  Choice C;
  std::vector<Candidate> &All;
  const Candidate Estimate; ///< what is chosen without counts ...
  const std::string WhyEstimate;
  const ArrayDeclaration &Array;
  const std::vector<Use> &Uses;
  const Counted &Known;
  const maiprof::ArrayCounts &Counts;
  const CostModel Cost;
  const CountedModel Model;
  const Division Parts;
};

} // namespace

Choice mapp::reconsider(Choice Estimated, const ArrayDeclaration &Array,
                        const std::vector<Use> &Uses, const Machine &On, const Counted &Known) {
  return Reconsideration(std::move(Estimated), Array, Uses, On, Known).decide();
}
