//===-- Declarations.h - arrays and where to edit them ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Describes the declarations of variables with static storage: their shape, and what forbids that
// they are placed.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_DECLARATIONS_H
#define MAPP_DECLARATIONS_H

#include "Sites.h"
#include "Unit.h"
#include "mapp/facts/Facts.h"

namespace mapp {

/// The facts about one declaration: of an array, or of each array that is a member of a struct.
/// Nothing for what could not be placed whatever its surroundings: not static, no array in it, or a
/// system header's.
std::vector<ArrayDeclaration> describe(const Unit &U, const clang::VarDecl *Variable,
                                       const DeclarationContext &In);

/// The member of a struct that `Path` leads to, as `describe` names it: "state.cells".
std::string memberName(llvm::StringRef Object, llvm::StringRef Path);

} // namespace mapp

#endif // MAPP_DECLARATIONS_H
