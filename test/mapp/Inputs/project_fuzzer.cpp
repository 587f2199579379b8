//===-- project_fuzzer.cpp - any bytes as a project file --------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For libFuzzer: the reader gives a project, or one short line that says what is wrong and where.
//
//===----------------------------------------------------------------------===//

#include "mapp/choice/ProjectFile.h"

#include <algorithm>
#include <cstdlib>

static void require(bool Holds) {
  if (!Holds)
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Bytes, size_t Size) {
  mapp::Project Read;
  const std::string Wrong = mapp::parseProject({reinterpret_cast<const char *>(Bytes), Size}, Read);
  if (Wrong.empty())
    return 0;
  require(Wrong.size() < 80 && Wrong.front() >= '0' && Wrong.front() <= '9');
  require(std::all_of(Wrong.begin(), Wrong.end(), [](char C) { return C >= ' ' && C < 0x7f; }));
  return 0;
}
