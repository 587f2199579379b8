//===-- Slices.h - equal slices of an array that are divided alike *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_ADVICE_SLICES_H
#define MINAS_ADVICE_SLICES_H

#include "Alternative.h"

#include "trace/profile/ArrayCounts.h"

#include <vector>

namespace advice {

/// How many equal slices an array consists of, each of which the threads divide in order: fields of
/// one length in one block of memory, groups of an unknown by zones. 0: none are seen.
unsigned slicesOf(const maiprof::ArrayCounts &Counts);

/// Whether so many slices are the rows of a square matrix of numbers, or the planes or rows of a
/// cube: a larger run has more of them.
bool areSides(unsigned Slices, uint64_t Bytes);

/// The same for slices of any lengths, such as pieces of an arena: these, in proportion. Empty:
/// none are seen, or equal ones do as well.
/// @param Equal slicesOf() them
std::vector<unsigned> unequalSlicesOf(const maiprof::ArrayCounts &Counts, unsigned Equal);

/// Whether the last of such slices, of three or more, is a large part of the array that nobody
/// uses: how large it is in another run is for that to tell.
bool endsEmpty(const maiprof::ArrayCounts &Counts, const std::vector<unsigned> &Lengths);

/// How far in its slice a position of an array is, both as parts of these.
double inSlice(const Alternative &A, double Position);

} // namespace advice

#endif // MINAS_ADVICE_SLICES_H
