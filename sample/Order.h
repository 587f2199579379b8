//===-- Order.h - events of several CPUs in the order of time -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_ORDER_H
#define MINAS_SAMPLE_ORDER_H

#include "Events.h"

#include <algorithm>

namespace sample {

class Order {
public:
  void add(Event New) { Waiting.push_back(std::move(New)); }

  /// Calls Visit(event) for those up to a time, when no earlier ones can come any more.
  template <typename Visitor> void pass(uint64_t Until, Visitor &&Visit) {
    std::stable_sort(Waiting.begin(), Waiting.end(),
                     [](const Event &A, const Event &B) { return A.Time < B.Time; });
    auto At = Waiting.begin();
    for (; At != Waiting.end() && At->Time <= Until; ++At)
      Visit(*At);
    Waiting.erase(Waiting.begin(), At);
  }

private:
  std::vector<Event> Waiting;
};

} // namespace sample
#endif
