//===-- Verify.h - is the new text a program? -------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MAPP_VERIFY_H
#define MAPP_VERIFY_H

#include "mapp/choice/Plan.h"
#include "mapp/frontend/Frontend.h"

namespace mapp {

/// What is wrong with the text of a file after these edits, which is parsed for that; empty when it
/// compiles and has MAi's entries for just the arrays that are to be placed.
Remark fault(const Frontend &Clang, const Facts &Unit, const Plan &P,
             const std::vector<Edit> &Edits);

} // namespace mapp

#endif // MAPP_VERIFY_H
