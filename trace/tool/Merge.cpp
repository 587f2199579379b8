//===-- Merge.cpp - what the profiles of all ranks say ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Merge.h"

#include "Report.h"
#include "support/Json.h"
#include "support/Text.h"
#include "trace/latencies/Compare.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <tuple>

using namespace maiprof;
using llvm::json::Object;
using support::countText;
using support::jsonText;
using support::percentText;

namespace {

/// The same verdict in several ranks.
struct Merged {
  const Verdict *Its = nullptr; ///< of the rank in which its cure gains most
  std::vector<size_t> Ranks;
  double Gain = 0; ///< of the accesses of all ranks
  double Most = 0; ///< in one rank, of its own
};

uint64_t allAccesses(const std::vector<Rank> &Ranks) {
  uint64_t Sum = 0;
  for (const Rank &R : Ranks)
    Sum += R.Accesses;
  return std::max<uint64_t>(1, Sum);
}

void add(Merged &To, const std::vector<Rank> &Ranks, size_t I, const Verdict &V) {
  if (!To.Its || V.Gain > To.Most)
    To.Its = &V;
  To.Ranks.push_back(I);
  To.Gain += V.Gain * double(Ranks[I].Accesses) / double(allAccesses(Ranks));
  To.Most = std::max(To.Most, V.Gain);
}

/// By kind, array and policy; most gain first, by whole percents.
std::vector<Merged> merge(const std::vector<Rank> &Ranks) {
  std::map<std::tuple<Trouble, std::string, std::string>, Merged> Known;
  for (size_t I = 0; I < Ranks.size(); ++I)
    for (const Verdict &V : Ranks[I].Verdicts)
      add(Known[{V.What, V.Array, V.Policy}], Ranks, I, V);
  std::vector<Merged> All;
  for (auto &[Key, Its] : Known)
    All.push_back(std::move(Its));
  std::stable_sort(All.begin(), All.end(), [](const Merged &A, const Merged &B) {
    return std::lround(A.Gain * 100) > std::lround(B.Gain * 100);
  });
  return All;
}

/// The rank whose accesses are remote most.
size_t mostRemote(const std::vector<Rank> &Ranks) {
  const auto Most = std::max_element(Ranks.begin(), Ranks.end(), [](const Rank &A, const Rank &B) {
    return A.Now.Remote < B.Now.Remote;
  });
  return static_cast<size_t>(Most - Ranks.begin());
}

std::string whereText(const Merged &M, const std::vector<Rank> &Ranks) {
  constexpr size_t Shown = 8;
  if (M.Ranks.size() == Ranks.size())
    return "in all ranks";
  std::string Text =
      "in " + std::to_string(M.Ranks.size()) + " of " + std::to_string(Ranks.size()) + " ranks (";
  for (size_t I = 0; I < std::min(Shown, M.Ranks.size()); ++I)
    Text += (I ? ", " : "") + Ranks[M.Ranks[I]].Name;
  return Text + (M.Ranks.size() > Shown ? ", ...)" : ")");
}

std::string summaryText(const std::vector<Rank> &Ranks, const std::vector<Merged> &All,
                        double LeastGain) {
  const auto Cures =
      std::count_if(All.begin(), All.end(), [](const Merged &M) { return M.Most > 0; });
  const std::string Least = percentText(LeastGain) + " of a rank's accesses";
  const Rank &Worst = Ranks[mostRemote(Ranks)];
  return (Cures ? std::to_string(Cures) + (Cures == 1 ? " cure saves " : " cures save ") + Least +
                      " or more"
                : "nothing to gain: no cure saves " + Least) +
         "; the most remote rank is " + Worst.Name + " with " + percentText(Worst.Now.Remote);
}

std::string verdictText(const Merged &M, size_t Number, const std::vector<Rank> &Ranks) {
  const Verdict &V = *M.Its;
  std::string Out = "\n" + std::to_string(Number) + ". " + (V.Array.empty() ? "" : V.Array + ": ") +
                    V.Sentence + " (" + wordOf(V.What) + ") " + whereText(M, Ranks) + "\n   ";
  Out += V.Gain > 0 ? "gain " + percentText(M.Gain) + " of all ranks' accesses, " +
                          percentText(M.Most) + " of a rank's at most"
                    : "no placement gains anything";
  Out += "\n   " + V.Reason + "\n";
  for (const std::string &Cure : V.Cures)
    Out += "   > " + Cure + "\n";
  return Out;
}

std::string rowText(const Rank &R) {
  char Text[256];
  std::snprintf(Text, sizeof Text, "%8zu %12s %8s %8s  ", R.Threads,
                countText(double(R.Accesses)).c_str(), percentText(R.Now.Remote).c_str(),
                percentText(R.Now.Busiest).c_str());
  const std::string Thread =
      R.MostRemote.empty() ? "-" : R.MostRemote + " (" + percentText(R.Now.MostRemotePart) + ")";
  return Text + Thread + "  " + R.Name + " on " + R.Host +
         (R.IsComplete ? "" : "; not all is counted") + "\n";
}

Object effect(const Rank &R) {
  return Object{{"name", jsonText(R.Name)},
                {"host", jsonText(R.Host)},
                {"threads", R.Threads},
                {"accesses", R.Accesses},
                {"remote", R.Now.Remote},
                {"most_loaded_node", R.Now.Busiest},
                {"most_remote_thread",
                 R.MostRemote.empty() ? llvm::json::Value(nullptr) : jsonText(R.MostRemote)},
                {"most_remote_thread_remote", R.Now.MostRemotePart},
                {"complete", R.IsComplete}};
}

Object verdict(const Merged &M, const std::vector<Rank> &Ranks) {
  llvm::json::Array Names, Cures;
  for (const size_t I : M.Ranks)
    Names.push_back(jsonText(Ranks[I].Name));
  for (const std::string &Cure : M.Its->Cures)
    Cures.push_back(jsonText(Cure));
  return Object{
      {"kind", wordOf(M.Its->What)},
      {"array", M.Its->Array.empty() ? llvm::json::Value(nullptr) : jsonText(M.Its->Array)},
      {"gain", M.Gain},
      {"greatest_gain", M.Most},
      {"ranks", std::move(Names)},
      {"sentence", jsonText(M.Its->Sentence)},
      {"reason", jsonText(M.Its->Reason)},
      {"cures", std::move(Cures)}};
}

} // namespace

Rank maiprof::rankOf(const std::string &File, const Profile &P, const Usage &U,
                     const Judgement &J) {
  Rank R;
  R.Name = runName(File);
  R.Host = P.Host;
  R.Threads = P.Threads.size();
  R.Accesses = U.Total.Accesses.sum() + P.OnOwnStacks.sum();
  R.Now = J.Now;
  if (J.Now.MostRemote != None)
    R.MostRemote = P.Threads[J.Now.MostRemote].name();
  R.IsComplete = gaps(P).empty();
  R.Verdicts = J.Verdicts;
  return R;
}

std::string maiprof::mergedText(const std::vector<Rank> &Ranks, double LeastGain) {
  const std::vector<Merged> All = merge(Ranks);
  std::string Out = "verdict   " + summaryText(Ranks, All, LeastGain) + "\n";
  for (size_t I = 0; I < All.size(); ++I)
    Out += verdictText(All[I], I + 1, Ranks);
  Out += "\n threads     accesses   remote  busiest  most remote thread, rank\n";
  for (const Rank &R : Ranks)
    Out += rowText(R);
  return Out;
}

std::string maiprof::mergedJson(const std::vector<Rank> &Ranks, double LeastGain) {
  const std::vector<Merged> All = merge(Ranks);
  llvm::json::Array Rows, Verdicts;
  for (const Rank &R : Ranks)
    Rows.push_back(effect(R));
  for (const Merged &M : All)
    Verdicts.push_back(verdict(M, Ranks));
  return support::jsonLines(Object{{"mai_trace_merge", 1},
                                   {"summary", jsonText(summaryText(Ranks, All, LeastGain))},
                                   {"least_gain", LeastGain},
                                   {"ranks", std::move(Rows)},
                                   {"verdicts", std::move(Verdicts)}});
}

double maiprof::greatestGain(const std::vector<Rank> &Ranks) {
  double Most = 0;
  for (const Rank &R : Ranks)
    for (const Verdict &V : R.Verdicts)
      Most = std::max(Most, V.Gain);
  return Most;
}
