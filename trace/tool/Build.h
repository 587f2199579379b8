//===-- Build.h - how a program was built -----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_BUILD_H
#define MINAS_TRACE_BUILD_H

#include <string>

namespace maiprof {

struct Build {
  bool IsElf = false;
  bool HasRuntime = false;         ///< is linked with libmaitrace
  bool HasHooks = false;           ///< has code that was compiled for it
  bool ClangWithoutRecord = false; ///< and clang's command line is not in it
  std::string Vectorised;          ///< a source that clang was let vectorise; empty: none is known
};

/// Look at a program. What cannot be read is no ELF file.
Build examineBuild(const std::string &Program);

} // namespace maiprof
#endif
