//===-- SystemLibraries.cpp - libraries that are no part of programs -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SystemLibraries.h"

#include "llvm/Support/Path.h"

#include <string_view>

bool maiprof::isSystemLibrary(const std::string &Path) {
  static constexpr std::string_view Own[] = {
      "libc.so",      "libm.so",        "libgomp.so",     "libomp.so",     "libgcc_s.so",
      "libstdc++.so", "libpthread.so",  "libdl.so",       "librt.so",      "ld-linux",
      "linux-vdso",   "libgfortran.so", "libquadmath.so", "libatomic.so",  "libnumarch.so",
      "libhwloc.so",  "libmai.so",      "libnuma.so",     "libjansson.so", "libmaitrace_rt.so",
      "libudev.so",   "libz.so",        "libcap.so",      "libiomp5.so"};
  const std::string Name = llvm::sys::path::filename(Path).str();
  for (const std::string_view Prefix : Own)
    if (Name.starts_with(Prefix))
      return true;
  return false;
}
