//===-- Tables.h - what the firmware tells of nodes -------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_TABLES_H
#define THREADMAP_TABLES_H

#include "Machine.h"

#include <hwloc.h>

namespace threadmap {

/// Reads the distances (ACPI SLIT), latencies and bandwidths (ACPI HMAT, or matrices that were
/// added to hwloc's description) between these nodes, those that are known of all pairs.
void readTables(hwloc_topology_t From, const std::vector<hwloc_obj_t> &Nodes, Machine &Into);

} // namespace threadmap

#endif // THREADMAP_TABLES_H
