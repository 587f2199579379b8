//===-- Lines.cpp - how threads meet in lines and pages ---------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Lines.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_set>

using namespace maiprof;

namespace {

/// What one thread did to one line in one region.
struct Entry {
  uint64_t Unit;
  uint32_t Phase;
  uint32_t Thread;
  Counts Accesses;
};

/// By line, region and thread.
std::vector<Entry> inOrder(const Profile &P, const std::vector<Series> &List) {
  std::vector<Entry> All;
  for (const Series &S : List)
    if (!P.HasPhases || P.Phases.empty() || S.Phase > 0)
      for (const Touch &T : S.Touches)
        All.push_back({T.Unit, S.Phase, S.Thread, T.Accesses});
  std::stable_sort(All.begin(), All.end(), [](const Entry &L, const Entry &R) {
    return std::tie(L.Unit, L.Phase, L.Thread) < std::tie(R.Unit, R.Phase, R.Thread);
  });
  return All;
}

/// The arrays of lines. What is counted at the borders of large ones may be the neighbours', and is
/// left out; of small ones a line is that array's which has most of it.
class LineArrays {
public:
  LineArrays(const Profile &P, const Usage &U) {
    for (uint32_t Use = 0; Use < U.Arrays.size(); ++Use) {
      if (!U.Arrays[Use].IsArray && U.Arrays[Use].Arrays.empty())
        Rest = Use;
      for (const uint32_t I : U.Arrays[Use].Arrays)
        if (U.Arrays[Use].IsArray)
          All.push_back(
              {P.Arrays[I].Start, P.Arrays[I].end(), Use, P.Arrays[I].Bytes / P.LineBytes >= Few});
    }
    std::stable_sort(All.begin(), All.end(),
                     [](const Block &L, const Block &R) { return L.Start < R.Start; });
  }

  uint32_t of(uint64_t Start, uint64_t End) const {
    auto At = std::lower_bound(All.begin(), All.end(), End,
                               [](const Block &B, uint64_t Value) { return B.Start < Value; });
    uint32_t Found = Rest;
    uint64_t Most = 0;
    for (unsigned Tries = 0; At != All.begin() && Tries < 64; ++Tries) {
      --At;
      const uint64_t First = std::max(At->Start, Start), Last = std::min(At->End, End);
      if (Last > First && Found == Rest)
        Found = None;
      if (Last > First && Last - First > Most && (!At->IsLarge || Last - First == End - Start)) {
        Most = Last - First;
        Found = At->Use;
      }
      if (At->Start <= Start && Found != Rest)
        break;
    }
    return Found;
  }

private:
  static constexpr uint64_t Few = 16; ///< lines
  struct Block {
    uint64_t Start, End;
    uint32_t Use;
    bool IsLarge;
  };
  std::vector<Block> All;
  uint32_t Rest = None; ///< what lies in no known array
};

/// Goes over the lines, and sums up.
class MeetingSums {
public:
  MeetingSums(const Profile &Source, const Usage &Used, const std::vector<uint32_t> &Nodes)
      : P(Source), NodeOf(Nodes), NodeCount(Used.Where.Nodes), Of(Source, Used),
        Result(Used.Arrays.size()), MostOfFalse(Used.Arrays.size()) {
    for (const TransferredLine &Line : transferredLines(P))
      if (Line.IsFalse)
        False.insert(Line.Address / P.LineBytes);
  }

  std::vector<Meeting> run() {
    add(P.Lines, P.LineBytes);
    add(P.CoarsePages, P.PageBytes);
    return std::move(Result);
  }

private:
  /// Accesses of one page by region and node.
  using ByRegion = std::map<uint32_t, std::vector<double>>;

  void add(const std::vector<Series> &List, uint64_t UnitBytes) {
    const std::vector<Entry> All = inOrder(P, List);
    for (size_t I = 0; I < All.size();) {
      const uint64_t Start = All[I].Unit * UnitBytes;
      const uint32_t Use = Of.of(Start, Start + UnitBytes);
      if (Use != Current || Start / P.PageBytes != Page)
        closePage();
      Current = Use;
      Page = Start / P.PageBytes;
      const size_t First = I;
      while (I < All.size() && All[I].Unit == All[First].Unit)
        ++I;
      if (Use != None)
        addLine(Result[Use], &All[First], &All[0] + I, UnitBytes == P.LineBytes);
    }
    closePage();
  }

  void addLine(Meeting &To, const Entry *First, const Entry *End, bool IsLine) {
    std::vector<double> Always(NodeCount);
    for (const Entry *Last = First; First < End; First = Last) {
      while (Last < End && Last->Phase == First->Phase)
        ++Last;
      addLineOfRegion(To, First, Last, Always);
      if (IsLine)
        addContention(To, First, Last);
    }
    ++To.Lines;
    To.ByLine += *std::max_element(Always.begin(), Always.end());
    To.OfLine.add(samples(Always));
  }

  std::vector<double> samples(std::vector<double> Accesses) const {
    for (double &Each : Accesses)
      Each /= Weight;
    return Accesses;
  }

  double accesses(const Entry &E) const { return double(E.Accesses.sum()) * double(P.Sample); }

  void addLineOfRegion(Meeting &To, const Entry *First, const Entry *End,
                       std::vector<double> &Always) {
    std::vector<double> &Nodes = OfPage.try_emplace(First->Phase, NodeCount).first->second;
    std::vector<double> Here(NodeCount);
    for (const Entry *E = First; E < End; ++E) {
      To.Accesses += accesses(*E);
      To.Written += double(E->Accesses.Writes) * double(P.Sample);
      const uint32_t Node = NodeOf[E->Thread];
      if (Node == None)
        continue;
      for (std::vector<double> *Sum : {&Nodes, &Here, &Always})
        (*Sum)[Node] += accesses(*E);
    }
    To.ByLineAndRegion += *std::max_element(Here.begin(), Here.end());
    To.OfLineInRegion.add(samples(Here));
  }

  void addContention(Meeting &To, const Entry *First, const Entry *End) {
    double Sum = 0, Most = 0;
    const auto Writers =
        std::count_if(First, End, [](const Entry &E) { return E.Accesses.Writes > 0; });
    const bool IsFalse = False.count(First->Unit) > 0 && End - First > 1;
    if (Writers < (IsFalse ? 1 : 2))
      return;
    for (const Entry *E = First; E < End; ++E) {
      Sum += accesses(*E);
      Most = std::max(Most, accesses(*E));
    }
    if (IsFalse) {
      addFalse(To, *First, Sum - Most, static_cast<uint32_t>(End - First));
      return;
    }
    To.Contended += Sum - Most;
    ++To.ContendedLines;
    To.LineUsers = std::max(To.LineUsers, static_cast<uint32_t>(End - First));
  }

  void addFalse(Meeting &To, const Entry &First, double Accesses, uint32_t Users) {
    To.FalselyShared += Accesses;
    ++To.FalselySharedLines;
    To.FalseLineUsers = std::max(To.FalseLineUsers, Users);
    double &Most = MostOfFalse[static_cast<size_t>(&To - Result.data())];
    if (Accesses > Most) {
      Most = Accesses;
      To.AFalseLine = First.Unit * P.LineBytes;
    }
  }

  void closePage() {
    if (Current != None) {
      std::vector<double> All(NodeCount);
      for (const auto &[Phase, Nodes] : OfPage) {
        Result[Current].ByPageAndRegion += *std::max_element(Nodes.begin(), Nodes.end());
        Result[Current].OfPageInRegion.add(samples(Nodes));
        for (uint32_t Node = 0; Node < NodeCount; ++Node)
          All[Node] += Nodes[Node];
      }
      Result[Current].ByPage += *std::max_element(All.begin(), All.end());
      Result[Current].OfPage.add(samples(All));
      ++Result[Current].Pages;
    }
    OfPage.clear();
    Current = None;
  }

  const Profile &P;
  const std::vector<uint32_t> &NodeOf;
  const uint32_t NodeCount;
  const double Weight = sampleWeight(P);
  const LineArrays Of;
  std::vector<Meeting> Result;
  std::vector<double> MostOfFalse;    ///< accesses to one line, by array
  std::unordered_set<uint64_t> False; ///< lines of which threads use different bytes
  uint32_t Current = None;
  uint64_t Page = 0;
  ByRegion OfPage;
};

} // namespace

bool maiprof::areEnough(const Pairs &Met) {
  constexpr double Least = 30;
  return Met.All >= Least;
}

std::vector<Meeting> maiprof::meetings(const Profile &P, const Usage &U,
                                       const std::vector<uint32_t> &NodeOf) {
  return MeetingSums(P, U, NodeOf).run();
}
