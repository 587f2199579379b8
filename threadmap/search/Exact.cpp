//===-- Exact.cpp - the cheapest map of few threads -------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What threads in a part of the machine cost among themselves does not depend on where the others
// are.  So for each part and each set of threads, from the smallest parts up, the least cost of
// that set in that part is found: the best division of the set among the children (dynamic
// programming over subsets, as Held and Karp 1962).  Parts of one shape have one table.
//
//   cost(part, set) = weight x shared in the set
//                     + the least sum over the children of (cost(child, its) - weight x shared in
//                     its)
//
//===----------------------------------------------------------------------===//

#include "Exact.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

using namespace threadmap;

namespace {

constexpr uint32_t MostExactThreads = 16;

using Set = uint32_t; ///< a bit a thread
using Table = std::vector<double>;
constexpr double Impossible = std::numeric_limits<double>::infinity();

uint32_t sizeOf(Set S) { return static_cast<uint32_t>(std::popcount(S)); }

/// Calls Do for `Chosen` with each way to add at most `Most` of `Others`.
template <typename Function>
void forEachSubset(Set Others, Set Chosen, uint32_t Most, const Function &Do) {
  Do(Chosen);
  for (; Most && Others; Others &= Others - 1)
    forEachSubset(Others & (Others - 1), Chosen | (Others & -Others), Most - 1, Do);
}

class Exact {
public:
  Exact(const Matrix &M, const Locations &P)
      : Volumes(M), At(P), Threads(M.threads()), All((Set{1} << Threads) - 1),
        Shape(P.Parts.size()), Result(M.threads(), None) {
    countShared();
    findShapes();
  }

  Map run() {
    assign(0, All);
    return std::move(Result);
  }

private:
  /// So many threads may be in a part.
  struct Bounds {
    uint32_t Least, Most;
    auto operator<=>(const Bounds &) const = default;
  };

  /// Parts that are alike.
  struct Kind {
    double Weight;
    Bounds Holds;
    std::vector<std::pair<uint32_t, uint32_t>> Children; ///< shapes and how many of each
    Table Cost;                                          ///< by set, filled in when asked for
    /// By shape of children and number of them, up to all: the least sum by set; Sums[i] is for the
    /// children before the i-th in the order of their shapes.
    std::vector<Table> Sums;
  };

  void countShared() {
    Shared.assign(size_t{All} + 1, 0);
    for (Set S = 1; S <= All; ++S) {
      const auto First = static_cast<uint32_t>(std::countr_zero(S));
      const Set Rest = S & (S - 1);
      Shared[S] = Shared[Rest];
      for (Set Left = Rest; Left; Left &= Left - 1)
        Shared[S] += Volumes(First, static_cast<uint32_t>(std::countr_zero(Left)));
    }
  }

  Bounds boundsOf(const Locations::Part &Part) const {
    std::map<uint32_t, uint32_t> Sizes; // by unit
    for (uint32_t Location = Part.Begin; Location < Part.End; ++Location)
      ++Sizes[At.Unit[Location]];
    uint32_t Least = 0;
    for (const auto &[Unit, Count] : Sizes)
      Least += std::min(At.AtLeast[Unit], Count);
    const uint32_t Here = Part.End - Part.Begin, Elsewhere = At.count() - Here;
    return {std::max(Least, Threads - std::min(Threads, Elsewhere)), std::min(Here, Threads)};
  }

  void findShapes() {
    using Form = std::tuple<double, Bounds, std::vector<std::pair<uint32_t, uint32_t>>>;
    std::map<Form, uint32_t> Known;
    for (size_t Index = At.Parts.size(); Index-- > 0;) {
      const Locations::Part &Part = At.Parts[Index];
      std::map<uint32_t, uint32_t> Count;
      for (const uint32_t Child : Part.Children)
        ++Count[Shape[Child]];
      const Form Of{Part.Weight, boundsOf(Part), {Count.begin(), Count.end()}};
      const auto [Entry, IsNew] = Known.try_emplace(Of, static_cast<uint32_t>(Kinds.size()));
      if (IsNew)
        Kinds.push_back({Part.Weight, std::get<1>(Of), std::get<2>(Of), {}, {}});
      Shape[Index] = Entry->second;
    }
    for (uint32_t K = 0; K < Kinds.size(); ++K) // children before parents
      fill(Kinds[K]);
  }

  static bool fits(Set S, const Bounds &Of) {
    return sizeOf(S) >= Of.Least && sizeOf(S) <= Of.Most;
  }

  void fill(Kind &K) {
    K.Cost.assign(size_t{All} + 1, Impossible);
    if (!K.Children.empty())
      fillSums(K);
    for (Set S = 0; S <= All; ++S)
      if (fits(S, K.Holds))
        K.Cost[S] = K.Weight * Shared[S] + (K.Children.empty() ? 0 : K.Sums.back()[S]);
  }

  /// What a child's threads cost, less what they would cost if they were in different children.
  double gainOf(const Kind &Parent, const Kind &Child, Set S) const {
    return Child.Cost[S] - Parent.Weight * Shared[S];
  }

  void fillSums(Kind &K) {
    K.Sums.emplace_back(size_t{All} + 1, Impossible);
    K.Sums.back()[0] = 0;
    Bounds Before{0, 0};
    size_t Left = 0;
    for (const auto &[Child, Count] : K.Children)
      Left += Count;
    for (const auto &[Child, Count] : K.Children)
      for (uint32_t I = 0; I < Count; ++I) {
        const Bounds &Of = Kinds[Child].Holds;
        Before = {Before.Least + Of.Least, std::min(Before.Most + Of.Most, K.Holds.Most)};
        const bool IsLast = --Left == 0;
        K.Sums.push_back(
            withChild(K, Kinds[Child], K.Sums.back(), IsLast ? K.Holds : Before, /*IsLike=*/I > 0));
      }
  }

  /// One more child. Among alike ones the last may be the one that has the first thread.
  Table withChild(const Kind &K, const Kind &Child, const Table &Before, const Bounds &Needed,
                  bool IsLike) const {
    Table After(size_t{All} + 1, Impossible);
    const bool OnlyOneKind = IsLike && K.Children.size() == 1;
    for (Set S = 0; S <= All; ++S) {
      if (!fits(S, Needed))
        continue;
      double Least = Impossible;
      const auto Try = [&](Set Its) {
        Least = std::min(Least, Before[S & ~Its] + gainOf(K, Child, Its));
      };
      forEachChoice(S, Child, OnlyOneKind, Try);
      After[S] = Least;
    }
    return After;
  }

  template <typename Function>
  static void forEachChoice(Set S, const Kind &Child, bool HasFirst, const Function &Try) {
    const Set First = HasFirst ? S & -S : 0;
    forEachSubset(S & ~First, First, Child.Holds.Most - sizeOf(First), Try);
  }

  /// Gives the threads of a set locations in a part, as the tables say.
  void assign(uint32_t Index, Set S) {
    const Locations::Part &Part = At.Parts[Index];
    if (Part.Children.empty()) {
      assignInLeaf(Part, S);
      return;
    }
    const Kind &K = Kinds[Shape[Index]];
    std::vector<uint32_t> Order = Part.Children;
    std::stable_sort(Order.begin(), Order.end(),
                     [&](uint32_t A, uint32_t B) { return Shape[A] < Shape[B]; });
    for (size_t I = Order.size(); I-- > 0;) {
      const Kind &Child = Kinds[Shape[Order[I]]];
      const bool OnlyOneKind = I > 0 && K.Children.size() == 1;
      double Least = Impossible;
      Set Best = 0;
      forEachChoice(S, Child, OnlyOneKind, [&](Set Its) {
        const double Sum = K.Sums[I][S & ~Its] + gainOf(K, Child, Its);
        if (Sum < Least) {
          Least = Sum;
          Best = Its;
        }
      });
      assign(Order[I], Best);
      S &= ~Best;
    }
  }

  /// First where threads must be, then anywhere.
  void assignInLeaf(const Locations::Part &Part, Set S) {
    std::vector<uint32_t> Missing = At.AtLeast, Free;
    const auto Put = [&](uint32_t Location) {
      Result[static_cast<size_t>(std::countr_zero(S))] = Location;
      S &= S - 1;
    };
    for (uint32_t Location = Part.Begin; Location < Part.End; ++Location) {
      uint32_t &Left = Missing[At.Unit[Location]];
      if (Left && S)
        Put(Location);
      else
        Free.push_back(Location);
      Left -= Left > 0;
    }
    const uint32_t Left = sizeOf(S);
    for (uint32_t I = 0; I < Left; ++I)
      Put(Free[I]);
  }

  const Matrix &Volumes;
  const Locations &At;
  uint32_t Threads;
  Set All;
  Table Shared;                ///< by set: what its threads share among one another
  std::vector<uint32_t> Shape; ///< by part: an index into `Kinds`
  std::vector<Kind> Kinds;
  Map Result;
};

/// Whether no core or CPU that needs threads has locations in several of the smallest parts.
bool areUnitsWhole(const Locations &At) {
  std::vector<uint32_t> Owner(At.AtLeast.size(), None);
  for (uint32_t Location = 0; Location < At.count(); ++Location) {
    uint32_t &Known = Owner[At.Unit[Location]];
    if (Known != None && Known != At.Owner[Location] && At.AtLeast[At.Unit[Location]])
      return false;
    Known = At.Owner[Location];
  }
  return true;
}

} // namespace

bool threadmap::hasExactMap(const Matrix &Volumes, const Locations &At) {
  return Volumes.threads() <= MostExactThreads && !At.Domains && areUnitsWhole(At);
}

Map threadmap::exactMap(const Matrix &Volumes, const Locations &At) {
  return Exact(Volumes, At).run();
}
