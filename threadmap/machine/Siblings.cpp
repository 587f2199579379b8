//===-- Siblings.cpp - several threads on a core, where it pays -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Siblings.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>

using namespace threadmap;

/// Threads weigh 1, so a load is their number.
double Siblings::excess(size_t, double Load) const { return Price * Load * (Load - 1); }

double Siblings::unitPrice(double) const { return 1; }

std::string Siblings::sentence(const Map &Of) const {
  const std::vector<double> Loads = loads(Of);
  const auto Shared = std::count_if(Loads.begin(), Loads.end(), [](double L) { return L > 1; });
  char Text[160];
  std::snprintf(Text, sizeof Text, "cores with several threads: %lld, at a price of %.8g",
                static_cast<long long>(Shared), priced(0, Of));
  return Text;
}

std::string Siblings::table(const Map &Of) const { return sentence(Of) + "\n"; }

Siblings threadmap::siblingsFor(const Machine &On, const Locations &At, uint32_t Threads,
                                double Price) {
  std::map<uint32_t, uint32_t> CoreOfCpu;
  for (const Machine::Part &Part : On.Parts)
    if (Part.Children.empty())
      CoreOfCpu[Part.Cpu] = Part.Core;
  Siblings Result;
  Result.Price = Price;
  Result.Weight.assign(Threads, 1);
  for (const uint32_t Cpu : At.Cpu)
    Result.GroupOf.push_back(CoreOfCpu.at(Cpu));
  Result.Groups = On.Cores;
  return Result;
}

double threadmap::priceOfSibling(const Locations &At, const std::vector<double> &Accesses) {
  constexpr double Loss = 0.6;
  double Least = At.Parts[0].Weight;
  for (const Locations::Part &Part : At.Parts)
    Least = std::min(Least, Part.Weight);
  const double Whole = std::accumulate(Accesses.begin(), Accesses.end(), 0.0);
  return Loss * Least * Whole / static_cast<double>(std::max<size_t>(Accesses.size(), 1));
}
