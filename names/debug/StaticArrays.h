//===-- StaticArrays.h - the arrays that static variables hold --*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A symbol may stand for several arrays: the members of a structure, or those of a common block of
// Fortran. Each has uses of its own, so that each is placed by itself.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_NAMES_STATIC_ARRAYS_H
#define MINAS_NAMES_STATIC_ARRAYS_H

#include "llvm/DebugInfo/DWARF/DWARFContext.h"

#include <cstdint>
#include <string>
#include <vector>

namespace names {

/// What lies within fewer bytes is not placed by itself.
inline constexpr uint64_t LeastHeldBytes = 4096;

/// An array inside of a static variable.
struct StaticArray {
  uint64_t Start = 0; ///< as symbols count
  uint64_t Bytes = 0;
  std::string Name; ///< "model.rho", "grid%mesh%rho", "rho (in /fields/)"
};

/// The arrays of a page and more of the static variables that hold several of them, by address.
/// None of a common block in which an array of one source is no array of another.
std::vector<StaticArray> staticArrays(llvm::DWARFContext &Context);

} // namespace names

#endif // MINAS_NAMES_STATIC_ARRAYS_H
