//===-- Installation.h - where the parts of Minas are -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Beside maicc where that is installed, or in the tree that it was built in; MAICC_LIBRARIES names
// another directory of libraries.
//
//===----------------------------------------------------------------------===//
#ifndef MAICC_INSTALLATION_H
#define MAICC_INSTALLATION_H

#include "CommandLine.h"

#include <filesystem>
#include <optional>
#include <string>

namespace maicc {

/// Where libmaitrace and what goes into programs are.
struct TraceLibraries {
  std::filesystem::path Trace;
  std::filesystem::path Hooks;
  std::filesystem::path GccPlugin;   ///< for the gcc that the build found; it may not be there
  std::filesystem::path ClangPlugin; ///< for the clang of the build's LLVM; it may not be there
};

std::optional<TraceLibraries> findTraceLibraries();

/// The option by which a gcc loads a plugin; empty where there is no such plugin, or the compiler
/// is not the gcc that it is for.
Arguments pluginOption(const Arguments &Compiler, const std::filesystem::path &Plugin);

/// What rewritten programs are made with.
struct Placement {
  std::filesystem::path Library; ///< the directory of libmai
  std::filesystem::path Numarch; ///< of a build that is not installed; empty otherwise
  std::filesystem::path Include;
  std::filesystem::path AffinityPlugin; ///< for gcc; it may not be there
  std::string Rewriter;                 ///< mapp-rewrite; empty where there is none
  std::string Namer;                    ///< mai-names; the same
};

std::optional<Placement> findPlacement();

} // namespace maicc

#endif // MAICC_INSTALLATION_H
