//===-- Matrix.cpp - how much threads share ---------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Matrix.h"

#include <algorithm>

using namespace threadmap;

Matrix threadmap::negated(const Matrix &Volumes) {
  Matrix Result(Volumes.threads());
  for (uint32_t A = 0; A < Volumes.threads(); ++A)
    for (uint32_t B = 0; B < A; ++B)
      Result.set(A, B, -Volumes(A, B));
  return Result;
}

Matrix threadmap::ordered(const Matrix &Volumes, const std::vector<uint32_t> &Order) {
  Matrix Result(Volumes.threads());
  for (uint32_t A = 0; A < Volumes.threads(); ++A)
    for (uint32_t B = 0; B < A; ++B)
      Result.set(A, B, Volumes(Order[A], Order[B]));
  return Result;
}

bool threadmap::isHomogeneous(const Matrix &Volumes) {
  constexpr double Tolerance = 1.01;
  if (Volumes.threads() < 3)
    return true;
  double Least = Volumes(0, 1), Greatest = Least;
  for (uint32_t A = 1; A < Volumes.threads(); ++A) {
    const auto [Low, High] = std::minmax_element(Volumes.row(A), Volumes.row(A) + A);
    Least = std::min(Least, *Low);
    Greatest = std::max(Greatest, *High);
  }
  return Greatest <= Tolerance * Least;
}
