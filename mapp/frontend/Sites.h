//===-- Sites.h - where text may be inserted --------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Only the main file is edited.  What a header declares at file scope is handed over behind the
// directive that includes the header: there the array is as complete as behind its declaration.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_SITES_H
#define MAPP_SITES_H

#include "Unit.h"
#include "mapp/facts/Facts.h"

namespace mapp {

/// Where and in what a variable is declared.
struct DeclarationContext {
  const clang::FunctionDecl *Function = nullptr; ///< null: file scope
  bool MayFollow = true;                         ///< another declaration may come after it
  const clang::DeclStmt *Statement = nullptr;    ///< that declares it, in a function
};

struct SiteOrRefusal {
  Site Where;
  Remark Refusal; ///< why nothing may be inserted, or empty
};

/// Where another declaration may be inserted behind that of `Variable`.
SiteOrRefusal findSite(const Unit &U, const clang::VarDecl *Variable, const DeclarationContext &In);

/// The offset of a location in its file, that of the expansion for what comes from a macro.
uint32_t offsetOf(const Unit &U, clang::SourceLocation Location);

/// The offset of the first token of the main file.
uint32_t firstToken(const Unit &U);

} // namespace mapp

#endif // MAPP_SITES_H
