//===-- FirstTouch.h - loops that touch arrays first ------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where one thread writes an array first and the threads of a team use their parts of it later,
// Linux puts all of it on one node.  For those who prefer not to have it placed by MAi there is an
// old remedy: a parallel loop in front, in which each thread touches its part.
//
// The loop writes a byte of each page as it was.  So nothing that the program computes can change,
// whether the array holds something already or not; at worst the loop comes too late to help.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_FIRSTTOUCH_H
#define MAPP_FIRSTTOUCH_H

#include "mapp/choice/Plan.h"

namespace mapp {

class Frontend;

/// Gives all arrays that would be placed a loop instead, or a note why there is none: nothing is
/// placed by this plan any more.
void suggestFirstTouch(Plan &P, const std::vector<Facts> &Units, const Frontend &Clang);

} // namespace mapp

#endif // MAPP_FIRSTTOUCH_H
