//===-- Measured.cpp - what was measured of this machine --------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Measured.h"

#include "numarch.h"

#include <memory>

using namespace threadmap;

namespace {

struct Close {
  void operator()(numarch_t *Machine) const { numarch_close(Machine); }
};

} // namespace

std::vector<double> threadmap::measuredLatencies(const std::vector<uint32_t> &Nodes,
                                                 std::string &Why) {
  const std::unique_ptr<numarch_t, Close> Here(numarch_open(NUMARCH_WHOLE_MACHINE));
  if (!Here)
    return {};
  if (const char *Problem = numarch_measurement_problem(Here.get()))
    Why = Problem;
  std::vector<double> Result;
  for (const uint32_t From : Nodes)
    for (const uint32_t To : Nodes) {
      Result.push_back(numarch_performance(Here.get(), NUMARCH_MEASURED, NUMARCH_LATENCY,
                                           numarch_node_by_os_index(Here.get(), From),
                                           numarch_node_by_os_index(Here.get(), To)));
      if (Result.back() <= 0)
        return {};
    }
  return Result;
}
