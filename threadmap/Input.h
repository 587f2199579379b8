//===-- Input.h - sharing matrices from files -------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_INPUT_H
#define THREADMAP_INPUT_H

#include "threadmap/matrix/Matrix.h"

#include <optional>
#include <string>

namespace threadmap {

/// What threads share in a parallel region.
struct Phase {
  uint32_t Number; ///< in the profile; the first is 1
  std::string Name;
  Matrix Volumes;
};

/// What was read, and from what, for comments.
struct Input {
  Matrix Volumes;
  std::string Description;
  std::vector<double> Accesses = {}; ///< by thread, to memory; none: text does not tell
  std::vector<Phase> Phases = {};    ///< in which threads share, where asked for
  uint64_t Entries = 0;              ///< how often regions were entered
};

/// What of a profile is taken.
enum class Metric { Accesses, Memory };

struct ProfileOptions {
  std::optional<Metric> Shared; ///< nothing: the default, which is accesses
  bool Writers = false;         ///< only lines that one of the pair writes
  bool Phases = false;          ///< what is shared in each parallel region, too
};

/// Reads the sharing matrix of a file, or of standard input ("-").
///
/// @param OfProfile must be as by default for text
/// @param Message receives what is wrong, or what is to be said, or ""
/// @return nothing where the file holds no matrix
std::optional<Input> readInput(const std::string &File, const ProfileOptions &OfProfile,
                               std::string &Message);

} // namespace threadmap

#endif // THREADMAP_INPUT_H
