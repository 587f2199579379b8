//===-- Language.cpp - files that are no C sources --------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Language.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

std::string mapp::whyNoSource(const std::string &File) {
  const std::string Trace = "mai-trace(1) counts what its threads access, mai-run(1) places its "
                            "arrays as it is, and it can call the library: ";
  return llvm::StringSwitch<std::string>(llvm::sys::path::extension(File))
      .Cases(".cc", ".cp", ".cpp", ".cxx", ".c++", ".C", ".CPP", ".ii",
             "C++ is not rewritten; " + Trace + "mai.hpp, see mai_cxx(3)")
      .Cases(".f", ".for", ".ftn", ".F", ".FOR", ".f90", ".F90",
             "Fortran is not rewritten; " + Trace + "the module mai, see mai_fortran(3)")
      .Cases(".f95", ".F95", ".f03", ".F03", ".f08", ".F08",
             "Fortran is not rewritten; " + Trace + "the module mai, see mai_fortran(3)")
      .Cases(".s", ".S", ".sx", ".asm",
             "assembler is not rewritten; mai-run(1) places a program's arrays as it is")
      .Cases(".h", ".hh", ".hpp", ".hxx", ".H",
             "a header alone is not rewritten; give the C sources that include it, whose text says "
             "what becomes of its arrays")
      .Default("");
}
