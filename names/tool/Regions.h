//===-- Regions.h - the variables of parallel regions -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Compilers turn a region into a function. gcc's, f._omp_fn.0, gets the address of a structure
// whose members are the variables that the region uses: the debug information has it as the type of
// the function's parameter. clang's, f.omp_outlined, gets these variables, or their addresses, as
// arguments behind two numbers of the thread.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_NAMES_REGIONS_H
#define MINAS_NAMES_REGIONS_H

#include "Types.h"

namespace names {

/// Puts the regions and static variables of a program into a table.
void readRegions(llvm::DWARFContext &Context, Table &Into);

} // namespace names

#endif // MINAS_NAMES_REGIONS_H
