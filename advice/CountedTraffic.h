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
#include "Price.h"

namespace advice {

/// How much of the array each memory holds under a policy.
Shares placed(const Alternative &A, const Access &Of, const Shape &Array, const Machine &On);

/// What a policy costs for these accesses.
Metrics price(const Alternative &A, const Access &Of, const Shape &Array, const Machine &On);

/// Where they go under a policy; not for copies on each node.
Flows flows(const Alternative &A, const Access &Of, const Shape &Array, const Machine &On);

/// What accesses cost that go these ways.
/// @param Meeting as Traffic has it
Metrics price(const Flows &All, const Machine &On, double BytesEach, double Meeting);

/// How far threads meet in what they use in common, where the memories hold so much of the array in
/// pieces: as Traffic has it.
double meeting(const Access &Of, const Shares &Placed, const Machine &On);

} // namespace advice

#endif // MINAS_ADVICE_COUNTEDTRAFFIC_H
