//===-- Canonical.cpp - an order that numbers do not decide -----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Canonical.h"

#include "Graph.h"

#include <bit>
#include <queue>
#include <tuple>

using namespace threadmap;

namespace {

/// Spreads what differs in few bits (Steele et al. 2014).
uint64_t mixed(uint64_t Value) {
  Value = (Value ^ (Value >> 30)) * 0xbf58476d1ce4e5b9U;
  Value = (Value ^ (Value >> 27)) * 0x94d049bb133111ebU;
  return Value ^ (Value >> 31);
}

uint64_t bitsOf(double Value) { return std::bit_cast<uint64_t>(Value); }

class Ordering {
public:
  explicit Ordering(const Matrix &Volumes)
      : Shared(Volumes, Volumes.threads()), Colour(Volumes.threads(), 0),
        Total(Volumes.threads(), 0), Attached(Volumes.threads(), 0),
        IsNumbered(Volumes.threads(), false) {
    for (int Round = 0; Round < Rounds; ++Round)
      refine();
    for (uint32_t Thread = 0; Thread < Shared.size(); ++Thread) {
      double Sum = 0;
      Shared.forEach(Thread, [&](uint32_t, double Volume) { Sum += Volume; });
      Total[Thread] = static_cast<float>(Sum); // so that the order of adding does not count
    }
  }

  std::vector<uint32_t> run() {
    std::vector<uint32_t> Order;
    for (uint32_t Thread = 0; Thread < Shared.size(); ++Thread)
      wait(Thread);
    while (Order.size() < Shared.size()) {
      const uint32_t Next = best();
      IsNumbered[Next] = true;
      Order.push_back(Next);
      Shared.forEach(Next, [&](uint32_t Other, double Volume) {
        if (Volume == 0 || IsNumbered[Other])
          return;
        Attached[Other] += Volume;
        Colour[Other] = mixed(Colour[Other] ^ mixed(bitsOf(Volume) + Order.size()));
        wait(Other);
      });
    }
    return Order;
  }

private:
  static constexpr int Rounds = 3;

  /// A thread's colour becomes what it shares with threads of which colours.
  void refine() {
    std::vector<uint64_t> Next;
    for (uint32_t Thread = 0; Thread < Shared.size(); ++Thread) {
      uint64_t Sum = mixed(Colour[Thread]);
      Shared.forEach(Thread, [&](uint32_t Other, double Volume) {
        if (Volume != 0)
          Sum += mixed(bitsOf(Volume) ^ mixed(Colour[Other] + 1));
      });
      Next.push_back(Sum);
    }
    Colour = std::move(Next);
  }

  using Rank = std::tuple<double, float, uint64_t>;

  Rank rank(uint32_t Thread) const { return {Attached[Thread], Total[Thread], Colour[Thread]}; }

  /// Queues a thread by its rank now. Where all share with all every rank changes at every step,
  /// and looking at each is quicker.
  void wait(uint32_t Thread) {
    if (!Shared.isDense())
      Waiting.emplace(rank(Thread), ~Thread); // of equals the first thread comes first
  }

  uint32_t best() {
    if (Shared.isDense())
      return bestOfAll();
    while (true) {
      const auto [Then, Inverse] = Waiting.top();
      Waiting.pop();
      if (!IsNumbered[~Inverse] && Then == rank(~Inverse))
        return ~Inverse;
    }
  }

  uint32_t bestOfAll() const {
    uint32_t Best = Shared.size();
    for (uint32_t Thread = 0; Thread < Shared.size(); ++Thread)
      if (!IsNumbered[Thread] && (Best == Shared.size() || rank(Best) < rank(Thread)))
        Best = Thread;
    return Best;
  }

  Graph Shared;
  std::vector<uint64_t> Colour;
  std::vector<float> Total;
  std::vector<double> Attached; ///< what a thread shares with those that have a number
  std::vector<bool> IsNumbered;
  std::priority_queue<std::pair<Rank, uint32_t>> Waiting; ///< and what has changed since
};

} // namespace

std::vector<uint32_t> threadmap::canonicalOrder(const Matrix &Volumes) {
  return Ordering(Volumes).run();
}
