//===-- Workspace.cpp - directories for a while -----------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Workspace.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace maicc;
namespace fs = std::filesystem;

namespace {

fs::path temporaryDirectory() {
  std::error_code Error;
  const fs::path Found = fs::temp_directory_path(Error);
  return Error ? fs::path("/tmp") : Found;
}

/// Whether the directory is ours alone: others may have made one of that name.
bool isOurs(const fs::path &Directory) {
  struct stat Status{};
  return lstat(Directory.c_str(), &Status) == 0 && S_ISDIR(Status.st_mode) &&
         Status.st_uid == geteuid() && (Status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool makeOurs(const fs::path &Directory) {
  return (mkdir(Directory.c_str(), S_IRWXU) == 0 || errno == EEXIST) && isOurs(Directory);
}

/// Opens and locks a directory; -1 where it has been removed meanwhile or cannot be had.
int lockDirectory(const fs::path &Directory) {
  const int Lock = open(Directory.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (Lock < 0)
    return -1;
  while (flock(Lock, LOCK_EX) != 0)
    if (errno != EINTR) {
      close(Lock);
      return -1;
    }
  struct stat Locked{}, Named{};
  if (fstat(Lock, &Locked) == 0 && lstat(Directory.c_str(), &Named) == 0 &&
      Locked.st_ino == Named.st_ino && Locked.st_dev == Named.st_dev)
    return Lock;
  close(Lock);
  return -1;
}

} // namespace

Workspace::Workspace() {
  std::string Template = (temporaryDirectory() / "maicc-XXXXXX").string();
  if (mkdtemp(Template.data()))
    Directory = Template;
}

Workspace::~Workspace() {
  std::error_code Ignored;
  if (!Directory.empty())
    fs::remove_all(Directory, Ignored);
}

NamedWorkspace::NamedWorkspace(const std::string &Hash) {
  constexpr int Tries = 100; // each fails only when another process has just removed it
  const fs::path All = temporaryDirectory() / ("maicc-" + std::to_string(geteuid()));
  Directory = All / Hash;
  for (int I = 0; I < Tries && Lock < 0; ++I) {
    if (!makeOurs(All))
      return;
    if (makeOurs(Directory))
      Lock = lockDirectory(Directory);
  }
}

NamedWorkspace::~NamedWorkspace() {
  if (Lock < 0)
    return;
  std::error_code Ignored;
  fs::remove_all(Directory, Ignored);
  close(Lock);
  fs::remove(Directory.parent_path(), Ignored); // when it was the last
}
