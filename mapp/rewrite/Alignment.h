//===-- Alignment.h - what of a text is left in an edited one ---*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Finds ranges of a text in a later version of it, which somebody has edited.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_ALIGNMENT_H
#define MAPP_ALIGNMENT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

namespace mapp {

struct Range {
  size_t Begin = 0, End = 0;
};

/// Where a range has gone.
struct Found {
  enum class What {
    Whole,   ///< it begins at `At`
    Deleted, ///< with the text on both sides of it
    Alone,   ///< deleted, and the text on both sides is there
    Changed, ///< something else stands there
    Unclear  ///< too much has changed around it to tell
  };
  What Is = What::Unclear;
  size_t At = 0; ///< in the later text; where the range would be, if it is not whole
};

/// @param Ranges in their order, not empty, apart from one another; each stays whole or is gone
std::vector<Found> locate(llvm::StringRef Before, llvm::StringRef After,
                          llvm::ArrayRef<Range> Ranges);

} // namespace mapp

#endif // MAPP_ALIGNMENT_H
