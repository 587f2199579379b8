//===-- Report.h - what MAi's report says -----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The report as JSON is described in minas(7); here is of it what the picture shows.
//
//===----------------------------------------------------------------------===//
#ifndef PICTURE_REPORT_H
#define PICTURE_REPORT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <compare>
#include <optional>
#include <string>
#include <vector>

namespace picture {

/// What most pages of a cell are, in the order in which cells are drawn.
struct State {
  enum Kind { Unknown, Untouched, OnNode } What = Unknown;
  unsigned Node = 0;
  auto operator<=>(const State &) const = default;
};

struct Cell {
  State Most;
  bool Mixed = false;   ///< its pages are not all in one state
  bool Spilled = false; ///< one of them is not where it belongs
};

struct Array {
  std::string Name;
  std::string Policy;
  bool Freed = false;
  int64_t Bytes = 0;
  int64_t Placed = 0, Spilled = 0, Untouched = 0, Failed = 0; ///< pages
  std::string NotPlaced, NotKnown;                            ///< reasons; empty: none
  int64_t PagesACell = 1;
  std::vector<Cell> Cells;
};

struct Thread {
  int64_t Number = 0;
  std::optional<int64_t> Cpu, Node;
};

struct Report {
  std::string Program;
  int64_t Process = 0;
  int64_t PageBytes = 0;
  std::vector<int64_t> Nodes;
  std::vector<Array> Arrays;
  int64_t NotListed = 0; ///< freed arrays
  std::string MappedBy;
  std::vector<Thread> Threads;
};

llvm::Expected<Report> readReport(llvm::StringRef Json);

} // namespace picture

#endif // PICTURE_REPORT_H
