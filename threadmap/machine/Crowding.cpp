//===-- Crowding.cpp - what it costs that threads are together --*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Crowding.h"

using namespace threadmap;

std::vector<double> Crowding::loads(const Map &Of) const {
  std::vector<double> Result(Groups, 0);
  for (uint32_t Thread = 0; Thread < Of.size(); ++Thread)
    Result[GroupOf[Of[Thread]]] += Weight[Thread];
  return Result;
}

double Crowding::priced(double Cost, const Map &Of) const {
  const std::vector<double> Loads = loads(Of);
  double Units = 0;
  for (size_t Group = 0; Group < Groups; ++Group)
    Units += excess(Group, Loads[Group]);
  for (uint32_t Thread = 0; Thread < Of.size() && !Slowness.empty(); ++Thread)
    Units += Weight[Thread] * Slowness[Of[Thread]];
  return Cost + unitPrice(Cost) * Units;
}
