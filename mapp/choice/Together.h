//===-- Together.h - arrays that are looked up together ---------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where data leads threads, the text does not tell.  But if they come to `x[j]` and `next[j]` by
// the same numbers, and x is divided, then next is best divided alike: a thread that finds one of
// them near finds the other there, too.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_TOGETHER_H
#define MAPP_TOGETHER_H

#include "Plan.h"

namespace mapp {

/// Divides arrays that have their pages in turn because of such accesses, where another one that
/// is divided has them, too.
void divideTogether(Plan &P);

} // namespace mapp

#endif // MAPP_TOGETHER_H
