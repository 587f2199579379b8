//===-- Used.cpp - CPUs that other programs use -----------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Used.h"

extern "C" {
#include "runtime/claims_file.h"
}

#include <cstdlib>
#include <unistd.h>

std::vector<uint32_t> threadmap::usedByOthers(const Machine &On) {
  std::vector<uint32_t> Result;
  const int File = minas_claims_open(std::getenv("XDG_RUNTIME_DIR"), /*makes=*/false);
  if (File < 0)
    return Result;
  minas_locked Locked{};
  for (const Machine::Part &Part : On.Parts) {
    const long Byte = MINAS_CLAIMS_USED + static_cast<long>(Part.Cpu);
    if (Part.Children.empty() && Part.Cpu < MINAS_CLAIMS_CPUS &&
        minas_find_lock(File, Byte, Byte + 1, &Locked))
      Result.push_back(Part.Cpu);
  }
  close(File);
  return Result;
}
