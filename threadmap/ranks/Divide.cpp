//===-- Divide.cpp - which host each rank is on -----------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Several divisions are improved by moves and swaps of ranks between hosts, as long as one helps
// (Kernighan and Lin 1970), and the best is kept. Where all ranks have as many threads, one of the
// divisions is the map of ranks to a machine whose packages are the hosts.
//
//===----------------------------------------------------------------------===//

#include "Divide.h"

#include "threadmap/search/Algorithm.h"

#include <algorithm>
#include <numeric>
#include <optional>

using namespace threadmap;

namespace {

std::vector<uint32_t> sizesOf(const Job &Of) {
  std::vector<uint32_t> Result;
  for (const Matrix &M : Of.Shared)
    Result.push_back(M.threads());
  return Result;
}

/// The largest ranks first, each on the first host with room. Nothing where that is not enough.
std::optional<Division> packed(const std::vector<uint32_t> &Sizes, uint32_t Hosts, uint64_t Room) {
  std::vector<uint32_t> Order(Sizes.size());
  std::iota(Order.begin(), Order.end(), 0);
  std::stable_sort(Order.begin(), Order.end(),
                   [&](uint32_t A, uint32_t B) { return Sizes[A] > Sizes[B]; });
  std::vector<uint64_t> Left(Hosts, Room);
  Division Result(Sizes.size());
  for (const uint32_t Rank : Order) {
    const auto Fits = [&](uint64_t Has) { return Has >= Sizes[Rank]; };
    const auto Host = std::find_if(Left.begin(), Left.end(), Fits);
    if (Host == Left.end())
      return std::nullopt;
    *Host -= Sizes[Rank];
    Result[Rank] = static_cast<uint32_t>(Host - Left.begin());
  }
  return Result;
}

/// A division under improvement.
class Improving {
public:
  Improving(const Job &Whole, const std::vector<uint32_t> &Threads, uint32_t Hosts, uint64_t Room,
            Division Start)
      : Of(Whole), Sizes(Threads), Host(std::move(Start)), Left(Hosts, Room),
        SentTo(Sizes.size(), std::vector<double>(Hosts, 0)) {
    for (uint32_t Rank = 0; Rank < Sizes.size(); ++Rank)
      Left[Host[Rank]] -= Sizes[Rank];
    Of.Sent.forEachPair([&](uint32_t A, uint32_t B, double Volume) {
      SentTo[A][Host[B]] += Volume;
      SentTo[B][Host[A]] += Volume;
    });
  }

  Division run() {
    while (pass()) {
    }
    return std::move(Host);
  }

private:
  /// Tries each rank once. @return whether something became better
  bool pass() {
    bool Better = false;
    for (uint32_t Rank = 0; Rank < Sizes.size(); ++Rank)
      Better |= moveAway(Rank) || swapAway(Rank);
    return Better;
  }

  /// What a move of a rank saves.
  double gain(uint32_t Rank, uint32_t To) const {
    return SentTo[Rank][To] - SentTo[Rank][Host[Rank]];
  }

  bool moveAway(uint32_t Rank) {
    for (uint32_t To = 0; To < Left.size(); ++To)
      if (To != Host[Rank] && Left[To] >= Sizes[Rank] && pays(gain(Rank, To), Rank)) {
        move(Rank, To);
        return true;
      }
    return false;
  }

  bool swapAway(uint32_t A) {
    for (uint32_t B = 0; B < Sizes.size(); ++B) {
      const uint32_t HostA = Host[A], HostB = Host[B];
      if (HostA == HostB || Left[HostB] + Sizes[B] < Sizes[A] || Left[HostA] + Sizes[A] < Sizes[B])
        continue;
      if (!pays(gain(A, HostB) + gain(B, HostA) - 2 * Of.Sent(A, B), A))
        continue;
      move(A, HostB);
      move(B, HostA);
      return true;
    }
    return false;
  }

  /// More than sums in another order would differ by, so that this ends.
  bool pays(double Gain, uint32_t Rank) const {
    const std::vector<double> &All = SentTo[Rank];
    return Gain > 1e-9 * std::accumulate(All.begin(), All.end(), 0.0);
  }

  void move(uint32_t Rank, uint32_t To) {
    const uint32_t From = Host[Rank];
    Of.Sent.forEach(Rank, [&](uint32_t Other, double Volume) {
      SentTo[Other][From] -= Volume;
      SentTo[Other][To] += Volume;
    });
    Left[From] += Sizes[Rank];
    Left[To] -= Sizes[Rank]; // Of a swap, less than nothing until the other rank has left.
    Host[Rank] = To;
  }

  const Job &Of;
  const std::vector<uint32_t> &Sizes;
  Division Host;
  std::vector<uint64_t> Left;              ///< by host: for how many more threads there is room
  std::vector<std::vector<double>> SentTo; ///< by rank, by host
};

/// The map of ranks to a machine whose packages are the hosts.
std::optional<Division> bySearch(const Job &Of, uint32_t Hosts, uint64_t RanksOfHost,
                                 uint64_t Seed) {
  std::string Error;
  const std::optional<Machine> Cluster =
      describedMachine(std::to_string(Hosts) + "x" + std::to_string(RanksOfHost), Error);
  if (!Cluster || RanksOfHost == 1)
    return std::nullopt;
  const Locations At = slotsFor(*Cluster, Of.ranks());
  Division Result = mapOf(Of.Sent, At, Algorithm::Refine, /*Worst=*/false, Seed);
  for (uint32_t &Location : Result) // Of a machine that is nothing but packages all are there.
    Location = At.Cpu[Location] / static_cast<uint32_t>(RanksOfHost);
  return Result;
}

bool fits(const std::vector<uint32_t> &Sizes, const Division &Divided, uint32_t Hosts,
          uint64_t Room) {
  std::vector<uint64_t> Taken(Hosts, 0);
  for (size_t Rank = 0; Rank < Sizes.size(); ++Rank)
    Taken[Divided[Rank]] += Sizes[Rank];
  return *std::max_element(Taken.begin(), Taken.end()) <= Room;
}

/// Divisions to begin with, all with room enough; the order of the ranks first, which stays where
/// nothing is better.
std::vector<Division> starts(const Job &Of, const std::vector<uint32_t> &Sizes, uint32_t Hosts,
                             uint64_t Seed, uint64_t &Room) {
  const uint64_t Threads = std::accumulate(Sizes.begin(), Sizes.end(), uint64_t{0});
  std::optional<Division> Packed;
  for (Room = (Threads + Hosts - 1) / Hosts; !(Packed = packed(Sizes, Hosts, Room)); ++Room) {
  }
  std::vector<Division> Result = {blockDivision(Of, Hosts), cyclicDivision(Of, Hosts), *Packed};
  const auto IsTooLarge = [&](const Division &D) { return !fits(Sizes, D, Hosts, Room); };
  Result.erase(std::remove_if(Result.begin(), Result.end(), IsTooLarge), Result.end());
  const bool AreAlike = std::equal(Sizes.begin() + 1, Sizes.end(), Sizes.begin());
  if (std::optional<Division> Found;
      AreAlike && (Found = bySearch(Of, Hosts, Room / Sizes[0], Seed)))
    Result.push_back(std::move(*Found));
  return Result;
}

} // namespace

Division threadmap::blockDivision(const Job &Of, uint32_t Hosts) {
  const uint32_t OfHost = (Of.ranks() + Hosts - 1) / Hosts;
  Division Result;
  for (uint32_t Rank = 0; Rank < Of.ranks(); ++Rank)
    Result.push_back(Rank / OfHost);
  return Result;
}

Division threadmap::cyclicDivision(const Job &Of, uint32_t Hosts) {
  Division Result;
  for (uint32_t Rank = 0; Rank < Of.ranks(); ++Rank)
    Result.push_back(Rank % Hosts);
  return Result;
}

double threadmap::sentBetweenHosts(const Job &Of, const Division &Divided) {
  double Sum = 0;
  Of.Sent.forEachPair(
      [&](uint32_t A, uint32_t B, double Volume) { Sum += Divided[A] != Divided[B] ? Volume : 0; });
  return Sum;
}

Division threadmap::divide(const Job &Of, uint32_t Hosts, uint64_t Seed) {
  if (Hosts == 1)
    return Division(Of.ranks(), 0);
  const std::vector<uint32_t> Sizes = sizesOf(Of);
  uint64_t Room = 0;
  std::vector<Division> All = starts(Of, Sizes, Hosts, Seed, Room);
  for (Division &D : All)
    D = Improving(Of, Sizes, Hosts, Room, std::move(D)).run();
  return *std::min_element(All.begin(), All.end(), [&](const Division &A, const Division &B) {
    return sentBetweenHosts(Of, A) < sentBetweenHosts(Of, B);
  });
}
