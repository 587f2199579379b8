//===-- Code.h - the lines that code stands in -----------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_NAMES_CODE_H
#define MINAS_NAMES_CODE_H

#include "Table.h"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"

namespace names {

/// Puts the places of a program's code into a table.
void readCode(llvm::DWARFContext &Context, Table &Into);

} // namespace names

#endif // MINAS_NAMES_CODE_H
