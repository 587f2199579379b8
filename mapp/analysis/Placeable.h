//===-- Placeable.h - what accesses may go to -------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The arrays of all files, by the variables that accesses name, and their shapes.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_PLACEABLE_H
#define MAPP_PLACEABLE_H

#include "mapp/facts/Facts.h"

#include "llvm/ADT/StringMap.h"

namespace mapp {

/// What counts of an array's declaration.
struct Shape {
  uint64_t Bytes = 0;
  uint64_t UnitBytes = 1;
  std::vector<uint64_t> Strides; ///< bytes from one index to the next, slowest dimension first
  bool IsRow = false;            ///< a block of its own for each row of a table of pointers
  bool IsGuessed = false;        ///< only the run knows its size

  /// Of all of it, of a row, and so on down to an element; 0 is not known.
  std::vector<uint64_t> sizes() const {
    std::vector<uint64_t> Result = {IsGuessed ? 0 : Bytes};
    Result.insert(Result.end(), Strides.begin(), Strides.end());
    return Result;
  }
  bool operator==(const Shape &) const = default;
};

/// What can be placed, by the variable that an access names: an array, or the members of a struct.
class Placeable {
public:
  struct Part {
    size_t Number;   ///< of the array among all
    uint64_t Within; ///< bytes from the variable's start
    Shape Declared;
    bool IsBlock; ///< of the heap
  };

  explicit Placeable(const std::vector<Facts> &Units);

  /// Each part that an access at this offset of the variable may go to.
  llvm::SmallVector<const Part *, 1> at(const std::string &Variable, const Polynomial &Offset,
                                        int64_t Passed) const;

  /// Keys of the arrays, by their numbers.
  const std::vector<std::string> &keys() const { return Keys; }

private:
  void add(const ArrayDeclaration &Array);

  llvm::StringMap<std::vector<Part>> Parts;
  llvm::StringMap<size_t> NumberOf;
  std::vector<std::string> Keys;
};

} // namespace mapp

#endif // MAPP_PLACEABLE_H
