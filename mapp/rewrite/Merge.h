//===-- Merge.h - taking edits back out of an edited text -------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A text was changed by edits of ours, and by its user since.  The user's changes stay, ours go: a
// merge of three texts, of which ours are known range by range.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_MERGE_H
#define MAPP_MERGE_H

#include "mapp/choice/Plan.h"

namespace mapp {

/// An edit that cannot be taken back.
struct Conflict {
  size_t Line = 0; ///< of the text as it is now, from 1
  std::string What;
};

struct Merged {
  std::string Text;
  std::optional<Conflict> Against; ///< then there is no text
};

/// @param Original the text before all
/// @param Edits what was changed in it, in the order of the text
/// @param Now the text after these edits and the user's
Merged withoutEdits(const std::string &Original, const std::vector<Edit> &Edits,
                    const std::string &Now);

} // namespace mapp

#endif // MAPP_MERGE_H
