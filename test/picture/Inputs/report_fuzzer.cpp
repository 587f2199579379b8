//===-- report_fuzzer.cpp - any bytes as a report to be drawn ---*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For libFuzzer: the reader gives a report that can be drawn, or one line that says what is wrong.
//
//===----------------------------------------------------------------------===//

#include "picture/Drawing.h"
#include "picture/Report.h"

#include <cstdlib>

static void require(bool Holds) {
  if (!Holds)
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Bytes, size_t Size) {
  auto Read = picture::readReport({reinterpret_cast<const char *>(Bytes), Size});
  if (!Read) {
    require(!llvm::toString(Read.takeError()).empty());
    return 0;
  }
  const std::string Picture = picture::drawing(*Read);
  require(llvm::StringRef(Picture).contains("<svg") && llvm::StringRef(Picture).contains("</svg>"));
  return 0;
}
