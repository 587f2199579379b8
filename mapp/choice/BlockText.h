//===-- BlockText.h - what is written around an allocation ------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A block's extents are known when the program runs.  Its policy speaks of them in expressions of
// the program's own: those that stand where the block is allocated, as far as they have the values
// by which the loops run over it.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_BLOCKTEXT_H
#define MAPP_BLOCKTEXT_H

#include "Candidate.h"

namespace mapp {

/// The text to be inserted before, inside and behind a call.
struct BlockText {
  struct Insertion {
    uint32_t Offset;
    std::string Text;
  };
  std::string Object; ///< what the block is called
  std::string Before;
  std::vector<Insertion> Inside;
  std::string Behind; ///< without the parenthesis that closes it
};

/// What MAi calls a block.
std::string blockName(const ArrayDeclaration &Array);

/// Tells all candidates which units they are about, in these words.
void setRanges(const ArrayDeclaration &Array, const std::deque<Scope> &Scopes,
               const Allocations &Made, Choice &C);

/// @param Made the contexts in which it is allocated
/// @param C where columns cannot be spoken of, they are excluded
/// @return why the text cannot be written, or empty
Remark describeBlock(const ArrayDeclaration &Array, const std::deque<Scope> &Scopes,
                     const Allocations &Made, Choice &C, BlockText &Out);

} // namespace mapp

#endif // MAPP_BLOCKTEXT_H
