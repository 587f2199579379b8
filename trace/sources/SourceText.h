//===-- SourceText.h - what sources call what they allocate -----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The variable that an allocation is for is what stands before the '=' in its line of the source,
// if the source is there; those of C++'s vectors what is declared, the member that a constructor
// begins with, or the object whose function allocates. What a loop over a range or a reference
// calls so is called as what that stands for, and what is made by a name in quotes by that name.
// Programs in Fortran that were built for it tell the names themselves: the compiler knows them.
// Of others the ALLOCATE statement tells.
//
// What a function allocates for its caller, who hands it a pointer or an object, is called as the
// caller calls that.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_SOURCE_TEXT_H
#define MINAS_TRACE_SOURCE_TEXT_H

#include "DebugInformation.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace maiprof {

/// What is not the function's own, but a parameter's or of the object that it is a function of.
struct Lent {
  std::string Class; ///< of the function; may be empty
  std::string Function;
  std::optional<size_t> Parameter; ///< by number; none: the object
  bool Constructs = false;         ///< the object
  std::string Member;              ///< of that, such as ".data"; may be empty for a parameter
};

/// One of several in their order.
struct Among {
  size_t Index = 0;
  size_t Count = 1;
};

class SourceText {
public:
  /// The variable that an allocation's line gives it to; empty where none is seen.
  /// @param InLine of the allocations there by their code
  /// @param InColumn the same of those that stand at the same column
  /// @param Inner where the function that is called there goes on; NULL: it is an allocator
  std::string variable(const Place &At, const Among &InLine, const Among &InColumn,
                       const Place *Inner = nullptr);

  /// Whether what a line calls so is somebody else's, by what the function's head and name tell.
  std::optional<Lent> lent(const Place &At, const std::string &Variable);

  /// The same for the function that calls there another of its object; nothing for others.
  static std::optional<Lent> within(const Lent &What, const Place &At);

  /// What a function calls a parameter or an object that it lends to one that it calls there; empty
  /// where that is not seen. @param Variable of that line
  std::string lender(const Lent &What, const Place &At, const std::string &Variable);

private:
  /// Where a function is defined.
  struct Head {
    unsigned Line = 0; ///< 0: that is not seen
    std::vector<std::string> Parameters;
  };

  std::string initialisedInClass(const Place &At, const Among &InColumn);
  const std::vector<std::string> &file(const std::string &Path);
  std::string line(const Place &At);
  Head head(const Place &At, const std::string &Function);
  bool returnsNumber(const Place &At);
  std::string named(const Place &At, const Among &InLine, const Among &InColumn,
                    const Place *Inner);
  std::string allocated(const Place &At, const Among &InLine);
  std::string label(const Place &At);
  std::string unbound(const Place &At, std::string Path);
  std::string from(const std::string &File, unsigned Line);
  std::string between(const std::string &File, unsigned First, unsigned End);
  std::string argument(const Place &At, const std::string &Function, size_t Number);

  std::map<std::string, std::vector<std::string>> Known;
};

} // namespace maiprof
#endif
