//===-- Analysis.h - what a profile says ------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Sharing of lines between threads after Cruz et al. (2011). Nothing here measures time: the
// latency of an access is modelled by the distance between the nodes of the thread and of the page,
// local being 1.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_ANALYSIS_H
#define MINAS_TRACE_ANALYSIS_H

#include "Profile.h"

namespace maiprof {

/// A square matrix.
struct Matrix {
  size_t Size = 0;
  std::vector<uint64_t> Cells;
  explicit Matrix(size_t N = 0) : Size(N), Cells(N * N) {}
  uint64_t &at(size_t Row, size_t Column) { return Cells[Row * Size + Column]; }
  uint64_t at(size_t Row, size_t Column) const { return Cells[Row * Size + Column]; }
};

struct SharingOptions {
  bool Writers = false;      ///< only lines that one of the pair writes
  bool AllThreads = false;   ///< also those that are not OpenMP's
  uint32_t Phase = None;     ///< only this one
  uint32_t Slice = None;     ///< only this one, of time
  uint32_t OnlyArray = None; ///< only this one of the arrays of a Usage
};

/// Who shares how much. Row i is OpenMP thread i; those of the program's own threads come after.
struct Sharing {
  std::vector<uint32_t> Rows; ///< index in Profile::Threads, or None: nothing was counted
  Matrix
      Memory; ///< bytes of lines that both use, of samples of pages; diagonal: that only one uses
  Matrix Accesses; ///< accesses of both to them
  Matrix Smaller;  ///< the same, but the smaller number of the two
  std::string rowName(const Profile &P, size_t Row) const;
};

/// How often lines went from the thread of a row, which had written them, to that of a column,
/// which then read or wrote them. The rows are those of sharing(); only where the profile has
/// transfers.
Matrix transfers(const Profile &P, const SharingOptions &Options);

/// A line that threads transfer, and what they use of it.
struct TransferredLine {
  uint64_t Address = 0;
  uint64_t Times = 0;
  std::vector<UsedBytes> Users; ///< by thread and phase
  /// In each parallel region in which several threads use it they use different bytes, and one
  /// writes: nobody needs what is transferred. By the first byte of each access.
  bool IsFalse = false;
};

/// All of them, by address.
std::vector<TransferredLine> transferredLines(const Profile &P);

/// Where threads and pages are. Nodes of the profile's machine, or of one that is imagined.
struct Layout {
  uint32_t Nodes = 1;
  bool Imagined = false;
  std::vector<uint32_t> OfThread;  ///< by index in Profile::Threads; None: not known
  std::vector<uint32_t> OfPage;    ///< by index in Profile::Pages
  std::vector<uint32_t> Distances; ///< Nodes squared
  std::vector<uint32_t> OsIndex;
  double latency(uint32_t From, uint32_t To) const {
    return double(Distances[From * Nodes + To]) / Distances[From * Nodes + From];
  }
};

/// Leaves out the accesses of each thread to its own stack below and above all that other threads
/// use there: they depend on the compiler rather than on the program, and wherever the thread is,
/// they are local.
void leaveOutOwnStacks(Profile &P);

/// Where the profile says that they are.
Layout layoutOf(const Profile &P);

/// Threads distributed to so many nodes in blocks, each page on the node of its first toucher.
Layout imagine(const Profile &P, uint32_t Nodes);

struct Split {
  uint64_t Local = 0, Remote = 0, Unknown = 0;
  double Latency = 0; ///< sum over Local and Remote
  uint64_t placed() const { return Local + Remote; }
  double remoteShare() const { return placed() ? double(Remote) / double(placed()) : 0; }
  double averageLatency() const { return placed() ? Latency / double(placed()) : 1; }
  void add(uint64_t Accesses, uint32_t From, uint32_t To, const Layout &L);
};

/// A page of an array, and who used it.
struct PageUse {
  uint64_t Number = 0;
  uint32_t Node = None;
  uint32_t FirstToucher = None;
  std::vector<std::pair<uint32_t, Counts>> Users; ///< by thread
};

/// Everything that bears one name: an array, or all blocks from one place.
struct ArrayUse {
  std::string Name;
  Array::Kind What = Array::Kind::Static;
  bool IsArray = true;          ///< not a stack, or what is left
  std::vector<uint32_t> Arrays; ///< its blocks: indices in Profile::Arrays
  uint64_t Bytes = 0;           ///< of all its blocks
  uint64_t Blocks = 0;
  uint64_t AtATime = 1; ///< the most of its blocks that one place had allocated and not yet freed
  Counts Accesses;
  uint64_t Shared = 0;         ///< accesses to lines that several threads use
  uint64_t Transfers = 0;      ///< of its lines from thread to thread, where the profile has them
  uint64_t FalseTransfers = 0; ///< of those that threads use different bytes of
  Split Where;
  std::vector<Counts> ByThread;
  std::vector<Split> WhereByThread;
  std::vector<uint64_t> ServedBy; ///< accesses by the node of the page
  std::vector<PageUse> Pages;
  std::vector<uint64_t> ExclusivePages, SharedPages; ///< by node of the page (Majo and Gross)
  uint64_t ToSharedPages = 0;                        ///< accesses to those that several nodes use
  std::vector<uint64_t> FirstTouched;                ///< pages by thread
};

/// Whether there have been several of a block, one after the other.
bool comesAndGoes(const Profile &P, const ArrayUse &A);

struct ThreadUse {
  Counts Accesses;
  uint64_t Shared = 0;
  Split Where;
};

struct Usage {
  Layout Where;
  std::vector<ThreadUse> Threads;
  std::vector<ArrayUse> Arrays; ///< most accesses first
  ThreadUse Total;
  std::vector<uint64_t> ServedBy;
};

Sharing sharing(const Profile &P, const SharingOptions &Options);
Usage usage(const Profile &P, Layout Where);

/// Accesses of all threads, estimated where only some were counted.
Counts totalCounts(const Profile &P);

} // namespace maiprof
#endif
