//===-- Declarations.h - arrays and where to edit them ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Describes the declarations of variables with static storage: their shape, the place in the text
// where something may be inserted after them, and what forbids that.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_DECLARATIONS_H
#define MAPP_DECLARATIONS_H

#include "Facts.h"
#include "Unit.h"

namespace mapp {

/// Where and in what a variable is declared.
struct DeclarationContext {
  const clang::FunctionDecl *Function = nullptr; ///< null: file scope
  bool MayFollow = true;                         ///< another declaration may come after it
};

/// The facts about one declaration, unless it could not be placed whatever its surroundings: not
/// static, no array in it, or a system header's.
std::optional<ArrayDeclaration> describe(const Unit &U, const clang::VarDecl *Variable,
                                         const DeclarationContext &In);

/// The offset of the first token of the main file.
uint32_t firstToken(const Unit &U);

} // namespace mapp

#endif // MAPP_DECLARATIONS_H
