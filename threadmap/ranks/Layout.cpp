//===-- Layout.cpp - where the threads of all ranks are ---------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Layout.h"

#include "Divide.h"
#include "threadmap/machine/Near.h"
#include "threadmap/search/Algorithm.h"
#include "threadmap/search/Cost.h"

#include <algorithm>
#include <map>
#include <set>

using namespace threadmap;

namespace {

/// What a unit of volume costs between hosts, beside the greatest distance within one.
constexpr double HostsBesideMachine = 10;

uint32_t threadsOf(const Job &Of, const std::vector<uint32_t> &Ranks) {
  uint32_t Sum = 0;
  for (const uint32_t Rank : Ranks)
    Sum += Of.threadsOf(Rank);
  return Sum;
}

/// The first thread of each rank, where all are numbered.
std::vector<uint32_t> firstThreads(const Job &Of, const std::vector<uint32_t> &Ranks) {
  std::vector<uint32_t> Result;
  uint32_t Next = 0;
  for (const uint32_t Rank : Ranks) {
    Result.push_back(Next);
    Next += Of.threadsOf(Rank);
  }
  return Result;
}

/// Adds what the threads of some ranks share and send to a matrix that begins with them.
void add(const Job &Of, const std::vector<uint32_t> &Ranks, Matrix &To) {
  const std::vector<uint32_t> First = firstThreads(Of, Ranks);
  const auto Add = [&](uint32_t A, uint32_t B, double Volume) { To.set(A, B, To(A, B) + Volume); };
  for (size_t I = 0; I < Ranks.size(); ++I) {
    Of.Shared[Ranks[I]].forEachPair(
        [&](uint32_t A, uint32_t B, double Volume) { Add(First[I] + A, First[I] + B, Volume); });
    for (size_t J = 0; J < I; ++J) {
      const double Sent = Of.Sent(Ranks[I], Ranks[J]);
      const uint32_t M = Of.threadsOf(Ranks[I]), N = Of.threadsOf(Ranks[J]);
      for (uint32_t Pair = 0; Sent > 0 && Pair < M * N; ++Pair)
        Add(First[I] + Pair / N, First[J] + Pair % N, Sent / M / N);
    }
  }
}

Matrix volumesOf(const Job &Of, const std::vector<uint32_t> &Ranks) {
  Matrix Result(threadsOf(Of, Ranks));
  add(Of, Ranks, Result);
  return Result;
}

Map cheapestMap(const Matrix &Volumes, const Locations &At, uint64_t Seed) {
  if (!isHomogeneous(Volumes))
    return mapOf(Volumes, At, Algorithm::Refine, /*Worst=*/false, Seed);
  Map Result = nearLocations(At, Volumes.threads());
  std::sort(Result.begin(), Result.end());
  return Result;
}

/// The ranks of each host that has some.
std::vector<std::vector<uint32_t>> ranksByHost(const Division &Divided) {
  std::map<uint32_t, std::vector<uint32_t>> ByHost;
  for (uint32_t Rank = 0; Rank < Divided.size(); ++Rank)
    ByHost[Divided[Rank]].push_back(Rank);
  std::vector<std::vector<uint32_t>> Result;
  for (auto &[Host, Ranks] : ByHost)
    Result.push_back(std::move(Ranks));
  return Result;
}

/// The greatest distance on a host.
double greatestDistance(const Locations &At) {
  return At.Domains ? *std::max_element(At.Between.begin(), At.Between.end()) : At.Parts[0].Weight;
}

/// Hosts whose threads are mapped by `MapOf`.
template <typename Function>
Layout laidOut(const Job &Of, const Cluster &On, const Division &Divided, Function MapOf) {
  Layout Result;
  double Greatest = 1;
  for (const std::vector<uint32_t> &Ranks : ranksByHost(Divided)) {
    HostMap Host{Ranks, On.LocationsFor(threadsOf(Of, Ranks)), {}};
    const Matrix Volumes = volumesOf(Of, Ranks);
    Host.Of = MapOf(Host, Volumes);
    Result.Cost += costOf(Volumes, Host.At, Host.Of);
    Greatest = std::max(Greatest, greatestDistance(Host.At));
    Result.Hosts.push_back(std::move(Host));
  }
  Result.Cost += HostsBesideMachine * Greatest * sentBetweenHosts(Of, Divided);
  return Result;
}

/// Each host by itself.
Layout eachCheapest(const Job &Of, const Cluster &On, const Division &Divided, uint64_t Seed) {
  return laidOut(Of, On, Divided, [&](const HostMap &Host, const Matrix &Volumes) {
    return cheapestMap(Volumes, Host.At, Seed);
  });
}

/// Whether the n-th ranks of all hosts have as many threads.
bool areAlike(const Job &Of, const std::vector<std::vector<uint32_t>> &Hosts,
              const std::vector<uint32_t> &Longest) {
  for (const std::vector<uint32_t> &Ranks : Hosts)
    for (size_t I = 0; I < Ranks.size(); ++I)
      if (Of.threadsOf(Ranks[I]) != Of.threadsOf(Longest[I]))
        return false;
  return true;
}

/// All hosts with one map, which is the cheapest of the sum of what they share: what a map costs
/// all of them is what it costs their sum.
std::optional<Layout> alikeCheapest(const Job &Of, const Cluster &On, const Division &Divided,
                                    uint64_t Seed) {
  const std::vector<std::vector<uint32_t>> Hosts = ranksByHost(Divided);
  const std::vector<uint32_t> &Longest = *std::max_element(
      Hosts.begin(), Hosts.end(), [](const auto &A, const auto &B) { return A.size() < B.size(); });
  if (!areAlike(Of, Hosts, Longest))
    return std::nullopt;
  Matrix Sum(threadsOf(Of, Longest));
  for (const std::vector<uint32_t> &Ranks : Hosts)
    add(Of, Ranks, Sum);
  const Locations At = On.LocationsFor(Sum.threads());
  const Map ForAll = cheapestMap(Sum, At, Seed);
  return laidOut(Of, On, Divided, [&](HostMap &Host, const Matrix &Volumes) {
    Host.At = At;
    return Map(ForAll.begin(), ForAll.begin() + Volumes.threads());
  });
}

/// The ranks of a host in turn on the parts that it consists of, packages or nodes, each in one
/// piece, as Slurm and Open MPI distribute them.
Map inTurn(const Job &Of, const HostMap &Host) {
  std::vector<std::pair<uint32_t, uint32_t>> Free; // from, to
  for (const uint32_t Child : Host.At.Parts[0].Children)
    Free.emplace_back(Host.At.Parts[Child].Begin, Host.At.Parts[Child].End);
  Map Result;
  size_t Next = 0;
  for (const uint32_t Rank : Host.Ranks) {
    const uint32_t Threads = Of.threadsOf(Rank);
    size_t Tried = 0;
    while (Tried < Free.size() &&
           Free[Next % Free.size()].second - Free[Next % Free.size()].first < Threads)
      ++Next, ++Tried;
    if (Tried == Free.size()) // No part has room for a whole rank: one behind the other.
      return compactMap(Host.At, threadsOf(Of, Host.Ranks));
    for (uint32_t T = 0; T < Threads; ++T)
      Result.push_back(Free[Next % Free.size()].first++);
    ++Next;
  }
  return Result;
}

/// A range of a host's locations, its ranks having equal ones, and the threads of each as far apart
/// there as they may be.
Map equalParts(const Job &Of, const HostMap &Host) {
  Map Result;
  const uint64_t Ranks = Host.Ranks.size(), Count = Host.At.count();
  for (uint64_t I = 0; I < Ranks; ++I) {
    const uint64_t Threads = Of.threadsOf(Host.Ranks[I]);
    const uint64_t Begin = I * Count / Ranks, End = (I + 1) * Count / Ranks;
    if (End - Begin < Threads) // Ranks are uneven: one behind the other.
      return compactMap(Host.At, threadsOf(Of, Host.Ranks));
    for (uint64_t T = 0; T < Threads; ++T)
      Result.push_back(static_cast<uint32_t>(Begin + T * (End - Begin) / Threads));
  }
  return Result;
}

} // namespace

std::optional<Layout> threadmap::layoutOf(const Job &Of, const Cluster &On, bool Alike,
                                          uint64_t Seed) {
  const std::set<Division> Divisions = {divide(Of, On.Hosts, Seed), blockDivision(Of, On.Hosts),
                                        cyclicDivision(Of, On.Hosts)};
  std::optional<Layout> Best;
  for (const Division &D : Divisions) {
    std::optional<Layout> Next =
        Alike ? alikeCheapest(Of, On, D, Seed) : std::optional(eachCheapest(Of, On, D, Seed));
    if (Next && (!Best || Next->Cost < Best->Cost))
      Best = std::move(Next);
  }
  return Best;
}

std::vector<std::pair<std::string, double>> threadmap::costsOfOthers(const Job &Of,
                                                                     const Cluster &On) {
  const auto Compact = [](const HostMap &Host, const Matrix &Volumes) {
    return compactMap(Host.At, Volumes.threads());
  };
  const auto InTurn = [&](const HostMap &Host, const Matrix &) { return inTurn(Of, Host); };
  const auto Equal = [&](const HostMap &Host, const Matrix &) { return equalParts(Of, Host); };
  const Division Block = blockDivision(Of, On.Hosts), Cyclic = cyclicDivision(Of, On.Hosts);
  return {{"block", laidOut(Of, On, Block, Compact).Cost},
          {"cyclic", laidOut(Of, On, Cyclic, InTurn).Cost},
          {"topology", laidOut(Of, On, Block, Equal).Cost}};
}

Division threadmap::divisionOf(const Layout &Of, uint32_t Ranks) {
  Division Result(Ranks, 0);
  for (uint32_t Host = 0; Host < Of.Hosts.size(); ++Host)
    for (const uint32_t Rank : Of.Hosts[Host].Ranks)
      Result[Rank] = Host;
  return Result;
}

std::vector<std::vector<uint32_t>> threadmap::cpusByRank(const Job &Of, const Layout &At) {
  std::vector<std::vector<uint32_t>> Result(Of.ranks());
  for (const HostMap &Host : At.Hosts) {
    size_t Thread = 0;
    for (const uint32_t Rank : Host.Ranks)
      for (uint32_t T = 0; T < Of.threadsOf(Rank); ++T)
        Result[Rank].push_back(Host.At.Cpu[Host.Of[Thread++]]);
  }
  return Result;
}
