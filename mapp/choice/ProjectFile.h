//===-- ProjectFile.h - reading .mapp.yaml ------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// It lies beside the sources, or above them, and may come from anybody:
//
//     machine: host
//     arrays:
//       - name: u
//         file: src/solver.c                 may be left out
//         place: block                       or keep
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_PROJECT_FILE_H
#define MAPP_PROJECT_FILE_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace mapp {

/// The project file's contents.
struct Project {
  struct Array {
    std::string Name;
    std::string File; ///< empty: any
    std::string Place;
  };
  std::string Path;    ///< empty: there is none
  std::string Machine; ///< as --machine; empty: not said
  std::vector<Array> Arrays;
};

/// LLVM's parser takes stack for each level.
constexpr size_t MaxProjectBytes = size_t{64} << 10;

/// @return empty, or what is wrong, with line and column: "1:9: not a sequence"
std::string parseProject(llvm::StringRef Text, Project &Out);

/// Reads the .mapp.yaml that is nearest to a file, in its directory or one above. False after a
/// message when that cannot be read.
bool readProject(const std::string &NearFile, Project &Out);

} // namespace mapp

#endif // MAPP_PROJECT_FILE_H
