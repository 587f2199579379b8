//===-- Matrix.h - how much threads share -----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_MATRIX_H
#define THREADMAP_MATRIX_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace threadmap {

/// The most threads of a matrix: twice as many as Linux supports CPUs.
constexpr uint32_t MaxThreads = 16384;

/// The greatest volume that a text may give a pair.
constexpr double MaxVolume = 1e18;

/// Two threads and what they share.
struct SharingPair {
  uint32_t A, B;
  double Volume;
};

/// The volume that each pair of threads shares, in any unit.  Symmetric; the diagonal is 0.
///
/// Where many threads share with few others each, only these are kept, in a list by thread.
class Matrix {
public:
  /// Threads that share nothing yet; in full.
  explicit Matrix(uint32_t Threads)
      : Size(Threads), Full(true), Volumes(static_cast<size_t>(Threads) * Threads) {}

  /// Threads of which these pairs share something.  No pair is listed twice, nor a thread with
  /// itself.
  Matrix(uint32_t Threads, const std::vector<SharingPair> &Pairs);

  uint32_t threads() const { return Size; }

  /// Whether it is kept in full; otherwise a pair takes a search.
  bool isFull() const { return Full; }

  double operator()(uint32_t A, uint32_t B) const { return Full ? row(A)[B] : find(A, B); }

  /// What a thread shares with each other, of a matrix in full.
  const double *row(uint32_t Thread) const {
    return Volumes.data() + static_cast<size_t>(Thread) * Size;
  }

  /// Calls Do(other thread, volume) for all that a thread shares with, and perhaps for others, with
  /// 0; in ascending order of the other.
  template <typename Function> void forEach(uint32_t Thread, Function Do) const {
    if (Full) {
      const double *Row = row(Thread);
      for (uint32_t Other = 0; Other < Size; ++Other)
        Do(Other, Row[Other]);
    } else {
      for (size_t I = Begin[Thread]; I < Begin[Thread + size_t{1}]; ++I)
        Do(Others[I], Volumes[I]);
    }
  }

  /// Calls Do(A, B, volume), A being less than B, for all pairs that share something.
  template <typename Function> void forEachPair(Function Do) const {
    for (uint32_t A = 0; A < Size; ++A)
      forEach(A, [&](uint32_t B, double Volume) {
        if (A < B && Volume != 0)
          Do(A, B, Volume);
      });
  }

  /// For two threads, in both orders; of a matrix in full.
  void set(uint32_t A, uint32_t B, double Volume) {
    Volumes[static_cast<size_t>(A) * Size + B] = Volume;
    Volumes[static_cast<size_t>(B) * Size + A] = Volume;
  }

  void negate() {
    for (double &Volume : Volumes)
      Volume = -Volume;
  }

private:
  double find(uint32_t A, uint32_t B) const {
    const auto First = Others.begin() + static_cast<ptrdiff_t>(Begin[A]),
               Last = Others.begin() + static_cast<ptrdiff_t>(Begin[A + size_t{1}]);
    const auto Found = std::lower_bound(First, Last, B);
    return Found != Last && *Found == B ? Volumes[static_cast<size_t>(Found - Others.begin())] : 0;
  }

  uint32_t Size;
  bool Full;
  std::vector<double> Volumes;  ///< row by row, or by entry of the lists
  std::vector<size_t> Begin;    ///< by thread: where its list begins
  std::vector<uint32_t> Others; ///< by entry of the lists
};

/// The pairs that share something.
std::vector<SharingPair> pairsOf(const Matrix &Volumes);

/// The same with every volume's sign changed: what is cheapest there is dearest here.
Matrix negated(const Matrix &Volumes);

/// The same threads in another order: thread i is Order[i].
Matrix ordered(const Matrix &Volumes, const std::vector<uint32_t> &Order);

/// Whether no map can be more than 1 % cheaper than another for want of differences: the greatest
/// volume of a pair is at most 1.01 times the least.
bool isHomogeneous(const Matrix &Volumes);

} // namespace threadmap

#endif // THREADMAP_MATRIX_H
