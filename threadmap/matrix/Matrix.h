//===-- Matrix.h - how much threads share -----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_MATRIX_H
#define THREADMAP_MATRIX_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace threadmap {

/// The most threads of a matrix: as many CPUs as Linux supports.
constexpr uint32_t MaxThreads = 8192;

/// The greatest volume that a text may give a pair.
constexpr double MaxVolume = 1e18;

/// The volume that each pair of threads shares, in any unit.  Symmetric; the diagonal is 0.
class Matrix {
public:
  explicit Matrix(uint32_t Threads)
      : Size(Threads), Volumes(static_cast<size_t>(Threads) * Threads) {}

  uint32_t threads() const { return Size; }
  double operator()(uint32_t A, uint32_t B) const { return row(A)[B]; }
  const double *row(uint32_t Thread) const {
    return Volumes.data() + static_cast<size_t>(Thread) * Size;
  }

  /// For two threads, in both orders.
  void set(uint32_t A, uint32_t B, double Volume) {
    Volumes[static_cast<size_t>(A) * Size + B] = Volume;
    Volumes[static_cast<size_t>(B) * Size + A] = Volume;
  }

private:
  uint32_t Size;
  std::vector<double> Volumes;
};

/// The same with every volume's sign changed: what is cheapest there is dearest here.
Matrix negated(const Matrix &Volumes);

/// The same threads in another order: thread i is Order[i].
Matrix ordered(const Matrix &Volumes, const std::vector<uint32_t> &Order);

/// Whether no map can be more than 1 % cheaper than another for want of differences: the greatest
/// volume of a pair is at most 1.01 times the least.
bool isHomogeneous(const Matrix &Volumes);

} // namespace threadmap

#endif // THREADMAP_MATRIX_H
