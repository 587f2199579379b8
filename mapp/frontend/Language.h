//===-- Language.h - files that are no C sources ----------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MAPP_LANGUAGE_H
#define MAPP_LANGUAGE_H

#include <string>

namespace mapp {

/// What a file is, by its name, that mapp-rewrite does not rewrite, and what serves instead: a
/// sentence. Empty: it may be a C source.
std::string whyNoSource(const std::string &File);

} // namespace mapp

#endif // MAPP_LANGUAGE_H
