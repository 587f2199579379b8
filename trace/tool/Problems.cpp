//===-- Problems.cpp - the three problems of NUMA programs ------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// After LaProf (Zhu et al.): data sharing between threads of different nodes, contention at a
// node, and remote accesses that burden threads unequally. LaProf samples the latency of accesses;
// here it is modelled, see Analysis.h.
//
//===----------------------------------------------------------------------===//

#include "Problems.h"

#include "support/Text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstring>

using namespace maiprof;
using support::countText;
using support::percentText;

namespace {

/// Below these a verdict would be about noise.
constexpr double SharingMin = 0.02;      ///< accesses across nodes to written lines, of all
constexpr double SharingGain = 0.8;      ///< a better grouping leaves at most so much of them
constexpr double ContentionFactor = 1.5; ///< a node's accesses, in parts of the mean
constexpr double ContentionRemote = 0.2; ///< of the node's accesses, those from elsewhere
constexpr double ImbalanceMin = 0.05;    ///< remote accesses of the critical thread, of its own
constexpr double ImbalanceSpread = 0.5;  ///< standard deviation / mean of remote accesses

std::string decimal(double Value) {
  char Text[32];
  std::snprintf(Text, sizeof Text, "%.2f", Value);
  return Text;
}

std::string baseName(const std::string &Path) { return Path.substr(Path.rfind('/') + 1); }

std::string nodeName(const Layout &L, uint32_t Node) {
  return "node " + std::to_string(L.OsIndex[Node]);
}

/// Threads and the nodes that they are on, for each row of a matrix.
std::vector<uint32_t> nodesOfRows(const Sharing &S, const Layout &L) {
  std::vector<uint32_t> Nodes;
  for (const uint32_t Row : S.Rows)
    Nodes.push_back(Row == None ? None : L.OfThread[Row]);
  return Nodes;
}

/// What is shared across nodes, and in all.
std::pair<double, double> crossing(const Matrix &M, const std::vector<uint32_t> &Nodes) {
  double Across = 0;
  double All = 0;
  for (size_t I = 0; I < M.Size; ++I)
    for (size_t J = I + 1; J < M.Size; ++J) {
      All += double(M.at(I, J));
      if (Nodes[I] != None && Nodes[J] != None && Nodes[I] != Nodes[J])
        Across += double(M.at(I, J));
    }
  return {Across, All};
}

/// The places that rows with one node number have, as a map file's entries: row i of the new
/// grouping goes where a row of that node was.
std::vector<uint32_t> cpusFor(const Profile &P, const Sharing &S,
                              const std::vector<uint32_t> &Before,
                              const std::vector<uint32_t> &After) {
  std::vector<bool> Taken(Before.size());
  std::vector<uint32_t> Cpus;
  for (const uint32_t Node : After)
    for (size_t J = 0; J < Before.size(); ++J)
      if (!Taken[J] && Before[J] == Node) {
        Taken[J] = true;
        Cpus.push_back(S.Rows[J] == None ? None : P.Threads[S.Rows[J]].Cpu);
        break;
      }
  return Cpus;
}

std::string grouping(const Layout &L, const std::vector<uint32_t> &Nodes) {
  std::string Text;
  for (uint32_t Node = 0; Node < L.Nodes; ++Node) {
    std::string Members;
    for (size_t Row = 0; Row < Nodes.size(); ++Row)
      if (Nodes[Row] == Node)
        Members += (Members.empty() ? "" : " ") + std::to_string(Row);
    if (!Members.empty())
      Text += (Text.empty() ? "" : ", ") + nodeName(L, Node) + ": threads " + Members;
  }
  return Text;
}

void adviseCluster(Problem &Out, const Profile &P, const Sharing &S, const Layout &L,
                   const std::vector<uint32_t> &Before, const std::vector<uint32_t> &After) {
  Out.Remedy.push_back("# put threads that share on one node: " + grouping(L, After));
  std::vector<uint32_t> Cpus = cpusFor(P, S, Before, After);
  std::vector<uint32_t> Distinct = Cpus;
  std::sort(Distinct.begin(), Distinct.end());
  const bool Usable = !L.Imagined && Cpus.size() == After.size() &&
                      std::adjacent_find(Distinct.begin(), Distinct.end()) == Distinct.end() &&
                      (Distinct.empty() || Distinct.back() != None);
  const std::string Program = baseName(P.Program);
  if (!Usable) {
    Out.Remedy.push_back("mai-map --writers -o map.cfg " + Program + ".maiprof");
  } else {
    std::string List;
    for (const uint32_t Cpu : Cpus)
      List += (List.empty() ? "" : " ") + std::to_string(Cpu);
    Out.Remedy.push_back("printf '" + List + "\\n' > map.cfg");
  }
  Out.Remedy.push_back("MAI_MAP_FILE=map.cfg LD_PRELOAD=libmai.so ./" + Program);
}

/// As a shell takes it for one word, whatever a profile says.
std::string quoted(const std::string &Text) {
  const auto IsPlain = [](unsigned char C) {
    return std::isalnum(C) || std::strchr("_./+-", C) != nullptr;
  };
  if (std::all_of(Text.begin(), Text.end(), IsPlain))
    return Text;
  std::string Out = "'";
  for (const char C : Text)
    Out += C == '\'' ? std::string("'\\''") : std::string(1, C);
  return Out + "'";
}

/// The line that gives an array its best placement.
std::string placementLine(const Profile &P, const ArrayUse &A, const advice::Advice &Its) {
  const std::string &Name = P.Arrays[A.Arrays[0]].Name;
  const std::string Entry = quoted(Name + ": " + Its.Policy);
  const std::string Program = baseName(P.Program);
  if (Its.OfRows)
    return "mapp-rewrite --profile " + quoted(Program + ".maiprof") +
           " -o rewritten.c source.c   # places its rows";
  if (A.What == Array::Kind::Static)
    return "mai-run -p " + Entry + " " + quoted("./" + Program);
  if (A.What == Array::Kind::Mai && !Name.empty())
    return "MAI_POLICY=" + Entry + " " + quoted("./" + Program);
  return "mai_alloc(count, size, \"" + Its.Policy + "\", NULL)   # where it is allocated";
}

void advisePlacement(Problem &Out, const Profile &P, const ArrayUse &A, const advice::Advice &Its) {
  if (Its.IsWell)
    return;
  Out.Remedy.push_back("# place " + A.Name + " by " + Its.Policy + ": remote " +
                       percentText(Its.Now.Remote) + " -> " + percentText(Its.Then.Remote) +
                       ", busiest node " + percentText(Its.Now.Busiest) + " -> " +
                       percentText(Its.Then.Busiest) + "; " + Its.Reason);
  Out.Remedy.push_back(placementLine(P, A, Its));
}

std::vector<const ArrayUse *> worstArrays(const Usage &U, size_t Count) {
  std::vector<const ArrayUse *> List;
  for (const ArrayUse &A : U.Arrays)
    if (A.IsArray && A.Where.Remote > 0)
      List.push_back(&A);
  std::stable_sort(List.begin(), List.end(), [](const ArrayUse *A, const ArrayUse *B) {
    return A->Where.Remote > B->Where.Remote;
  });
  List.resize(std::min(List.size(), Count));
  return List;
}

/// TL, TN and AL: local accesses, accesses to other nodes, average latency.
std::string latencies(const std::string &Name, const Split &S) {
  return Name + ": TL " + countText(S.Local) + ", TN " + countText(S.Remote) + ", AL " +
         decimal(S.averageLatency());
}

/// The threads by node that share most with each other, as many on each node as now.
/// @return the node of each row of the matrix
std::vector<uint32_t> cluster(const Matrix &M, std::vector<uint32_t> Nodes) {
  /* Exchanges of two threads, as long as one pays (Kernighan and Lin's step); what is exchanged
     keeps the number of threads on each node. */
  const auto Gain = [&](size_t A, size_t B) {
    double Sum = 0;
    for (size_t I = 0; I < M.Size; ++I) {
      if (I == A || I == B)
        continue;
      const double Difference = double(M.at(I, A)) - double(M.at(I, B));
      Sum += Nodes[I] == Nodes[B] ? Difference : Nodes[I] == Nodes[A] ? -Difference : 0;
    }
    return Sum;
  };
  const size_t RoundsMax = M.Size * M.Size;
  for (size_t Round = 0; Round < RoundsMax; ++Round) {
    double Best = 0;
    std::pair<size_t, size_t> Pair;
    for (size_t A = 0; A < M.Size; ++A)
      for (size_t B = A + 1; B < M.Size; ++B)
        if (Nodes[A] != None && Nodes[B] != None && Nodes[A] != Nodes[B] && Gain(A, B) > Best) {
          Best = Gain(A, B);
          Pair = {A, B};
        }
    if (Best <= 0)
      break;
    std::swap(Nodes[Pair.first], Nodes[Pair.second]);
  }
  return Nodes;
}

/*===-- Data sharing --------------------------------------------------------===*/

Problem dataSharing(const Profile &P, const Usage &U) {
  Problem Out{"data sharing", false, "", {}, {}};
  SharingOptions Options;
  Options.Writers = true;
  const Sharing S = sharing(P, Options);
  const std::vector<uint32_t> Nodes = nodesOfRows(S, U.Where);
  const auto [Across, All] = crossing(S.Smaller, Nodes);
  const std::vector<uint32_t> Better = cluster(S.Smaller, Nodes);
  const double Left = crossing(S.Smaller, Better).first;
  const double Total = double(std::max<uint64_t>(1, U.Total.Accesses.sum()));

  Out.Evidence.push_back(percentText(double(U.Total.Shared) / Total) +
                         " of all accesses go to lines that several threads use");
  Out.Evidence.push_back("accesses to lines that one thread writes and one on another node uses: " +
                         countText(uint64_t(Across)) + " of " + countText(uint64_t(Total)) + " (" +
                         percentText(Across / Total) + ")");
  for (size_t I = 0; I < P.Threads.size(); ++I)
    Out.Evidence.push_back("thread " + latencies(P.Threads[I].name(), U.Threads[I].Where) +
                           ", shared " + countText(U.Threads[I].Shared));
  for (const ArrayUse *A : worstArrays(U, 5))
    Out.Evidence.push_back("array " + latencies(A->Name, A->Where) + ", shared " +
                           countText(A->Shared));

  const bool Much = Across >= SharingMin * Total;
  Out.Found = Much && Left <= SharingGain * Across;
  if (Out.Found) {
    Out.Verdict = "threads that share data are on different nodes; grouped by what they share, " +
                  percentText(1 - Left / Across) + " of it would stay on a node";
    adviseCluster(Out, P, S, U.Where, Nodes, Better);
  } else if (Much) {
    Out.Verdict = "threads of different nodes write to the same lines, and no other grouping of "
                  "threads avoids it";
  } else {
    Out.Verdict = All > 0 ? "what threads share and write, they share on their own node"
                          : "no thread writes what another uses";
  }
  return Out;
}

/*===-- Contention ----------------------------------------------------------===*/

Problem contention(const Profile &P, const Usage &U, const std::vector<advice::Advice> &Advice) {
  Problem Out{"contention", false, "", {}, {}};
  const Layout &L = U.Where;
  uint64_t Sum = 0;
  for (const uint64_t S : U.ServedBy)
    Sum += S;
  std::vector<uint64_t> FromElsewhere(L.Nodes);
  for (const ArrayUse &A : U.Arrays)
    for (const PageUse &Page : A.Pages)
      for (const auto &[Thread, Count] : Page.Users)
        if (Page.Node != None && L.OfThread[Thread] != None && L.OfThread[Thread] != Page.Node)
          FromElsewhere[Page.Node] += Count.sum();
  Out.Evidence.push_back("by model: accesses that the memory of each node serves; where the "
                         "hardware tells no latency, those from other nodes stand for slow ones");
  uint32_t Worst = 0;
  for (uint32_t Node = 0; Node < L.Nodes; ++Node) {
    const uint64_t Served = U.ServedBy[Node];
    Out.Evidence.push_back(nodeName(L, Node) + ": " + countText(Served) + " accesses (" +
                           percentText(Sum ? double(Served) / double(Sum) : 0) + "), from other " +
                           "nodes " +
                           percentText(Served ? double(FromElsewhere[Node]) / double(Served) : 0));
    if (Served > U.ServedBy[Worst])
      Worst = Node;
  }
  const double Share = Sum ? double(U.ServedBy[Worst]) / double(Sum) : 0;
  const double Elsewhere =
      U.ServedBy[Worst] ? double(FromElsewhere[Worst]) / double(U.ServedBy[Worst]) : 0;
  Out.Found = L.Nodes > 1 && Share * L.Nodes >= ContentionFactor && Elsewhere >= ContentionRemote;
  if (!Out.Found) {
    Out.Verdict =
        L.Nodes > 1 ? "no node serves far more accesses than its part" : "there is one node only";
    return Out;
  }
  Out.Verdict = nodeName(L, Worst) + " serves " + percentText(Share) + " of all accesses, " +
                percentText(Elsewhere) + " of them from other nodes";
  for (const ArrayUse *A : worstArrays(U, 5)) {
    if (A->ServedBy[Worst] * 20 < U.ServedBy[Worst])
      continue;
    Out.Evidence.push_back("array " + A->Name + ": " + countText(A->ServedBy[Worst]) +
                           " of them, remote " + percentText(A->Where.remoteShare()));
    advisePlacement(Out, P, *A, Advice[size_t(A - U.Arrays.data())]);
  }
  return Out;
}

/*===-- Imbalance -----------------------------------------------------------===*/

Problem imbalance(const Profile &P, const Usage &U, const std::vector<advice::Advice> &Advice) {
  Problem Out{"imbalance of remote accesses", false, "", {}, {}};
  const size_t Count = P.Threads.size();
  double Mean = 0;
  size_t Critical = 0;
  for (size_t I = 0; I < Count; ++I) {
    Mean += double(U.Threads[I].Where.Remote) / double(Count);
    if (U.Threads[I].Where.Remote > U.Threads[Critical].Where.Remote)
      Critical = I;
  }
  double Variance = 0;
  for (size_t I = 0; I < Count; ++I)
    Variance += std::pow(double(U.Threads[I].Where.Remote) - Mean, 2) / double(Count);
  const double Deviation = std::sqrt(Variance);
  Out.Evidence.push_back("remote accesses of a thread: mean " + countText(uint64_t(Mean)) +
                         ", standard deviation " + countText(uint64_t(Deviation)));
  for (size_t I = 0; I < Count; ++I)
    Out.Evidence.push_back("thread " + P.Threads[I].name() + ": " +
                           countText(U.Threads[I].Where.Remote) + " remote (" +
                           percentText(U.Threads[I].Where.remoteShare()) + ")");
  Out.Found = Count > 1 && Mean > 0 && Deviation >= ImbalanceSpread * Mean &&
              U.Threads[Critical].Where.remoteShare() >= ImbalanceMin;
  if (!Out.Found) {
    Out.Verdict = Mean > 0 ? "remote accesses burden the threads alike, or hardly at all"
                           : "there are no remote accesses";
    return Out;
  }
  Out.Verdict = "thread " + P.Threads[Critical].name() +
                " is the critical one: " + countText(U.Threads[Critical].Where.Remote) +
                " remote accesses, " + decimal(double(U.Threads[Critical].Where.Remote) / Mean) +
                " times the mean";
  std::vector<const ArrayUse *> List;
  for (const ArrayUse &A : U.Arrays)
    if (A.IsArray && A.WhereByThread[Critical].Remote * 20 >= U.Threads[Critical].Where.Remote)
      List.push_back(&A);
  for (const ArrayUse *A : List) {
    Out.Evidence.push_back("array " + A->Name + ": " +
                           countText(A->WhereByThread[Critical].Remote) + " of them");
    advisePlacement(Out, P, *A, Advice[size_t(A - U.Arrays.data())]);
  }
  return Out;
}

} // namespace

Judgement maiprof::judge(const Profile &P, const Usage &U) {
  const advice::ProfileAdvisor Advisor(P, U.Where);
  Judgement Result;
  for (const ArrayUse &A : U.Arrays)
    Result.OfArrays.push_back(Advisor.of(A));
  Result.Problems = {dataSharing(P, U), contention(P, U, Result.OfArrays),
                     imbalance(P, U, Result.OfArrays)};
  return Result;
}
