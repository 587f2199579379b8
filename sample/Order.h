//===-- Order.h - events of several CPUs in the order of time -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_ORDER_H
#define MINAS_SAMPLE_ORDER_H

#include "Events.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace sample {

class Order {
public:
  void add(Event &&New) { Waiting.push_back(std::move(New)); }

  /// Calls Visit(event) for those up to a time, when no earlier ones can come any more.
  template <typename Visitor> void pass(uint64_t Until, Visitor &&Visit) {
    Waiting.swap(Passing);
    Waiting.clear();
    /* Events are large, so they stay where they are. */
    std::vector<std::pair<uint64_t, size_t>> Sorted;
    Sorted.reserve(Passing.size());
    for (size_t I = 0; I < Passing.size(); ++I)
      Sorted.emplace_back(Passing[I].Time, I);
    std::sort(Sorted.begin(), Sorted.end());
    for (const auto &[Time, I] : Sorted)
      if (Time <= Until)
        Visit(Passing[I]);
      else
        Waiting.push_back(std::move(Passing[I]));
  }

private:
  std::vector<Event> Waiting, Passing; ///< both keep their room
};

} // namespace sample
#endif
