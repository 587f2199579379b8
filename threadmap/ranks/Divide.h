//===-- Divide.h - which host each rank is on -------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_RANKS_DIVIDE_H
#define THREADMAP_RANKS_DIVIDE_H

#include "Job.h"

namespace threadmap {

/// Ranks in their order, as many on each host as on any other: on the first host the first ones.
Division blockDivision(const Job &Of, uint32_t Hosts);

/// One rank on each host in turn.
Division cyclicDivision(const Job &Of, uint32_t Hosts);

/// What ranks of different hosts send to one another.
double sentBetweenHosts(const Job &Of, const Division &Divided);

/// The division that is found for which ranks of different hosts send least; no host gets more
/// threads than it must for all to have about as many.
Division divide(const Job &Of, uint32_t Hosts, uint64_t Seed);

} // namespace threadmap

#endif // THREADMAP_RANKS_DIVIDE_H
