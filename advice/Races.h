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

/// Those that threads of several nodes write in the region in which one of them is touched first,
/// and most of it others than the toucher's: which node has them is chance. Of a profile that tells
/// regions apart.
std::set<uint32_t> racedPages(const maiprof::Profile &P, const Access &Of);

} // namespace advice

#endif // MINAS_ADVICE_RACES_H
