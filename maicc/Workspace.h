//===-- Workspace.h - directories for a while -------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MAICC_WORKSPACE_H
#define MAICC_WORKSPACE_H

#include <filesystem>
#include <string>

namespace maicc {

/// A directory that is removed in the end.
class Workspace {
public:
  Workspace();
  ~Workspace();
  Workspace(const Workspace &) = delete;
  Workspace &operator=(const Workspace &) = delete;
  bool usable() const { return !Directory.empty(); } ///< else errno says why not
  std::string file(const std::string &Name) const { return (Directory / Name).string(); }

private:
  std::filesystem::path Directory;
};

/// A directory whose name depends on nothing but `Hash`, for what a compiler cache shall know
/// again. One process at a time has it; another that wants the same waits. It is removed in the
/// end.
class NamedWorkspace {
public:
  explicit NamedWorkspace(const std::string &Hash);
  ~NamedWorkspace();
  NamedWorkspace(const NamedWorkspace &) = delete;
  NamedWorkspace &operator=(const NamedWorkspace &) = delete;
  bool usable() const { return Lock >= 0; }
  std::string file(const std::string &Name) const { return (Directory / Name).string(); }

private:
  std::filesystem::path Directory;
  int Lock = -1;
};

} // namespace maicc

#endif // MAICC_WORKSPACE_H
