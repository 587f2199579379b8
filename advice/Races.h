//===-- Races.h - pages for whose first touch threads race -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_ADVICE_RACES_H
#define MINAS_ADVICE_RACES_H

#include "Access.h"

#include "trace/profile/Profile.h"

#include <set>

namespace advice {

struct Races {
  std::set<uint32_t> Pages;
  std::set<unsigned> Nodes; ///< whose threads may be the first
};

/// The pages that threads of several nodes write in the region in which one of them is touched
/// first, and most of it others than the toucher's: which node has them is chance. None where the
/// profile does not tell regions apart.
Races racesOf(const maiprof::Profile &P, const Access &Of);

} // namespace advice

#endif // MINAS_ADVICE_RACES_H
