//===-- Spread.h - few threads on all nodes and caches ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_SPREAD_H
#define THREADMAP_SPREAD_H

#include "Machine.h"

namespace threadmap {

/// The CPUs to leave out so that every package has as many cores left as any other, or one more,
/// then every node of it, then every cache, and all together as many as there are threads: each
/// node's bandwidth and each cache serves as few threads as can be.  Of uneven parts the small ones
/// are filled.
/// @return nothing to leave out where there are no more cores than threads
std::vector<uint32_t> leftOutBySpread(const Machine &On, uint32_t Threads);

} // namespace threadmap

#endif // THREADMAP_SPREAD_H
