//===-- UseText.h - uses in words -------------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MAPP_USETEXT_H
#define MAPP_USETEXT_H

#include "mapp/analysis/Use.h"

namespace mapp {

/// The pattern of a use, in words that go on after the array's name.
std::string describe(const Use &U, bool Rows);

} // namespace mapp

#endif // MAPP_USETEXT_H
