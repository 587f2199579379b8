//===-- RangeText.h - which units of an array, in its own words -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A policy may be about the units that a loop runs over. The source gets them as numbers, or in
// terms of the array's size where they go with that. For blocks see BlockText.h.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_RANGETEXT_H
#define MAPP_RANGETEXT_H

#include "Candidate.h"

namespace mapp {

/// What means the array where its entry stands.
const std::string &written(const ArrayDeclaration &Array);

/// The units that a policy for a static array is about, as the source gets them; nothing: all.
std::optional<RangeText> rangeText(const ArrayDeclaration &Array, const Candidate &C, Mode M);

} // namespace mapp

#endif // MAPP_RANGETEXT_H
