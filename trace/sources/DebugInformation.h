//===-- DebugInformation.h - what compilers tell of code and data *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_DEBUG_INFORMATION_H
#define MINAS_TRACE_DEBUG_INFORMATION_H

#include "names/debug/StaticArrays.h"
#include "support/CallPlace.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace maiprof {

/// Where code stands in the sources.
struct Place {
  std::string File;
  unsigned Line = 0;
  unsigned Column = 0;  ///< 0: not known, as in Fortran
  std::string Function; ///< with its classes, without parameters; may be empty
};

class DebugInformation {
public:
  DebugInformation();
  ~DebugInformation();

  /// Where the code at an offset stands, as symbols of the module count; of functions that
  /// compilers merged each has one, the innermost first.
  const std::vector<Place> &places(const std::string &Module, uint64_t Offset);

  /// The lines of the code at an offset as text.
  support::CallPlace callPlace(const std::string &Module, uint64_t Offset);

  /// What the source calls a static variable, where that is not its symbol: "module%array",
  /// "/common/", "array (in procedure)" in Fortran, "space::array" in C++.
  std::string variable(const std::string &Module, const std::string &Symbol);

  /// The arrays that a static variable holds, by their places in it.
  std::vector<names::StaticArray> heldBy(const std::string &Module, const std::string &Symbol,
                                         uint64_t Bytes);

  /// Of such a name in Fortran what stands behind the module; empty where there is none.
  std::string withoutModule(const std::string &Module, const std::string &Name);

private:
  class Symbolizer;
  class Statics;
  Statics &staticsOf(const std::string &Module);

  std::unique_ptr<Symbolizer> Lines;
  std::map<std::string, std::unique_ptr<Statics>> Variables; ///< by module
  std::map<std::pair<std::string, uint64_t>, std::vector<Place>> Known;
};

} // namespace maiprof
#endif
