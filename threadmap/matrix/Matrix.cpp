//===-- Matrix.cpp - how much threads share ---------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Matrix.h"

#include <limits>

using namespace threadmap;

namespace {

/// So many threads take 8 MB in full, and are found at once.
constexpr uint32_t AlwaysFull = 1024;

/// An entry of a list takes as much as one and a half of a row, and longer.
constexpr size_t ListFactor = 5;

bool isLeftFull(uint32_t Threads, size_t Pairs) {
  return Threads <= AlwaysFull || 2 * Pairs * ListFactor > size_t{Threads} * Threads;
}

} // namespace

Matrix::Matrix(uint32_t Threads, const std::vector<SharingPair> &Pairs)
    : Size(Threads), Full(isLeftFull(Threads, Pairs.size())) {
  if (Full) {
    Volumes.assign(size_t{Threads} * Threads, 0);
    for (const SharingPair &P : Pairs)
      set(P.A, P.B, P.Volume);
    return;
  }
  std::vector<SharingPair> Entries; // both orders, by the first thread
  Entries.reserve(2 * Pairs.size());
  for (const SharingPair &P : Pairs) {
    Entries.push_back(P);
    Entries.push_back({P.B, P.A, P.Volume});
  }
  std::sort(Entries.begin(), Entries.end(), [](const SharingPair &X, const SharingPair &Y) {
    return X.A < Y.A || (X.A == Y.A && X.B < Y.B);
  });
  Begin.assign(Threads + size_t{1}, 0);
  for (const SharingPair &E : Entries) {
    ++Begin[E.A + size_t{1}];
    Others.push_back(E.B);
    Volumes.push_back(E.Volume);
  }
  for (uint32_t Thread = 0; Thread < Threads; ++Thread)
    Begin[Thread + size_t{1}] += Begin[Thread];
}

std::vector<SharingPair> threadmap::pairsOf(const Matrix &Volumes) {
  std::vector<SharingPair> Result;
  Volumes.forEachPair(
      [&](uint32_t A, uint32_t B, double Volume) { Result.push_back({A, B, Volume}); });
  return Result;
}

Matrix threadmap::negated(const Matrix &Volumes) {
  Matrix Result = Volumes;
  Result.negate();
  return Result;
}

Matrix threadmap::ordered(const Matrix &Volumes, const std::vector<uint32_t> &Order) {
  if (Volumes.isFull()) {
    Matrix Result(Volumes.threads());
    for (uint32_t A = 0; A < Volumes.threads(); ++A)
      for (uint32_t B = 0; B < A; ++B)
        Result.set(A, B, Volumes(Order[A], Order[B]));
    return Result;
  }
  std::vector<uint32_t> Rank(Order.size());
  for (uint32_t I = 0; I < Order.size(); ++I)
    Rank[Order[I]] = I;
  std::vector<SharingPair> Pairs = pairsOf(Volumes);
  for (SharingPair &P : Pairs)
    P = {Rank[P.A], Rank[P.B], P.Volume};
  return {Volumes.threads(), Pairs};
}

bool threadmap::isHomogeneous(const Matrix &Volumes) {
  constexpr double Tolerance = 1.01;
  if (Volumes.threads() < 3)
    return true;
  double Least = std::numeric_limits<double>::infinity(), Greatest = 0;
  size_t Pairs = 0;
  Volumes.forEachPair([&](uint32_t, uint32_t, double Volume) {
    Least = std::min(Least, Volume);
    Greatest = std::max(Greatest, Volume);
    ++Pairs;
  });
  const bool SomeShareNothing = Pairs < size_t{Volumes.threads()} * (Volumes.threads() - 1) / 2;
  return Greatest <= (SomeShareNothing ? 0 : Tolerance * Least);
}
