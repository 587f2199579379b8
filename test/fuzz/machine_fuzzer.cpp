//===-- machine_fuzzer.cpp - any bytes as a recorded machine ----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For libFuzzer: the reader gives a machine whose parts fit each other, or one line that says what is wrong.
//
//===----------------------------------------------------------------------===//

#include "advice/Machine.h"

#include <cmath>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

static void require(bool Holds) {
  if (!Holds)
    std::abort();
}

/// The reader takes a file's name: one of memory that is gone with the process.
static std::string write(const uint8_t *Bytes, size_t Size) {
  static const int File = memfd_create("machine", 0);
  require(File >= 0 && ftruncate(File, 0) == 0 &&
          pwrite(File, Bytes, Size, 0) == static_cast<ssize_t>(Size));
  return "/proc/self/fd/" + std::to_string(File);
}

static void check(const advice::Machine &Read) {
  require(Read.Nodes > 0 && Read.memories() > 0 && Read.Factors.size() == Read.Nodes);
  for (size_t Node = 0; Node < Read.Nodes; ++Node) {
    require(Read.Factors[Node].size() == Read.memories());
    for (const double Factor : Read.Factors[Node])
      require(std::isfinite(Factor) && Factor > 0);
    require(Read.demand(Node) > 0);
  }
  require(Read.numaFactor() >= 1);
  for (size_t Memory = 0; Memory < Read.memories(); ++Memory)
    require(Read.bandwidth(Memory) > 0);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Bytes, size_t Size) {
  advice::Machine Read(1, 1);
  const std::string Wrong = advice::readMachine(write(Bytes, Size), Read);
  if (Wrong.empty())
    check(Read);
  else
    require(Wrong.find('\n') == std::string::npos);
  return 0;
}
