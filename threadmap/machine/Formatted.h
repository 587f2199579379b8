//===-- Formatted.h - text by a format of printf() --------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_FORMATTED_H
#define THREADMAP_FORMATTED_H

#include <cstdio>
#include <string>

namespace threadmap {

/// A line or two: what is longer ends early.
template <typename... Values> std::string formatted(const char *Format, Values... V) {
  char Text[400];
  std::snprintf(Text, sizeof Text, Format, V...);
  return Text;
}

} // namespace threadmap

#endif // THREADMAP_FORMATTED_H
