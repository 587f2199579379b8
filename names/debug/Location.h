//===-- Location.h - where debug information says that variables lie *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_NAMES_LOCATION_H
#define MINAS_NAMES_LOCATION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/DebugInfo/DWARF/DWARFDie.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace names {

/// Reads the operations of an expression one by one.
class Expression {
public:
  explicit Expression(llvm::ArrayRef<uint8_t> Bytes) : Left(Bytes) {}

  bool isAtEnd() const { return Left.empty(); }

  /// Whether the next operation is this one, which is then passed.
  bool take(uint8_t Operation);

  uint64_t unsignedNumber();
  int64_t signedNumber();

  /// 0 where there are no eight bytes.
  uint64_t address();

private:
  void pass(unsigned Length, bool IsGood);

  llvm::ArrayRef<uint8_t> Left;
};

/// The first expression of an entry's location: the one at the begin of its function.
std::vector<uint8_t> firstLocation(llvm::DWARFDie Entry);

/// The address of a static variable, as symbols count; nothing of others.
std::optional<uint64_t> staticAddress(llvm::DWARFDie Variable);

} // namespace names

#endif // MINAS_NAMES_LOCATION_H
