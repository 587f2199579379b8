//===-- csv_fuzzer.cpp - any bytes as a matrix ------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For libFuzzer: checks what Csv.h promises.
//
//===----------------------------------------------------------------------===//

#include "threadmap/matrix/Csv.h"

#include <cstdlib>
#include <sstream>

using namespace threadmap;

static void require(bool Holds) {
  if (!Holds)
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Bytes, size_t Size) {
  std::istringstream Input(std::string(reinterpret_cast<const char *>(Bytes), Size));
  std::string Message;
  const std::optional<Matrix> Volumes = readCsv(Input, "matrix", Message);
  require(Volumes || !Message.empty());
  require(Message.empty() || Message.rfind("matrix:", 0) == 0);
  require(Message.find('\n') == std::string::npos && Message.size() < 300);
  if (!Volumes)
    return 0;
  for (uint32_t A = 0; A < Volumes->threads(); ++A)
    for (uint32_t B = 0; B < Volumes->threads(); ++B) {
      require((*Volumes)(A, B) >= 0 && (*Volumes)(A, B) <= 1e18);
      require((*Volumes)(A, B) == (*Volumes)(B, A));
      require(A != B || (*Volumes)(A, B) == 0);
    }
  return 0;
}
