//===-- Output.h - where the new text goes ----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each of these functions prints what went wrong, and returns false then.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_OUTPUT_H
#define MAPP_OUTPUT_H

#include <string>
#include <vector>

namespace mapp {

/// A file and its text before and after.
struct NewText {
  std::string File;
  std::string Old;
  std::string New;
};

/// Prints a unified diff on standard output, nothing where the texts are equal.
bool printDiff(const NewText &Text);

/// Writes a text into a file, which is either there as a whole afterwards or as it was.
bool writeWhole(const std::string &File, const std::string &Text);

/// Writes the new texts into a directory, where the files and the headers that they include lie as
/// they lie to each other.
/// @param Headers absolute paths
bool writeTree(const std::string &Directory, const std::vector<NewText> &Texts,
               const std::vector<std::string> &Headers);

} // namespace mapp

#endif // MAPP_OUTPUT_H
