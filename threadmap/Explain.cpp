//===-- Explain.cpp - what the cost of a map is made of ---------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Explain.h"

#include "threadmap/machine/Formatted.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace threadmap;

namespace {

constexpr size_t MostPairs = 10;

struct Pair {
  uint32_t A, B;
  double Volume, Distance;
  double cost() const { return Volume * Distance; }
};

std::vector<Pair> pricedPairs(const Matrix &Volumes, const Locations &At, const Map &Of) {
  std::vector<Pair> Result;
  Volumes.forEachPair([&](uint32_t A, uint32_t B, double Volume) {
    Result.push_back({A, B, Volume, At.weight(Of[A], Of[B])});
  });
  return Result;
}

double share(double Part, double Whole) { return Whole > 0 ? 100 * Part / Whole : 0; }

std::string byDistance(const std::vector<Pair> &Pairs, double Cost) {
  struct Sum {
    double Volume = 0;
    size_t Pairs = 0;
  };
  std::map<double, Sum> Sums;
  for (const Pair &P : Pairs) {
    Sums[P.Distance].Volume += P.Volume;
    ++Sums[P.Distance].Pairs;
  }
  std::string Result =
      formatted("\n%-12s  %10s  %14s  %9s\n", "distance", "pairs", "volume", "% of cost");
  for (const auto &[Distance, Of] : Sums)
    Result += formatted("%-12.8g  %10zu  %14.8g  %9.1f\n", Distance, Of.Pairs, Of.Volume,
                        share(Of.Volume * Distance, Cost));
  return Result;
}

std::string dearest(std::vector<Pair> Pairs, double Cost, const Locations &At, const Map &Of) {
  const size_t Shown = std::min(MostPairs, Pairs.size());
  std::partial_sort(Pairs.begin(), Pairs.begin() + static_cast<ptrdiff_t>(Shown), Pairs.end(),
                    [](const Pair &A, const Pair &B) {
                      return std::make_tuple(-A.cost(), A.A, A.B) <
                             std::make_tuple(-B.cost(), B.A, B.B);
                    });
  Pairs.resize(Shown);
  std::string Result = formatted("\n%-12s  %-12s  %14s  %9s  %9s\n", "threads", "on CPUs", "volume",
                                 "distance", "% of cost");
  for (const Pair &P : Pairs)
    Result +=
        formatted("%-12s  %-12s  %14.8g  %9.8g  %9.1f\n",
                  (std::to_string(P.A) + " " + std::to_string(P.B)).c_str(),
                  (std::to_string(At.Cpu[Of[P.A]]) + " " + std::to_string(At.Cpu[Of[P.B]])).c_str(),
                  P.Volume, P.Distance, share(P.cost(), Cost));
  return Result;
}

} // namespace

std::string threadmap::explained(const Matrix &Volumes, const Locations &At, const Map &Of) {
  const std::vector<Pair> Pairs = pricedPairs(Volumes, At, Of);
  double Cost = 0;
  for (const Pair &P : Pairs)
    Cost += P.cost();
  return byDistance(Pairs, Cost) + dearest(Pairs, Cost, At, Of);
}
