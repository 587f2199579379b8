//===-- SampleError.cpp - how far samples may be off ------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SampleError.h"

#include "Analysis.h"

#include <algorithm>
#include <cmath>

using namespace maiprof;

namespace {

constexpr double StandardErrors = 1.96; /* 95 % */

/// @param Part of all samples, those that tell of it
double errorOf(const Profile &P, double Variance, double Part = 1) {
  if (!P.Sampled)
    return 0;
  const double Samples = std::max(1.0, Part * double(P.Sampled->Effective));
  return StandardErrors * std::sqrt(std::max(0.0, Variance) / Samples);
}

double allAccesses(const Profile &P) { return double(totalCounts(P).sum() + P.OnOwnStacks.sum()); }

} // namespace

double maiprof::shareError(const Profile &P, double Share) {
  return errorOf(P, Share * (1 - Share));
}

double maiprof::shareErrorOf(const Profile &P, double Accesses, double Share) {
  const double All = allAccesses(P);
  return errorOf(P, Share * (1 - Share), All > 0 ? Accesses / All : 0);
}

/* Each access adds -1, 0 or 1 to the difference, and something else than 0 in the changed part
 * only. */
double maiprof::differenceError(const Profile &P, double Difference, double Changed) {
  return errorOf(P, Changed - Difference * Difference);
}

bool maiprof::isTooFew(const Profile &P, double Accesses) {
  constexpr double LeastOfThread = 30;
  return P.Sampled && Accesses < LeastOfThread * double(P.Threads.size()) * sampleWeight(P);
}

double maiprof::sampleWeight(const Profile &P) {
  if (!P.Sampled || P.Sampled->Samples == 0)
    return 1;
  return allAccesses(P) / double(P.Sampled->Samples);
}

void Pairs::add(const std::vector<double> &SamplesByUser) {
  double Samples = 0;
  for (const double OfIt : SamplesByUser) {
    Samples += OfIt;
    OfOne += OfIt * std::max(0.0, OfIt - 1) / 2;
  }
  All += Samples * std::max(0.0, Samples - 1) / 2;
}
