//===-- Text.h - numbers and names as people read them ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_SUPPORT_TEXT_H
#define MINAS_SUPPORT_TEXT_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace support {

/// Bytes such as "1.5 MiB".
std::string bytesText(double Bytes);

/// A count such as "1.5 M".
std::string countText(double Count);

/// A share such as "12.5 %".
std::string percentText(double Share);

/// A text for a line of a file: what controls a terminal, and ends lines, becomes a question mark.
std::string oneLine(std::string Text);

/// A text as CSV has it, in quotes.
std::string csvField(llvm::StringRef Text);

/// A text as HTML and XML have it. What has no place there becomes a question mark.
std::string escaped(llvm::StringRef Text);

} // namespace support

#endif // MINAS_SUPPORT_TEXT_H
