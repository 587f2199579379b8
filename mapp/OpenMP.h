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

#include "Facts.h"

#include "clang/AST/StmtOpenMP.h"

#include <utility>

namespace mapp {

/// The directive divides the iterations of its loop among threads.
bool dividesLoop(const clang::OMPExecutableDirective &D);

/// How it deals them out, and its words for that.
std::pair<Schedule, std::string> scheduleOf(const clang::OMPExecutableDirective &D,
                                            const clang::ASTContext &Context);

/// The directive has its statement executed by one thread: OneThread or AnyThread.
std::optional<ScopeKind> executionOf(const clang::OMPExecutableDirective &D);

/// Variables of which each thread has its own copy in the statement.
llvm::SmallVector<const clang::VarDecl *, 4>
privatisedVariables(const clang::OMPExecutableDirective &D);

} // namespace mapp

#endif // MAPP_OPENMP_H
