//===-- Siblings.h - several threads on a core, where it pays ---*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Threads on the CPUs of one core share its caches, and its units: each is slower than alone. Where
// they share much it pays all the same.
//
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_SIBLINGS_H
#define THREADMAP_SIBLINGS_H

#include "Crowding.h"

namespace threadmap {

struct Siblings : Crowding {
  double Price = 0; ///< what a thread pays for each other one on its core

  double excess(size_t Group, double Load) const override;
  double unitPrice(double Cost) const override;
  std::string sentence(const Map &Of) const override;
  std::string table(const Map &Of) const override;
};

/// @param On the machine that has the locations
Siblings siblingsFor(const Machine &On, const Locations &At, uint32_t Threads, double Price);

/// What a thread pays where the user does not say: on a core with two threads each takes 1.6 times
/// as long, so as much as 0.6 of what it accesses at the least distance.
double priceOfSibling(const Locations &At, const std::vector<double> &Accesses);

} // namespace threadmap

#endif // THREADMAP_SIBLINGS_H
