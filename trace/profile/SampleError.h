//===-- SampleError.h - how far samples may be off --------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Halves of intervals in which the truth lies 19 times of 20, if samples are independent of one
// another. 0 where every access was counted.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_SAMPLE_ERROR_H
#define MINAS_TRACE_SAMPLE_ERROR_H

#include "Profile.h"

namespace maiprof {

/// Of a part of all accesses, from 0 to 1.
double shareError(const Profile &P, double Share);
/// Of a part of some accesses only.
double shareErrorOf(const Profile &P, double Accesses, double Share);

/// Of a difference between two parts of all accesses that differ in some of them only.
/// @param Changed the part in which they may differ
double differenceError(const Profile &P, double Difference, double Changed);

/// Whether so many accesses come from too few samples to tell whose parts of an array are.
bool isTooFew(const Profile &P, double Accesses);

/// What a sample counts for, in the mean.
double sampleWeight(const Profile &P);

/// Samples see few accesses of a place, and the most of few is more than their part of all. Of
/// pairs of samples that meet there that is not so.
struct Pairs {
  double All = 0, OfOne = 0; ///< by one of those who use the place: a thread, a node
  void add(const std::vector<double> &SamplesByUser);
  Pairs without(const Pairs &Some) const { return {All - Some.All, OfOne - Some.OfOne}; }
  double part() const { return All > 0 ? OfOne / All : 0; }
};

} // namespace maiprof
#endif
