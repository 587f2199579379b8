//===-- OpenMP.h - what a directive means for its statement -----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Answers about single directives, so that the walk need not know their dozens of kinds.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_OPENMP_H
#define MAPP_OPENMP_H

#include "mapp/facts/Facts.h"

#include "clang/AST/StmtOpenMP.h"

namespace mapp {

/// The directive divides the iterations of its loop among threads.
bool dividesLoop(const clang::OMPExecutableDirective &D);

/// How a loop's iterations are distributed.
struct Division {
  Schedule Order = Schedule::Static;
  std::string Text;  ///< the directive's words for that; empty: by default
  int64_t Chunk = 0; ///< iterations that are distributed at once in turn; 0: unknown
  const clang::Expr *ChunkSize = nullptr; ///< schedule(static, ...): the same where it is unknown
};

Division scheduleOf(const clang::OMPExecutableDirective &D, const clang::ASTContext &Context);

/// The argument of the num_threads clause, or null.
const clang::Expr *teamSize(const clang::OMPExecutableDirective &D);

/// The directive has its statement executed by one thread: OneThread or AnyThread.
std::optional<ScopeKind> executionOf(const clang::OMPExecutableDirective &D);

/// Variables of which each thread has its own copy in the statement.
llvm::SmallVector<const clang::VarDecl *, 4>
privatisedVariables(const clang::OMPExecutableDirective &D);

} // namespace mapp

#endif // MAPP_OPENMP_H
