//===-- Location.h - where debug information says that variables lie *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_NAMES_LOCATION_H
#define MINAS_NAMES_LOCATION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/DebugInfo/DWARF/DWARFDie.h"
#include "llvm/Support/DataExtractor.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace names {

/// Reads the operations of an expression one by one.
class Expression {
public:
  explicit Expression(llvm::ArrayRef<uint8_t> Bytes) : Data(Bytes, true, sizeof(uint64_t)) {}

  /// Whether all of it has been read, and was whole.
  bool isAtEnd() const { return !IsBroken && At == Data.size(); }

  /// Whether the next operation is this one, which is then passed.
  bool take(uint8_t Operation);

  uint64_t unsignedNumber();
  int64_t signedNumber();

  uint64_t address();

private:
  template <typename Reader> auto read(Reader Number);

  llvm::DataExtractor Data;
  uint64_t At = 0;
  bool IsBroken = false;
};

/// The first expression of an entry's location: the one at the begin of its function.
std::vector<uint8_t> firstLocation(llvm::DWARFDie Entry);

/// The address of a static variable, as symbols count; nothing of others.
std::optional<uint64_t> staticAddress(llvm::DWARFDie Variable);

} // namespace names

#endif // MINAS_NAMES_LOCATION_H
