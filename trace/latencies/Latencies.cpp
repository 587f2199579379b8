//===-- Latencies.cpp - how long accesses take, by a model ------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Latencies.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

using namespace maiprof;

namespace {

/// What one thread did to one line.
struct ThreadLine {
  uint64_t Line;
  uint32_t View;
  uint32_t Thread;
  uint64_t Accesses;
  auto line() const { return std::tie(Line, View); }
};

/// Each thread has a view of its own of freed lines that it used alone.
uint32_t viewOf(const Series &S) {
  constexpr uint32_t FirstAlone = 1U << 16;
  return S.View == Series::Alone ? FirstAlone + S.Thread : S.View;
}

/// By lines.
std::vector<ThreadLine> entries(const Profile &P, const std::vector<Series> &List,
                                uint64_t PerUnit) {
  std::vector<ThreadLine> All;
  for (const Series &S : List)
    for (const Touch &T : S.Touches)
      All.push_back({T.Unit / PerUnit, viewOf(S), S.Thread, T.Accesses.sum() * P.Sample});
  return All;
}

class SummingLatencies {
public:
  SummingLatencies(const Profile &Source, const Layout &Where, LatencyModel Of)
      : P(Source), L(Where) {
    Result.Model = std::move(Of);
    Result.Threads.resize(P.Threads.size());
    Remote.resize(P.Threads.size());
  }

  Latencies run() {
    std::vector<ThreadLine> Lines = entries(P, P.Lines, 1);
    const std::vector<ThreadLine> Parts = entries(P, P.Parts, P.LineBytes);
    Lines.insert(Lines.end(), Parts.begin(), Parts.end());
    add(std::move(Lines), P.LineBytes);
    add(entries(P, P.CoarsePages, 1), P.PageBytes);
    distribute();
    compareThreads();
    return std::move(Result);
  }

private:
  void add(std::vector<ThreadLine> All, uint64_t UnitBytes) {
    std::sort(All.begin(), All.end(),
              [](const ThreadLine &A, const ThreadLine &B) { return A.line() < B.line(); });
    for (size_t First = 0, Last = 0; First < All.size(); First = Last) {
      bool IsShared = false;
      for (; Last < All.size() && All[Last].line() == All[First].line(); ++Last)
        IsShared |= All[Last].Thread != All[First].Thread;
      const uint32_t Node = nodeOf(All[First].Line * UnitBytes / P.PageBytes);
      for (size_t I = First; I < Last; ++I)
        add(All[I], Node, IsShared);
    }
  }

  void add(const ThreadLine &E, uint32_t Node, bool IsShared) {
    const uint32_t From = L.OfThread[E.Thread];
    if (From == None || Node == None)
      return;
    const double Each = Result.Model.at(From, Node);
    (IsShared ? Result.Shared : Result.Private).add(E.Accesses, Each);
    Result.Threads[E.Thread].add(E.Accesses, Each);
    Remote[E.Thread] += From == Node ? 0 : double(E.Accesses);
    ByLatency[Each] += E.Accesses;
  }

  uint32_t nodeOf(uint64_t Number) const {
    const auto Found =
        std::lower_bound(P.Pages.begin(), P.Pages.end(), Number,
                         [](const Page &Each, uint64_t Value) { return Each.Number < Value; });
    return Found != P.Pages.end() && Found->Number == Number
               ? L.OfPage[static_cast<size_t>(Found - P.Pages.begin())]
               : None;
  }

  void distribute() {
    const double All = double(Result.Private.Number + Result.Shared.Number);
    double Left = All;
    for (const auto &[Latency, Accesses] : ByLatency) {
      Result.AtLeast.emplace_back(Latency, Left / All);
      Left -= double(Accesses);
    }
  }

  void compareThreads() {
    size_t Count = 0;
    double Sum = 0, Squares = 0;
    for (uint32_t I = 0; I < Result.Threads.size(); ++I) {
      if (Result.Threads[I].Number == 0)
        continue;
      ++Count;
      Sum += Remote[I];
      Squares += Remote[I] * Remote[I];
      if (Result.Critical == None ||
          Result.Threads[I].Total > Result.Threads[Result.Critical].Total)
        Result.Critical = I;
    }
    if (Count == 0)
      return;
    Result.MeanRemote = Sum / double(Count);
    Result.DeviationRemote =
        std::sqrt(std::max(0.0, Squares / double(Count) - Result.MeanRemote * Result.MeanRemote));
  }

  const Profile &P;
  const Layout &L;
  Latencies Result;
  std::vector<double> Remote; ///< accesses by thread
  std::map<double, uint64_t> ByLatency;
};

//===-- Measured ones ---------------------------------------------------------===//

/// What `numarch --json` has of latencies.
class Measurement {
public:
  explicit Measurement(const llvm::json::Object &Description) {
    if (const llvm::json::Array *Nodes = Description.getArray("nodes"))
      for (size_t I = 0; I < Nodes->size(); ++I)
        if (const llvm::json::Object *Node = (*Nodes)[I].getAsObject())
          if (const auto Index = Node->getInteger("os_index"))
            Row[*Index] = I;
    const llvm::json::Object *Measured = Description.getObject("measured");
    Values = Measured ? Measured->getArray("latency") : nullptr;
  }

  /// Between two nodes of the operating system's numbers; 0: not known.
  double at(uint32_t From, uint32_t To) const {
    const auto FromRow = Row.find(From), ToRow = Row.find(To);
    if (!Values || FromRow == Row.end() || ToRow == Row.end() || FromRow->second >= Values->size())
      return 0;
    const llvm::json::Array *Line = (*Values)[FromRow->second].getAsArray();
    if (!Line || ToRow->second >= Line->size())
      return 0;
    const double Value = (*Line)[ToRow->second].getAsNumber().value_or(0);
    return std::isfinite(Value) && Value > 0 ? Value : 0;
  }

private:
  std::map<int64_t, size_t> Row; ///< by the operating system's number
  const llvm::json::Array *Values = nullptr;
};

} // namespace

LatencyModel maiprof::byDistances(const Layout &L) {
  LatencyModel M;
  M.Source = L.Imagined ? "nodes that are imagined, another one twice as far as the own"
                        : "distances that the kernel tells";
  M.Nodes = L.Nodes;
  for (uint32_t From = 0; From < L.Nodes; ++From)
    for (uint32_t To = 0; To < L.Nodes; ++To)
      M.Values.push_back(L.latency(From, To));
  return M;
}

std::optional<LatencyModel> maiprof::measuredLatencies(const std::string &File, const Layout &L,
                                                       std::string &Error) {
  constexpr uint64_t Most = uint64_t(256) << 20;
  uint64_t Bytes = 0;
  auto Text = llvm::MemoryBuffer::getFile(File);
  if (!Text || llvm::sys::fs::file_size(File, Bytes) || Bytes > Most) {
    Error = File + ": " + (Text ? "too large" : Text.getError().message());
    return std::nullopt;
  }
  llvm::Expected<llvm::json::Value> Parsed = llvm::json::parse((*Text)->getBuffer());
  const llvm::json::Object *Description = Parsed ? Parsed->getAsObject() : nullptr;
  if (!Description) {
    Error = File + ": expected what `numarch --json` prints";
    llvm::consumeError(Parsed.takeError());
    return std::nullopt;
  }
  const Measurement Measured(*Description);
  LatencyModel M{"latencies that numArch has measured", "ns", L.Nodes, {}};
  for (uint32_t From = 0; From < L.Nodes; ++From)
    for (uint32_t To = 0; To < L.Nodes; ++To) {
      M.Values.push_back(Measured.at(L.OsIndex[From], L.OsIndex[To]));
      if (M.Values.back() == 0) {
        Error = File + ": has no measured latency from node " + std::to_string(L.OsIndex[From]) +
                " to node " + std::to_string(L.OsIndex[To]) + " (numarch --measure)";
        return std::nullopt;
      }
    }
  return M;
}

Latencies maiprof::latencies(const Profile &P, const Layout &L, LatencyModel Model) {
  return SummingLatencies(P, L, std::move(Model)).run();
}
