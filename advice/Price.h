//===-- Price.h - what a placement costs by counts --------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pure functions. The model is written down in docs/policies.md.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_ADVICE_PRICE_H
#define MINAS_ADVICE_PRICE_H

#include "Access.h"
#include "Placing.h"

namespace advice {

/// What a policy costs for these accesses.
Metrics price(const Alternative &A, const Access &Of, const Shape &Array, const Machine &On);

/// Whether one price is worth to change something that has another: a quarter less, and not next to
/// nothing of all traffic.
bool isWorth(const Metrics &New, const Metrics &Old, double Traffic);

} // namespace advice

#endif // MINAS_ADVICE_PRICE_H
