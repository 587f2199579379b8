//===-- Collect.h - phase 1: the facts of a translation unit ----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MAPP_COLLECT_H
#define MAPP_COLLECT_H

#include "mapp/facts/Facts.h"

namespace clang {
class CompilerInstance;
}

namespace mapp {

/// Fills in the facts of the translation unit that `Compiler` has parsed.  `Out` comes with Unit,
/// File and Path set, and with what is known of other files.
/// @param WantHeapForms find out which arrays could be turned into pointers (costs time)
void collect(clang::CompilerInstance &Compiler, bool WantHeapForms, Facts &Out);

/// The arrays for which a translation unit of the main file has entries, or what Edit::Instead puts
/// in the place of entries.
std::vector<PlacedArray> placedArrays(clang::CompilerInstance &Compiler);

} // namespace mapp

#endif // MAPP_COLLECT_H
