//===-- CodeLines.h - accesses by line of the source ------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Of runs with --sources. Which array a line accesses is known by pages: a page counts for the
// array that has most of its bytes.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_CODE_LINES_H
#define MINAS_TRACE_CODE_LINES_H

#include "trace/profile/Analysis.h"

namespace maiprof {

/// What one line of the source accesses; of code without lines what an object does.
struct LineUse {
  std::string File; ///< empty: no line is known
  uint32_t Line = 0;
  std::string Function; ///< may be empty
  std::string Module;
  Counts Accesses;
  Split Where;
  /// Indices in Usage::Arrays with the accesses to these, most accesses first.
  std::vector<std::pair<size_t, uint64_t>> Arrays;

  /// Such as "grid.c:12".
  std::string position() const;
};

/// All of them, most accesses first; nothing where the profile does not have them.
std::vector<LineUse> codeLines(const Profile &P, const Usage &U);

/// The arrays that a line accesses most; but those of which pages hold a little beside others.
std::vector<std::pair<size_t, uint64_t>> mainArrays(const LineUse &L);

/// Who accesses an array of the usage most: "grid.c:12 (61.0 %), main.c:7 (20.1 %)". Empty where
/// that is not known.
std::string mostBy(const std::vector<LineUse> &Lines, const Usage &U, size_t Array);

/// The same for an array by its name.
std::string mostBy(const std::vector<LineUse> &Lines, const Usage &U, const std::string &Array);

/// The sources with what each of their lines accesses in front of it, for people.
/// @param Files ends of paths, such as "grid.c"; empty: all that have lines, most accesses first
/// @param Error what cannot be shown
std::string annotated(const std::vector<LineUse> &Lines, const std::vector<std::string> &Files,
                      std::string &Error);

/// For callgrind_annotate and kcachegrind.
std::string callgrind(const Profile &P, const std::vector<LineUse> &Lines);

/// For speedscope: threads, regions, functions, lines.
std::string speedscope(const Profile &P);

} // namespace maiprof
#endif
