//===-- Measured.h - what was measured of this machine ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_MACHINE_MEASURED_H
#define THREADMAP_MACHINE_MEASURED_H

#include <cstdint>
#include <string>
#include <vector>

namespace threadmap {

/// The latencies that `numarch --measure` measured on the machine that this runs on, from one
/// node's CPUs to another's memory, row by row.
/// @param Nodes OS indices
/// @return nothing where that of a pair is not known; `Why` says why where numArch tells
std::vector<double> measuredLatencies(const std::vector<uint32_t> &Nodes, std::string &Why);

} // namespace threadmap

#endif // THREADMAP_MACHINE_MEASURED_H
