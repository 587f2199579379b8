//===-- DebugFile.h - where a program's debug information is ----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_NAMES_DEBUGFILE_H
#define MINAS_NAMES_DEBUGFILE_H

#include "llvm/Object/ObjectFile.h"

namespace names {

/// Opens the file that has a program's debug information in its place: found as debuggers do, by
/// the build-id below /usr/lib/debug, or by the name that the program has of it (objcopy
/// --add-gnu-debuglink).
/// @return nothing where the program has it itself, or there is no such file
llvm::object::OwningBinary<llvm::object::ObjectFile>
openDebugFile(const llvm::object::ObjectFile &Program);

} // namespace names

#endif // MINAS_NAMES_DEBUGFILE_H
