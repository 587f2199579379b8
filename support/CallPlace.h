//===-- CallPlace.h - where a call stands, as text --------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Two builds of a source have different instructions, and functions that are merged in one alone.
// The lines that lead to a call are the same: "grid.cpp 7.12<main.cpp 31.5", the innermost first.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_SUPPORT_CALLPLACE_H
#define MINAS_SUPPORT_CALLPLACE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/DebugInfo/DIContext.h"

#include <string>

namespace support {

/// Whether a source is none of the program's own.
bool isSystemFile(llvm::StringRef File);

/// Whether a compiler has made a function of a parallel region or a task, by its symbol.
bool isOutlined(llvm::StringRef Function);

/// Where code stands.
struct CallPlace {
  std::string Lines; ///< of the program's own sources: its own, and those of the functions that
                     ///< it has been merged into; "" where there are none
  bool IsOutlined = false; ///< what calls it is none of the program's
};

CallPlace callPlace(const llvm::DIInliningInfo &Code);

} // namespace support

#endif // MINAS_SUPPORT_CALLPLACE_H
