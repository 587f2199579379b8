//===-- Json.h - JSON that the tools write ----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_SUPPORT_JSON_H
#define MINAS_SUPPORT_JSON_H

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <string>

namespace support {

/// A text that comes from elsewhere, and may not be UTF-8.
inline llvm::json::Value jsonText(llvm::StringRef Text) { return llvm::json::fixUTF8(Text); }

/// As a tool prints it: indented, and ended by a line end.
inline std::string jsonLines(llvm::json::Value Value) {
  return llvm::formatv("{0:2}\n", std::move(Value));
}

} // namespace support

#endif // MINAS_SUPPORT_JSON_H
