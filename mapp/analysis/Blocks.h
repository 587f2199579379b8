//===-- Blocks.h - which calls allocate -------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Many programs call malloc() in one place only, a function such as xmalloc(), which returns the
// block.  Then what each call of that function returns is an array of its own.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_BLOCKS_H
#define MAPP_BLOCKS_H

#include "mapp/facts/Facts.h"

namespace mapp {

/// Finds the functions that hand on blocks.  Their calls become blocks; calls of other functions
/// are no longer among the arrays.
void findBlocks(std::vector<Facts> &Units);

} // namespace mapp

#endif // MAPP_BLOCKS_H
