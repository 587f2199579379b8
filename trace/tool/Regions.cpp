//===-- Regions.cpp - what regions, slices and tasks access -----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Regions.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>
#include <tuple>

using namespace maiprof;

namespace {

/// A file may name any number of them, and all are compared with all.
constexpr size_t RegionsMost = 64;

/// How much each thread uses each page, by page and then thread.
struct Pattern {
  struct Entry {
    uint64_t Page;
    uint32_t Thread;
    double Accesses;
  };
  std::vector<Entry> Entries;

  void add(uint64_t Page, uint32_t Thread, uint64_t Accesses) {
    if (!Entries.empty() && Entries.back().Page == Page && Entries.back().Thread == Thread)
      Entries.back().Accesses += double(Accesses);
    else
      Entries.push_back({Page, Thread, double(Accesses)});
  }

  /// Makes one entry of those for a page and thread.
  void sumUp() {
    std::sort(Entries.begin(), Entries.end(), [](const Entry &A, const Entry &B) {
      return std::tie(A.Page, A.Thread) < std::tie(B.Page, B.Thread);
    });
    size_t Kept = 0;
    for (const Entry &E : Entries)
      if (Kept && Entries[Kept - 1].Page == E.Page && Entries[Kept - 1].Thread == E.Thread)
        Entries[Kept - 1].Accesses += E.Accesses;
      else
        Entries[Kept++] = E;
    Entries.resize(Kept);
  }

  /// Behind the entries of the page that the one at First is for.
  size_t endOfPage(size_t First) const {
    size_t Last = First;
    while (Last < Entries.size() && Entries[Last].Page == Entries[First].Page)
      ++Last;
    return Last;
  }
};

double squares(const Pattern &P, size_t First, size_t Last) {
  double Sum = 0;
  for (size_t I = First; I < Last; ++I)
    Sum += P.Entries[I].Accesses * P.Entries[I].Accesses;
  return Sum;
}

double products(const Pattern &A, size_t I, size_t EndOfI, const Pattern &B, size_t J,
                size_t EndOfJ) {
  double Sum = 0;
  while (I < EndOfI && J < EndOfJ)
    if (A.Entries[I].Thread == B.Entries[J].Thread)
      Sum += A.Entries[I++].Accesses * B.Entries[J++].Accesses;
    else if (A.Entries[I].Thread < B.Entries[J].Thread)
      ++I;
    else
      ++J;
  return Sum;
}

/// The cosine of the two on the pages that both have.
double likeness(const Pattern &A, const Pattern &B) {
  double Product = 0, OfA = 0, OfB = 0;
  for (size_t I = 0, J = 0; I < A.Entries.size() && J < B.Entries.size();) {
    const size_t EndOfI = A.endOfPage(I), EndOfJ = B.endOfPage(J);
    const uint64_t PageOfA = A.Entries[I].Page, PageOfB = B.Entries[J].Page;
    if (PageOfA == PageOfB) {
      Product += products(A, I, EndOfI, B, J, EndOfJ);
      OfA += squares(A, I, EndOfI);
      OfB += squares(B, J, EndOfJ);
    }
    I = PageOfA <= PageOfB ? EndOfI : I;
    J = PageOfB <= PageOfA ? EndOfJ : J;
  }
  return OfA > 0 && OfB > 0 ? std::min(1.0, Product / std::sqrt(OfA * OfB)) : -1;
}

class Gathering {
public:
  /// @param By what is compared: phases, slices or tasks
  /// @param Count of these
  Gathering(const Profile &Counted, const Layout &Where, uint32_t Series::*By, size_t Count)
      : P(Counted), L(Where), Kind(By), Patterns(Count) {}

  std::vector<RegionUse> run() {
    gather(P.Lines, P.LineBytes);
    gather(P.Parts, 1);
    gather(P.CoarsePages, P.PageBytes);
    std::vector<RegionUse> All;
    for (const uint32_t Phase : greatest()) {
      Patterns[Phase].sumUp();
      All.push_back(useOf(Phase));
    }
    for (size_t I = 0; I < All.size(); ++I)
      for (size_t J = 0; J < All.size(); ++J)
        All[I].Likeness.push_back(J < I ? All[J].Likeness[I]
                                        : likeness(Patterns[All[I].Phase], Patterns[All[J].Phase]));
    return All;
  }

private:
  /// Those with most accesses, in their order.
  std::vector<uint32_t> greatest() const {
    std::vector<uint32_t> Chosen;
    for (const auto &[Phase, Sum] : Sums)
      Chosen.push_back(Phase);
    std::stable_sort(Chosen.begin(), Chosen.end(),
                     [&](uint32_t A, uint32_t B) { return Sums.at(A).sum() > Sums.at(B).sum(); });
    Chosen.resize(std::min(Chosen.size(), RegionsMost));
    std::sort(Chosen.begin(), Chosen.end());
    return Chosen;
  }

  void gather(const std::vector<Series> &List, uint64_t UnitBytes) {
    for (const Series &S : List)
      for (const Touch &T : S.Touches) {
        Patterns[S.*Kind].add(T.Unit * UnitBytes / P.PageBytes, S.Thread,
                              T.Accesses.sum() * P.Sample);
        Sums[S.*Kind].Reads += T.Accesses.Reads * P.Sample;
        Sums[S.*Kind].Writes += T.Accesses.Writes * P.Sample;
      }
  }

  uint32_t nodeOfPage(uint64_t Number) const {
    const auto Found =
        std::lower_bound(P.Pages.begin(), P.Pages.end(), Number,
                         [](const Page &Known, uint64_t Value) { return Known.Number < Value; });
    return Found != P.Pages.end() && Found->Number == Number
               ? L.OfPage[static_cast<size_t>(Found - P.Pages.begin())]
               : None;
  }

  /// Such as "from 1.5 s on".
  std::string timeOf(uint32_t Slice) const {
    char Text[64];
    std::snprintf(Text, sizeof Text, "from %.3g s on", double(P.Slices[Slice]) / 1000);
    return Text;
  }

  std::string nameOf(uint32_t Number) const {
    if (Kind == &Series::Slice)
      return timeOf(Number);
    if (Kind == &Series::Task)
      return Number ? P.Tasks[Number - 1].name() : "outside of tasks";
    return Number ? P.Phases[Number - 1].name() : "outside of parallel regions";
  }

  RegionUse useOf(uint32_t Phase) {
    RegionUse Use;
    Use.Phase = Phase;
    Use.Name = nameOf(Phase);
    Use.Accesses = Sums[Phase];
    Use.ByThread.resize(P.Threads.size());
    const Pattern &Its = Patterns[Phase];
    double Local = 0;
    for (size_t First = 0, Last = 0; First < Its.Entries.size(); First = Last) {
      Last = Its.endOfPage(First);
      Local += addPage(Use, Its, First, Last);
    }
    if (Use.Where.placed())
      Use.LeastRemote = 1 - Local / double(Use.Where.placed());
    return Use;
  }

  /// \returns the accesses of the node that uses the page most
  double addPage(RegionUse &Use, const Pattern &Its, size_t First, size_t Last) const {
    const uint32_t Home = nodeOfPage(Its.Entries[First].Page);
    std::map<uint32_t, double> OfNode;
    for (size_t I = First; I < Last; ++I) {
      const auto &[Page, Thread, Accesses] = Its.Entries[I];
      const uint32_t From = L.OfThread[Thread];
      for (Split *To : {&Use.Where, &Use.ByThread[Thread]})
        To->add(static_cast<uint64_t>(Accesses), From, Home, L);
      if (From != None && Home != None)
        OfNode[From] += Accesses;
    }
    double Most = 0;
    for (const auto &[Node, Accesses] : OfNode)
      Most = std::max(Most, Accesses);
    return Most;
  }

  const Profile &P;
  const Layout &L;
  uint32_t Series::*const Kind;
  std::vector<Pattern> Patterns;   ///< by phase
  std::map<uint32_t, Counts> Sums; ///< by phase
};

} // namespace

std::vector<RegionUse> maiprof::regions(const Profile &P, const Layout &L) {
  return P.HasPhases ? Gathering(P, L, &Series::Phase, P.Phases.size() + 1).run()
                     : std::vector<RegionUse>();
}

std::vector<TaskUse> maiprof::tasks(const Profile &P, const Layout &L) {
  std::vector<TaskUse> All;
  for (RegionUse &Use : P.HasTasks ? Gathering(P, L, &Series::Task, P.Tasks.size() + 1).run()
                                   : std::vector<RegionUse>())
    All.push_back({std::move(Use), std::vector<uint64_t>(P.Threads.size())});
  for (const TasksBegun &Each : P.Begun)
    for (TaskUse &Use : All)
      if (Use.Use.Phase == Each.Task + 1)
        Use.Begun[Each.Thread] += Each.Number;
  return All;
}

uint64_t TaskUse::number() const {
  return std::accumulate(Begun.begin(), Begun.end(), uint64_t(0));
}

std::vector<RegionUse> maiprof::slices(const Profile &P, const Layout &L) {
  return P.Slices.size() < 2 ? std::vector<RegionUse>()
                             : Gathering(P, L, &Series::Slice, P.Slices.size()).run();
}

std::vector<std::pair<size_t, size_t>> maiprof::changes(const std::vector<RegionUse> &Regions) {
  constexpr double LeastPart = 0.02; /* of all accesses: less does not matter */
  double Sum = 0;
  for (const RegionUse &Use : Regions)
    Sum += double(Use.Accesses.sum());
  /* Serial code has one thread: it is no pattern. */
  const auto Counts = [&](const RegionUse &Use) {
    return Use.Phase != 0 && double(Use.Accesses.sum()) >= LeastPart * Sum;
  };
  std::vector<std::pair<size_t, size_t>> All;
  for (size_t I = 1; I < Regions.size(); ++I)
    for (size_t Before = Counts(Regions[I]) ? I : 0; Before-- > 0;) {
      const double Its = Regions[I].Likeness[Before];
      if (Its < 0 || !Counts(Regions[Before]))
        continue;
      if (Its < AlikeLeast)
        All.emplace_back(Before, I);
      break;
    }
  return All;
}
