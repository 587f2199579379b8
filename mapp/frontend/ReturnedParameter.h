//===-- ReturnedParameter.h - functions that give back what they get -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `void *checked(void *p) { if (!p) exit(1); return p; }`: what a call of this returns is its
// argument. Were it something else, all blocks that pass through it would be one.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_RETURNEDPARAMETER_H
#define MAPP_RETURNEDPARAMETER_H

#include "clang/AST/Decl.h"

#include <optional>

namespace mapp {

/// The position of the pointer parameter that a function returns, wherever it returns anything but
/// a null pointer, and never changes.
/// @param Callee its body may be elsewhere: then nothing is known
std::optional<unsigned> returnedParameter(const clang::FunctionDecl *Callee);

} // namespace mapp

#endif // MAPP_RETURNEDPARAMETER_H
