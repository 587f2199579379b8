//===-- Fields.h - fields that share a block --------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Programs allocate several fields as one block, `rhs = u + 5 * cells; speed = rhs + 5 * cells`.
// Threads divide each of them, and none divides the block.  Where the fields' sizes are in
// proportion, whatever the run decides, a policy can name these.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_FIELDS_H
#define MAPP_FIELDS_H

#include "mapp/analysis/Classify.h"

namespace mapp {

/// Tells each of the uses that are divided in which field of the block it is, where that is known
/// of all of them.
/// @param Size of the block, in the numbers of the program by which the uses' beginnings are told
void findFields(std::vector<Use> &Uses, const Polynomial &Size);

/// The proportions of the fields, one behind the other; empty where there are none.
std::vector<unsigned> proportionsOfFields(const std::vector<Use> &Uses);

/// Of a block of rows whose columns the threads share out, what goes over one of the rows that the
/// text names, `f[y * n + x]` and `f[(2 * m + y) * n + x]` beside `f[(q * m + y) * n + x]`, is of
/// its columns, too.
void findRows(std::vector<Use> &Uses);

} // namespace mapp

#endif // MAPP_FIELDS_H
