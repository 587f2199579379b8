//===-- CountedTraffic.h - where counted accesses go ------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pure functions. The model is written down in docs/policies.md.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_ADVICE_COUNTEDTRAFFIC_H
#define MINAS_ADVICE_COUNTEDTRAFFIC_H

#include "Access.h"
#include "Placing.h"

namespace advice {

/// What a policy costs for these accesses.
Metrics price(const Alternative &A, const Access &Of, const Shape &Array, const Machine &On);

/// Where they go under a policy; not for copies on each node.
Flows flows(const Alternative &A, const Access &Of, const Shape &Array, const Machine &On);

/// What accesses cost that go these ways.
/// @param Meeting how much more than its part the most busy memory serves, as far as that comes
///   from threads that go over memories together
Metrics price(const Flows &All, const Machine &On, double BytesEach, double Meeting);

/// The same, where threads that go over the array in order meet one memory after the other.
double meeting(const Access &Of, const Shares &Placed);

/// Whether one price is worth to change something that has another: a quarter less, and not next to
/// nothing of all traffic.
bool isWorth(const Metrics &New, const Metrics &Old, double Traffic);

} // namespace advice

#endif // MINAS_ADVICE_COUNTEDTRAFFIC_H
