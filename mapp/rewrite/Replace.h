//===-- Replace.h - rewriting files in place, and back ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each of these functions prints what went wrong, and returns false then.  A file is there as a
// whole at any moment, the old one or the new one, whatever ends the program.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_REPLACE_H
#define MAPP_REPLACE_H

#include "mapp/choice/Plan.h"

namespace mapp {

/// What becomes of a file.
struct Rewriting {
  std::string File;
  std::string Text; ///< as it was analysed
  std::vector<Edit> Edits;
};

/// Rewrites the files and keeps what they were, with a record of the edits (Backup.h). Nothing is
/// changed when one of them cannot be.
bool replaceAll(const std::vector<Rewriting> &Files);

/// Takes the edits back out of each file that has such records, and keeps what has been changed
/// since. Nothing is changed when one of the files cannot be put back.
bool revertAll(const std::vector<std::string> &Files);

} // namespace mapp

#endif // MAPP_REPLACE_H
