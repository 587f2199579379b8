//===-- Installation.cpp - where the parts of Minas are ---------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Installation.h"

#include "Command.h"

#include <cstdlib>
#include <vector>

using namespace maicc;
namespace fs = std::filesystem;

namespace {

constexpr const char *AffinityPluginName = "maicc_affinity.so";

fs::path ownDirectory() {
  std::error_code Ignored;
  return fs::read_symlink("/proc/self/exe", Ignored).parent_path();
}

/// The first directory that holds `File`, of those where libraries may be.
fs::path findLibrary(const char *File, const char *InBuild) {
  std::error_code Ignored;
  const char *Named = std::getenv("MAICC_LIBRARIES");
  std::vector<fs::path> Candidates;
  if (Named && *Named)
    Candidates.push_back(Named);
  Candidates.push_back(ownDirectory() / MAICC_LIBRARIES_FROM_BIN);
  Candidates.push_back(ownDirectory() / ".." / InBuild);
  for (const fs::path &Candidate : Candidates)
    if (fs::exists(Candidate / File, Ignored))
      return fs::weakly_canonical(Candidate, Ignored);
  return "";
}

/// Another tool, where it is installed beside this one; else empty.
std::string toolBeside(const char *Name) {
  std::error_code Ignored;
  const fs::path Tool = ownDirectory() / Name;
  return fs::exists(Tool, Ignored) ? Tool.string() : "";
}

/// Of a library that was built and not installed: the directory of what it needs.
fs::path numarchBeside(const fs::path &Library) {
  std::error_code Ignored;
  const fs::path Built = Library.parent_path() / "numarch";
  return !fs::exists(Library / "libnumarch.so", Ignored) &&
                 fs::exists(Built / "libnumarch.so", Ignored)
             ? Built
             : fs::path();
}

} // namespace

std::optional<TraceLibraries> maicc::findTraceLibraries() {
  std::error_code Ignored;
  const fs::path Trace = findLibrary("libmaitrace.so", "trace");
  if (Trace.empty())
    return std::nullopt;
  const fs::path Installed = Trace / "minas";
  TraceLibraries Found{Trace, MAICC_SOURCE_HOOKS, Trace / "maitrace_gcc.so",
                       Trace / "maitrace_clang.so"};
  if (fs::exists(Installed / "hooks.c", Ignored)) {
    Found.Hooks = Installed / "hooks.c";
    Found.GccPlugin = Installed / "maitrace_gcc.so";
    Found.ClangPlugin = Installed / "maitrace_clang.so";
  }
  return Found;
}

Arguments maicc::pluginOption(const Arguments &Compiler, const fs::path &Plugin) {
  std::error_code Ignored;
  if (!fs::exists(Plugin, Ignored))
    return {};
  const std::string Option = "-fplugin=" + Plugin.string();
  Arguments Command = Compiler;
  append(Command, {Option, "-x", "c", "-fsyntax-only", "/dev/null"});
  std::string Nothing;
  return run(Command, {.Output = &Nothing}) == 0 ? Arguments{Option} : Arguments{};
}

std::optional<Placement> maicc::findPlacement() {
  std::error_code Ignored;
  Placement Found;
  Found.Library = findLibrary("libmai.so", "mai");
  if (Found.Library.empty())
    return std::nullopt;
  Found.Numarch = numarchBeside(Found.Library);
  const fs::path Installed = ownDirectory() / MAICC_INCLUDE_FROM_BIN;
  Found.Include = fs::exists(Installed / "mai_static.h", Ignored)
                      ? fs::weakly_canonical(Installed, Ignored)
                      : fs::path(MAICC_SOURCE_INCLUDE);
  Found.AffinityPlugin = Found.Library / "minas" / AffinityPluginName;
  if (!fs::exists(Found.AffinityPlugin, Ignored))
    Found.AffinityPlugin = ownDirectory() / ".." / "maicc" / AffinityPluginName;
  Found.Rewriter = toolBeside("mapp-rewrite");
  Found.Namer = toolBeside("mai-names");
  return Found;
}
