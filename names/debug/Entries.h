//===-- Entries.h - what entries of debug information say ------ *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_NAMES_ENTRIES_H
#define MINAS_NAMES_ENTRIES_H

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDie.h"
#include "llvm/DebugInfo/DWARF/DWARFUnit.h"

#include <cstdint>
#include <optional>
#include <string>

namespace names {

/// So deep go types within types: broken debug information may have some that contain themselves.
inline constexpr unsigned MostNesting = 40;

/// A type without typedefs and qualifiers.
llvm::DWARFDie unqualified(llvm::DWARFDie Type);

/// The type that an entry has, without typedefs and qualifiers; an invalid entry is void.
llvm::DWARFDie typeOf(llvm::DWARFDie Entry);

/// The name of an entry, "" where it has none.
llvm::StringRef nameOf(llvm::DWARFDie Entry);

/// Whether an entry is a class, a structure or a union.
bool isRecord(llvm::DWARFDie Type);

/// Where a member or a base lies in its class, if that is the same in every object.
std::optional<uint64_t> offsetOf(llvm::DWARFDie Member);

/// The elements of an array, of whatever dimensions; nothing where its size is not known.
std::optional<uint64_t> elementsOf(llvm::DWARFDie Array);

/// What a unit stands for whose debug information is in a file of its own (-gsplit-dwarf); itself
/// where that is not so, or the file is not there.
llvm::DWARFUnit &wholeOf(llvm::DWARFUnit &Unit);

/// Where a static member or variable is declared in its class or namespace; itself otherwise.
llvm::DWARFDie declarationOf(llvm::DWARFDie Entry);

/// The name of an entry with its classes and namespaces, or its module.
std::string qualifiedName(llvm::DWARFDie Entry);

/// Whether the source of an entry is Fortran.
bool isFortran(llvm::DWARFDie Entry);

/// Whether an entry is the C++ library's.
bool isOfStandardLibrary(llvm::DWARFDie Entry);

} // namespace names

#endif // MINAS_NAMES_ENTRIES_H
