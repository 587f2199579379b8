//===-- csv_fuzzer.cpp - any bytes as a matrix ------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For libFuzzer: checks what Csv.h and Entries.h promise.
//
//===----------------------------------------------------------------------===//

#include "threadmap/matrix/Csv.h"
#include "threadmap/matrix/Entries.h"

#include <cstdlib>
#include <sstream>

using namespace threadmap;

static void require(bool Holds) {
  if (!Holds)
    std::abort();
}

using Read = std::optional<Matrix>(std::istream &, const std::string &, std::string &);

static void tryWith(Read *Reader, const std::string &Text) {
  std::istringstream Input(Text);
  std::string Message;
  const std::optional<Matrix> Volumes = Reader(Input, "matrix", Message);
  require(Volumes || !Message.empty());
  require(Message.empty() || Message.rfind("matrix:", 0) == 0);
  require(Message.find('\n') == std::string::npos && Message.size() < 300);
  if (!Volumes)
    return;
  for (uint32_t A = 0; A < Volumes->threads(); ++A)
    Volumes->forEach(A, [&](uint32_t B, double Volume) {
      require(Volume >= 0 && Volume <= 1e18);
      require((*Volumes)(A, B) == Volume && (*Volumes)(B, A) == Volume);
      require(A != B || Volume == 0);
    });
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Bytes, size_t Size) {
  const std::string Text(reinterpret_cast<const char *>(Bytes), Size);
  tryWith(readCsv, Text);
  tryWith(readTriples, Text);
  tryWith(readMatrixMarket, Text);
  return 0;
}
