//===-- SampledLatencies.cpp - how long accesses took -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SampledLatencies.h"

#include "support/Text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

using namespace maiprof;
using support::countText;
using support::percentText;

namespace {

constexpr double LeastSamples = 30;   /* of a thread: below, nothing is known */
constexpr double LeastLongPart = 0.1; /* of TL: below, latencies are no matter */
constexpr double LeastShared = 0.5, LeastSharedFactor = 1.5;
constexpr double LeastVeryLong = 0.25;
constexpr double LeastImbalance = 1.5;
constexpr double StandardErrors = 1.96; /* 95 % */

/// A part of a sum over samples, and how far it may be off: that of a ratio of two sums.
class Proportion {
public:
  void add(double Whole, bool IsIn) {
    All += Whole;
    (IsIn ? In : Out) += Whole;
    (IsIn ? SquaresIn : SquaresOut) += Whole * Whole;
  }
  double value() const { return All > 0 ? In / All : 0; }
  double error() const {
    const double P = value();
    const double Variance = (1 - P) * (1 - P) * SquaresIn + P * P * SquaresOut;
    return All > 0 ? StandardErrors * std::sqrt(Variance) / All : 0;
  }
  bool isAtLeast(double Least) const { return All > 0 && value() - error() >= Least; }

private:
  double All = 0, In = 0, Out = 0, SquaresIn = 0, SquaresOut = 0;
};

class SampleSums {
public:
  explicit SampleSums(const Profile &Source) : P(Source) {
    Result.Threads.resize(P.Threads.size());
    Result.Long.resize(P.Threads.size());
    SquaresLong.resize(P.Threads.size());
  }

  SampledLatencies run() {
    notePages();
    for (const Timed &Each : P.Times)
      add(Each);
    distribute();
    compareThreads();
    sumArrays();
    if (double(P.Times.size()) >= LeastSamples * Seen && OfLong.isAtLeast(LeastLongPart)) {
      judgeSharing();
      judgeContention();
      judgeImbalance();
    }
    return std::move(Result);
  }

private:
  static constexpr uint32_t Several = None - 1;

  uint64_t pageOf(uint64_t Line) const { return Line * P.LineBytes / P.PageBytes; }

  /// Who uses a page, by all samples of it.
  void notePages() {
    for (const Series &Each : P.Lines)
      for (const Touch &T : Each.Touches) {
        const auto [At, IsNew] = UserOf.try_emplace(pageOf(T.Unit), Each.Thread);
        if (!IsNew && At->second != Each.Thread)
          At->second = Several;
      }
  }

  void add(const Timed &Its) {
    const auto User = UserOf.find(pageOf(Its.Line));
    const bool IsShared = User != UserOf.end() && User->second == Several;
    const double Time = double(Its.Accesses) * Its.Cycles;
    (IsShared ? Result.Shared : Result.Private).add(Its.Accesses, Its.Cycles);
    Result.By[static_cast<size_t>(Its.By)].add(Its.Accesses, Its.Cycles);
    Result.Threads[Its.Thread].add(Its.Accesses, Its.Cycles);
    for (size_t I = 0; I < LatencyThresholds.size(); ++I)
      Result.AtLeast[I] += Its.Cycles >= LatencyThresholds[I] ? double(Its.Accesses) : 0;
    OfShared.add(Time, IsShared);
    OfLong.add(Time, Its.Cycles >= LongLatency);
    if (Its.Cycles >= LongLatency)
      addLong(Its);
  }

  void addLong(const Timed &Its) {
    Result.Long[Its.Thread] += Its.Accesses;
    SquaresLong[Its.Thread] += double(Its.Accesses) * double(Its.Accesses);
    OfVeryLong.add(double(Its.Accesses), Its.Cycles >= VeryLongLatency);
    if (Its.Cycles >= VeryLongLatency)
      VeryLongBy[nodeOf(pageOf(Its.Line))] += double(Its.Accesses);
  }

  uint32_t nodeOf(uint64_t Number) const {
    const auto Found =
        std::lower_bound(P.Pages.begin(), P.Pages.end(), Number,
                         [](const Page &Each, uint64_t Value) { return Each.Number < Value; });
    return Found != P.Pages.end() && Found->Number == Number ? Found->Node : None;
  }

  void distribute() {
    for (double &Each : Result.AtLeast)
      Each /= double(std::max<uint64_t>(1, Result.number()));
  }

  void compareThreads() {
    double Count = 0, Sum = 0, Squares = 0;
    for (uint32_t I = 0; I < Result.Threads.size(); ++I) {
      if (Result.Threads[I].Number == 0)
        continue;
      const auto Long = double(Result.Long[I]);
      ++Count;
      Sum += Long;
      Squares += Long * Long;
      if (Result.Critical == None || Result.Long[I] > Result.Long[Result.Critical])
        Result.Critical = I;
    }
    Seen = Count;
    Result.MeanLong = Sum / std::max(1.0, Count);
    Result.DeviationLong = std::sqrt(
        std::max(0.0, Squares / std::max(1.0, Count) - Result.MeanLong * Result.MeanLong));
  }

  /// Arrays lie in others, such as blocks in the heap: what begins last has the access.
  void sumArrays() {
    std::vector<const Timed *> ByLine;
    for (const Timed &Each : P.Times)
      ByLine.push_back(&Each);
    std::stable_sort(ByLine.begin(), ByLine.end(),
                     [](const Timed *A, const Timed *B) { return A->Line < B->Line; });
    std::map<std::string, LatencySum> Sums;
    size_t Next = 0;
    std::vector<const Array *> Open;
    for (const Timed *Each : ByLine) {
      const uint64_t Address = Each->Line * P.LineBytes;
      for (; Next < P.Arrays.size() && P.Arrays[Next].Start < Address + P.LineBytes; ++Next)
        Open.push_back(&P.Arrays[Next]);
      std::erase_if(Open, [&](const Array *A) { return A->end() <= Address; });
      Sums[Open.empty() ? "?" : Open.back()->name()].add(Each->Accesses, Each->Cycles);
    }
    for (auto &[Name, Its] : Sums)
      Result.Arrays.push_back({Name, Its});
    std::stable_sort(
        Result.Arrays.begin(), Result.Arrays.end(),
        [](const ArrayTimes &A, const ArrayTimes &B) { return A.Its.Total > B.Its.Total; });
  }

  void find(Sign What, double Value, double Error, const std::string &Sentence) {
    Result.Findings.push_back({What, Value, Error, Sentence});
  }

  static std::string partText(const Proportion &Its) {
    return percentText(Its.value()) + " +- " + percentText(Its.error());
  }

  void judgeSharing() {
    const double Factor =
        Result.Private.Number ? Result.Shared.average() / Result.Private.average() : INFINITY;
    if (!OfShared.isAtLeast(LeastShared) || Seen < 2 || Factor < LeastSharedFactor)
      return;
    char Times[64] = "";
    if (Result.Private.Number)
      std::snprintf(Times, sizeof Times,
                    ", and an access to it lasts %.1f times one to private data", Factor);
    find(Sign::Sharing, OfShared.value(), OfShared.error(),
         "data that threads share has " + partText(OfShared) + " of TL" + Times);
  }

  void judgeContention() {
    if (!OfVeryLong.isAtLeast(LeastVeryLong))
      return;
    std::string Where;
    const auto Most =
        std::max_element(VeryLongBy.begin(), VeryLongBy.end(),
                         [](const auto &A, const auto &B) { return A.second < B.second; });
    double All = 0;
    for (const auto &[Node, Accesses] : VeryLongBy)
      All += Accesses;
    if (Most->first != None)
      Where = "; " + percentText(Most->second / All) + " of these go to memory of node " +
              std::to_string(P.Nodes[Most->first].OsIndex);
    find(Sign::Contention, OfVeryLong.value(), OfVeryLong.error(),
         partText(OfVeryLong) + " of the accesses of " + std::to_string(LongLatency) +
             " cycles last " + std::to_string(VeryLongLatency) +
             " and more, as no memory does that is idle" + Where);
  }

  void judgeImbalance() {
    if (Seen < 2 || Result.MeanLong <= 0)
      return;
    const double Factor = double(Result.Long[Result.Critical]) / Result.MeanLong;
    const double Error = StandardErrors * std::sqrt(SquaresLong[Result.Critical]) / Result.MeanLong;
    if (Factor - Error < LeastImbalance)
      return;
    char Text[128];
    std::snprintf(Text, sizeof Text, " has %.2f +- %.2f times as many long accesses as the mean",
                  Factor, Error);
    find(Sign::Imbalance, Factor, Error, "thread " + P.Threads[Result.Critical].name() + Text);
  }

  const Profile &P;
  SampledLatencies Result;
  std::unordered_map<uint64_t, uint32_t> UserOf; ///< by page
  std::vector<double> SquaresLong;               ///< by thread
  std::map<uint32_t, double> VeryLongBy;         ///< by node
  Proportion OfShared, OfLong, OfVeryLong;
  double Seen = 0; ///< threads
};

} // namespace

const char *maiprof::wordOf(Sign What) {
  switch (What) {
  case Sign::Sharing:
    return "data-sharing";
  case Sign::Contention:
    return "contention";
  case Sign::Imbalance:
    return "imbalance";
  }
  return "";
}

std::optional<SampledLatencies> maiprof::sampledLatencies(const Profile &P) {
  if (P.Times.empty())
    return std::nullopt;
  return SampleSums(P).run();
}
