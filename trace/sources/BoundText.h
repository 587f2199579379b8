//===-- BoundText.h - what loops and references stand for -------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_BOUND_TEXT_H
#define MINAS_TRACE_BOUND_TEXT_H

#include <string>
#include <vector>

namespace maiprof {

/// What a name is bound to in a line.
struct Bound {
  unsigned Line = 0; ///< where that is said, from 1; 0: nowhere
  std::string To;    ///< such as "fields" of "for (auto &field : fields)"
};

/// What the loop over a range or the reference stands for that last declares a name above a line,
/// or in it.
Bound boundIn(const std::vector<std::string> &Lines, unsigned Line, const std::string &Name);

} // namespace maiprof
#endif
