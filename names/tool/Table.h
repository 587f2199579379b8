//===-- Table.h - a table of regions and types while it is made -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_NAMES_TABLE_H
#define MINAS_NAMES_TABLE_H

#include "names/layout/layout.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace names {

struct Variable {
  std::string Name;
  uint32_t Type = 0;
  uint64_t Offset = 0;
  minas_names_rank Rank = MINAS_NAMES_LOCAL;
  uint64_t Bytes = 0; ///< of an array that lies in a static variable
};

struct Region {
  uint64_t Address = 0;
  std::vector<Variable> Variables;
};

/// A piece of code that stands in one place.
struct Piece {
  uint64_t Start = 0;
  uint64_t End = 0;
  uint32_t Place = 0; ///< a text
  bool IsOutlined = false;
};

/// What names/layout/layout.h describes, as lists that grow.
class Table {
public:
  Table();

  /// The offset of a text; one that is too long is cut off.
  uint32_t text(llvm::StringRef Text);

  std::vector<minas_names_type> Types;
  std::vector<minas_names_member> Members;
  std::vector<Region> Regions;
  std::vector<Variable> Statics;
  std::vector<Piece> Code;

  /// Whether debug information has told nothing.
  bool isEmpty() const { return Regions.empty() && Statics.empty() && Code.empty(); }

  /// The file; "" where there would be too much in it.
  std::string file(llvm::ArrayRef<uint8_t> BuildId);

private:
  llvm::StringMap<uint32_t> Offsets;
  std::string Texts;
};

} // namespace names

#endif // MINAS_NAMES_TABLE_H
